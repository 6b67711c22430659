// Ticking every assignment of the page at once.

for (const form of document.querySelectorAll("[data-review]")) {
  const all = form.querySelector("[data-all]");
  if (!all) continue;
  const boxes = [...form.querySelectorAll('[name="assignment"]')];
  all.hidden = false;
  all.addEventListener("change", () => boxes.forEach((box) => (box.checked = all.checked)));
  form.addEventListener("change", () => {
    const ticked = boxes.filter((box) => box.checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  });
}
