// Elements from names, attributes and children. Text is always text: nothing is parsed.

import { language } from "./words.js";

export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) set(element, key, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key === "value") element.value = value;
  else element.setAttribute(key, value === true ? "" : value);
}

// A button that asks for a command by its name; see studio-commands.js.
export function commandButton(command, label, { key, kind = "quiet", ...attributes } = {}) {
  const words = [label, ...(key ? [" ", el("kbd", { "aria-hidden": "true" }, key)] : [])];
  const title = key ? `${attributes.title ?? label} (${key})` : attributes.title;
  return el(`button.button.button--small.button--${kind}`, { type: "button", "data-command": command, ...attributes, title }, ...words);
}

// Whether all of it can be read just now, or as much of it as there is room for.
export function isOnScreen(element) {
  if (!element?.checkVisibility()) return false;
  let [from, to] = [0, innerHeight];
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === "visible") continue;
    const edges = box.getBoundingClientRect();
    [from, to] = [Math.max(from, edges.top), Math.min(to, edges.bottom)];
  }
  const { top, bottom, height } = element.getBoundingClientRect();
  return Math.min(bottom, to) - Math.max(top, from) >= Math.min(height, to - from) - 1;
}

const announcer = document.getElementById("announcer");

export function announce(words) {
  announcer.textContent = words;
}

const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

export function atTime(moment) {
  return clock.format(new Date(moment));
}

export function readJson(id) {
  return JSON.parse(document.getElementById(id).textContent);
}
