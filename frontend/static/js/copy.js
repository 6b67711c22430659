// A button with data-copy="#id" copies that element's value or text, and says so.

import { gettext } from "./words.js";

const SAID_FOR = 2000;

function textOf(element) {
  return element.value ?? element.textContent;
}

function select(element) {
  if (element.select) element.select();
  else getSelection().selectAllChildren(element);
}

async function copied(element) {
  // navigator.clipboard is missing on plain-http addresses other than localhost.
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(textOf(element));
    return true;
  }
  select(element);
  return document.execCommand("copy");
}

function say(button, words) {
  button.dataset.label ??= button.textContent;
  button.textContent = words;
  document.getElementById("announcer").textContent = words;
  setTimeout(() => (button.textContent = button.dataset.label), SAID_FOR);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const element = document.querySelector(button.dataset.copy);
  try {
    say(button, (await copied(element)) ? gettext("Copied") : gettext("Press Ctrl+C"));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    select(element);
    say(button, gettext("Press Ctrl+C"));
  }
});
