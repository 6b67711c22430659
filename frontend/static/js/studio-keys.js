// Keys that the list of single keys cannot hold: arrows, those with Alt, Ctrl or Shift, and those
// that work inside a field. shortcuts.js does the rest from units/_studio_keys.html.

const ALT = {
  KeyS: "split",
  KeyM: "keep-mine",
  KeyT: "take-theirs",
  KeyB: "keep-both",
  KeyC: "contributor",
  ArrowUp: "up",
  ArrowDown: "down",
};
const ARROWS = {
  ArrowLeft: "previous-word",
  ArrowRight: "next-word",
  ArrowUp: "previous-unit",
  ArrowDown: "next-unit",
};
const EXTEND = { ArrowLeft: "extend-left", ArrowRight: "extend-right" };
const OWN_KEYS = "textarea, input, select, [role=tab], summary, dialog *";
const PRESSED = "a[href], button, summary, [role=tab], [data-comment]";

function inField(event) {
  if (event.key === "Enter" && !event.isComposing) return event.shiftKey ? "keep" : "next";
  if (event.key === "Escape") return "leave";
  return null;
}

function withCtrl(event) {
  if (event.key.toLowerCase() !== "z" || event.target.matches(OWN_KEYS)) return null;
  return event.shiftKey ? "redo" : "undo";
}

function plain(event) {
  if (event.target.closest(OWN_KEYS)) return null;
  if (event.shiftKey && event.key in EXTEND) return EXTEND[event.key];
  if (event.key in ARROWS && !event.shiftKey) return ARROWS[event.key];
  if (event.key === "Delete") return "delete";
  if (event.key === "Escape") return "clear";
  if (event.key === "Enter" && !event.target.closest(PRESSED)) return "edit";
  return null;
}

function commandOf(event) {
  if (event.altKey && !event.ctrlKey && !event.metaKey) return ALT[event.code] ?? null;
  if (event.ctrlKey || event.metaKey) return withCtrl(event);
  if (event.target.matches("[data-field]")) return inField(event);
  return plain(event);
}

export function followKeys(run, isHere) {
  const handle = (event) => {
    if (document.querySelector("dialog[open]")) return;
    const command = commandOf(event);
    if (!command || !isHere(command, event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    run(command, event.target);
  };
  // Before the page's other keys: these know more about where they were pressed.
  document.addEventListener("keydown", handle, { capture: true });
}
