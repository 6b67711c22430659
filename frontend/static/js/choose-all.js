// "All" and "None" for the boxes of one name, and how many of them are chosen. Without this script
// the boxes are ticked one by one. Where more boxes stand than may be chosen there is no "All".

import { gettext, interpolate } from "./words.js";

function follow(part) {
  const named = part.closest("form").querySelectorAll(`input[name="${part.dataset.chooseAll}"]`);
  const boxes = [...named];
  const told = part.querySelector("[data-choose-count]");

  const most = Number(part.dataset.chooseMost ?? boxes.length);

  function tell() {
    const chosen = boxes.filter((box) => box.checked).length;
    const words = boxes.length > most ? gettext("%(chosen)s of %(all)s selected, at most %(most)s") : gettext("%(chosen)s of %(all)s selected");
    told.textContent = interpolate(words, { chosen, all: boxes.length, most });
    told.classList.toggle("choose-all__over", chosen > most);
  }

  for (const button of part.querySelectorAll("[data-choose]")) {
    button.hidden = button.dataset.choose === "all" && boxes.length > most;
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
