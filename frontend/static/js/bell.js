// The bell of the header is drawn with the page. A page that stays open asks again once a minute,
// and only while somebody can see it.

const EVERY = 60_000;
let asked = Date.now();

function look() {
  const bell = document.getElementById("bell");
  if (!bell || document.hidden || Date.now() - asked < EVERY) return;
  asked = Date.now();
  window.htmx?.ajax("GET", bell.dataset.bell, { target: "#bell", swap: "outerHTML" });
}

setInterval(look, EVERY / 4);
document.addEventListener("visibilitychange", look);
