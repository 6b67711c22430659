// Selects every assignment on the page.

for (const form of document.querySelectorAll("[data-review]")) {
  const all = form.querySelector("[data-all]");
  if (!all) continue;
  const boxes = [...form.querySelectorAll('[name="assignment"]')];
  all.hidden = false;
  all.addEventListener("change", () => boxes.forEach((box) => (box.checked = all.checked)));
  form.addEventListener("change", () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  });
}
