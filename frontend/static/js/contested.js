// Keys for the statement in hand: its buttons carry data-act, and get their keys with the focus.
// What was in hand stays so when the page comes back.

import { gettext } from "./words.js";

const LABELS = { 1: gettext("Present"), 2: gettext("Not present"), z: gettext("Undo") };

const statements = [...document.querySelectorAll("[data-statement]")];

function take(statement) {
  for (const other of statements) {
    other.classList.toggle("statement--current", other === statement);
    for (const button of other.querySelectorAll("[data-act]")) {
      if (other === statement) button.dataset.key = button.dataset.act;
      else delete button.dataset.key;
      button.dataset.keyLabel = LABELS[button.dataset.act];
    }
  }
}

for (const [place, statement] of statements.entries()) {
  statement.addEventListener("focusin", () => take(statement));
  statement.addEventListener("pointerdown", () => take(statement));
  for (const form of statement.querySelectorAll("form")) {
    form.addEventListener("submit", () => (form.elements.back.value += `#${place + 1}`));
  }
}

if (statements.length) {
  const asked = Number(location.hash.slice(1)) || 1;
  const statement = statements[Math.min(asked, statements.length) - 1];
  take(statement);
  if (location.hash) statement.querySelector("a[href]").focus();
}
