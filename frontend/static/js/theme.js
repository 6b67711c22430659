// The theme button cycles through: system default, light, dark.

import { recall, remember } from "./storage.js";
import { gettext } from "./words.js";

const KEY = "giza-theme";
const ORDER = [null, "light", "dark"];
const NAMES = { light: gettext("light"), dark: gettext("dark") };

function current() {
  const theme = recall(KEY);
  return ORDER.includes(theme) ? theme : null;
}

function show(theme) {
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  for (const place of document.querySelectorAll("[data-theme-name]")) {
    place.textContent = NAMES[theme] ?? gettext("system default");
  }
}

function advance() {
  const theme = ORDER[(ORDER.indexOf(current()) + 1) % ORDER.length];
  remember(KEY, theme);
  show(theme);
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-theme-toggle]")) advance();
});

show(current());
