// An address that is shared says what was asked, and nothing of what was left open.

for (const form of document.querySelectorAll("form[method=get]")) {
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) {
      if (String(value).trim() === "") event.formData.delete(name);
    }
  });
}
