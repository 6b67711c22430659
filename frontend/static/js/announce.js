// Parts that htmx swaps are new to a screen reader each time. What they have to say is
// written to one live region instead, and only when it differs from the last time.

const announcer = document.getElementById("announcer");
let last = wordsOnPage();

function wordsOnPage() {
  return [...document.querySelectorAll("[data-announce]")].map((part) => part.dataset.announce).join(". ");
}

document.addEventListener("htmx:afterSettle", () => {
  const words = wordsOnPage();
  if (words && words !== last) announcer.textContent = words;
  last = words;
});
