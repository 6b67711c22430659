// Two people changed one unit: both texts side by side, and three ways on. Nothing is chosen for
// anybody; one's own side stays a field, so that whoever was typing types on.

import { commandButton, el } from "./studio-dom.js";
import { diffWords } from "./studio-text.js";

export function marked(before, after) {
  const tags = { same: "span", gone: "del", new: "ins" };
  return diffWords(before, after).flatMap((part, index) => [index ? " " : "", el(tags[part.kind], {}, part.text)]);
}

export function conflictPanel({ mine, theirs, who }) {
  const name = who || "Someone else";
  const other = theirs.deleted
    ? el("p.muted", {}, `${name} deleted this unit.`)
    : el("p.reading", { dir: "auto" }, marked(mine.text, theirs.text));
  return [
    el("div.conflict__theirs", {}, el("p.conflict__title", {}, `Theirs: ${name}, just now`), other),
    el(
      "div.conflict__ways",
      {},
      commandButton("keep-mine", "Keep mine", { key: "Alt+M", kind: "plain" }),
      commandButton("take-theirs", "Use theirs", { key: "Alt+T", kind: "plain" }),
      commandButton("keep-both", "Keep both", { key: "Alt+B", kind: "plain" }),
    ),
  ];
}
