// Practice: statements with known answers, shown at once and not counted.
const openPractice = (lessons, words, onEnd) => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const section = byId("practice");
  let at = -1;

  function start() {
    section.hidden = false;
    byId("work").hidden = true;
    byId("practice-next").addEventListener("click", next);
    for (const button of section.querySelectorAll("[data-practice]")) {
      button.addEventListener("click", () => answer(button.dataset.practice));
    }
    next();
  }

  function next() {
    at += 1;
    if (at === lessons.length) {
      end();
      onEnd();
      return;
    }
    byId("practice-title").textContent = words("practice", { place: at + 1, total: lessons.length });
    byId("practice-summary").textContent = lessons[at].summary;
    byId("practice-statement").textContent = lessons[at].statement;
    byId("practice-word").textContent = "";
    byId("practice-next").hidden = true;
    if (at) byId("practice-title").focus();
  }

  function answer(given) {
    const { answer: right, why } = lessons[at];
    const verdict = `${given === right ? "right" : "wrong"}_${right}`;
    byId("practice-word").textContent = `${words(verdict)} ${why}`;
    byId("practice-next").hidden = false;
    byId("practice-next").focus();
  }

  function end() {
    if (section) section.hidden = true;
    byId("work").hidden = false;
  }

  function goOn() {
    if (!byId("practice-next").hidden) next();
  }

  return { start, answer, goOn, end, isOpen: () => Boolean(section) && !section.hidden };
};
