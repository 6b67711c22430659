// Keys for every action on the page, read from the page itself.
//
//   data-key="j"              one key
//   data-key="h, ArrowLeft"   either of two
//   data-key="g e"            one after the other
//   data-key-label="…"        what it does, for the list behind "?"
//
// Inside data-keys-anywhere keys work although the element is hidden: pages of other areas.
//
// A key on a field moves into it; on anything else it presses it. Rows marked data-row
// are walked with j and k; Enter then follows the row's link as the browser does anyway.

import { recall, remember } from "./storage.js";
import { gettext } from "./words.js";

const PAUSE = 900;
const SWITCH = "giza-single-keys";
const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "↵" };
const GO = gettext("Go to");
const HERE = gettext("On this page");

let typed = [];
let timer = 0;

const dialog = document.getElementById("keys");

function isTyping(target) {
  return target.isContentEditable || target.matches("input:not([type=radio]):not([type=checkbox]), textarea, select");
}

function isShown(element) {
  return element.checkVisibility ? element.checkVisibility() : element.offsetParent !== null;
}

function alternatives(element) {
  return element.dataset.key.split(",").map((keys) => keys.trim().split(/\s+/));
}

function bound() {
  return [...document.querySelectorAll("[data-key]")].filter((element) => isShown(element) || element.closest("[data-keys-anywhere]"));
}

function matches(keys) {
  const wanted = keys.join(" ");
  return bound().find((element) => alternatives(element).some((each) => each.join(" ") === wanted));
}

function begins(keys) {
  const start = `${keys.join(" ")} `;
  return bound().some((element) => alternatives(element).some((each) => each.join(" ").startsWith(start)));
}

function act(element) {
  if (isTyping(element)) {
    element.focus();
    element.select?.();
  } else {
    element.click();
  }
}

function walk(step) {
  const links = [...document.querySelectorAll("[data-row]")]
    .map((row) => row.querySelector("a[href]"))
    .filter((link) => link && isShown(link));
  if (!links.length) return false;
  const row = document.activeElement.closest("[data-row]");
  const at = row ? links.findIndex((link) => row.contains(link)) : step > 0 ? -1 : links.length;
  const link = links[Math.min(Math.max(at + step, 0), links.length - 1)];
  link.focus();
  link.closest("[data-row]").scrollIntoView({ block: "nearest" });
  return true;
}

function keysEnabled() {
  return recall(SWITCH) !== "off";
}

function press(key) {
  typed = [...typed, key];
  clearTimeout(timer);
  const element = matches(typed) ?? matches([key]);
  if (!element && begins(typed)) {
    timer = setTimeout(() => (typed = []), PAUSE);
    return true;
  }
  typed = [];
  if (element) act(element);
  else if (key === "j" || key === "k") return walk(key === "j" ? 1 : -1);
  return Boolean(element);
}

function described(keys) {
  return keys.map((key) => NAMES[key] ?? key);
}

function entries() {
  const list = bound().map((element) => ({
    label: element.dataset.keyLabel ?? element.textContent.trim(),
    keys: alternatives(element).map(described),
    group: alternatives(element)[0][0] === "g" ? GO : HERE,
  }));
  if (document.querySelector("[data-row] a[href]")) {
    list.push({ label: gettext("Next or previous row"), keys: [["j"], ["k"]], group: HERE });
    list.push({ label: gettext("Open the row"), keys: [["↵"]], group: HERE });
  }
  list.push({ label: gettext("Show this list"), keys: [["?"]], group: HERE });
  return list;
}

function make(name, content, className) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...[content].flat());
  return element;
}

function term(keys) {
  const parts = keys.flatMap((sequence, index) => [
    ...(index ? [" or "] : []),
    ...sequence.flatMap((key, place) => [...(place ? [" "] : []), make("kbd", key)]),
  ]);
  return make("dt", parts);
}

function group(name, list) {
  const rows = list.filter((entry) => entry.group === name);
  const items = rows.flatMap((entry) => [term(entry.keys), make("dd", entry.label)]);
  return items.length ? [make("div", [make("h3", name), make("dl", items)], "keys__group")] : [];
}

function openKeys() {
  const list = entries();
  dialog.querySelector("[data-keys-list]").replaceChildren(...group(HERE, list), ...group(GO, list));
  dialog.querySelector("[data-keys-enabled]").checked = keysEnabled();
  dialog.showModal();
  dialog.scrollTop = 0;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape" && isTyping(event.target)) event.target.blur();
  if (dialog.open || isTyping(event.target) || event.key === "Shift") return;
  if (!keysEnabled() && event.key.length === 1) return;
  if (event.key === "?") {
    event.preventDefault();
    openKeys();
  } else if (press(event.key)) {
    event.preventDefault();
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keys-open]")) openKeys();
  if (event.target === dialog) dialog.close();
});

dialog.querySelector("[data-keys-enabled]").addEventListener("change", (event) => {
  remember(SWITCH, event.target.checked ? null : "off");
});
