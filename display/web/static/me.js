// Who is signed in on this browser. Nobody is: the page of signing in comes, and leads back here.

export async function me() {
  const answer = await fetch("/me.json");
  if (answer.status === 401) signIn();
  return answer.ok ? await answer.json() : null;
}

export function signIn() {
  location.assign(`/login?to=${encodeURIComponent(location.pathname + location.search)}`);
}
