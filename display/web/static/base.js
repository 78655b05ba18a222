// With what the addresses of this page's event begin: "/event/ID", or nothing for the first event's.

export const base = document.documentElement.dataset.base ?? "";
