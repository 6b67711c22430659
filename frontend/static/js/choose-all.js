// "All" and "None" for the boxes of one name, and how many of them are chosen. Without this script
// the boxes are ticked one by one.

function follow(part) {
  const named = part.closest("form").querySelectorAll(`input[name="${part.dataset.chooseAll}"]`);
  const boxes = [...named];
  const told = part.querySelector("[data-choose-count]");

  function tell() {
    const chosen = boxes.filter((box) => box.checked).length;
    told.textContent = `${chosen} of ${boxes.length} chosen`;
  }

  for (const button of part.querySelectorAll("[data-choose]")) {
    button.addEventListener("click", () => {
      for (const box of boxes) box.checked = button.dataset.choose === "all";
      tell();
    });
  }
  for (const box of boxes) box.addEventListener("change", tell);
  // A page that comes back from the browser's memory brings its ticks along.
  window.addEventListener("pageshow", tell);
  part.hidden = false;
  tell();
}

for (const part of document.querySelectorAll("[data-choose-all]")) follow(part);
