// A page with a long form asks before it is left while something in it is not saved:
// `<form data-unsaved>`.

const changed = new Set();

addEventListener("input", ({ target }) => {
  const form = target.form?.closest("form[data-unsaved]");
  if (form) changed.add(form);
});
addEventListener("submit", ({ target }) => changed.delete(target));
addEventListener("beforeunload", (event) => {
  if ([...changed].some((form) => form.isConnected)) event.preventDefault();
});
