// Two people changed one unit: both texts side by side, and three ways on. Nothing is chosen for
// anybody; one's own side stays a field, so that whoever was typing types on.

import { commandButton, el } from "./studio-dom.js";
import { diffWords } from "./studio-text.js";
import { gettext, interpolate } from "./words.js";

export function marked(before, after) {
  const tags = { same: "span", gone: "del", new: "ins" };
  return diffWords(before, after).flatMap((part, index) => [index ? " " : "", el(tags[part.kind], {}, part.text)]);
}

export function conflictPanel({ mine, theirs, who }) {
  const name = who || gettext("Someone else");
  const other = theirs.deleted
    ? el("p.muted", {}, interpolate(gettext("%(name)s deleted this unit."), { name }))
    : el("p.reading", { dir: "auto" }, marked(mine.text, theirs.text));
  return [
    el("div.conflict__theirs", {}, el("p.conflict__title", {}, interpolate(gettext("Theirs: %(name)s, just now"), { name })), other),
    el(
      "div.conflict__ways",
      {},
      commandButton("keep-mine", gettext("Keep mine"), { key: "Alt+M", kind: "plain" }),
      commandButton("take-theirs", gettext("Use theirs"), { key: "Alt+T", kind: "plain" }),
      commandButton("keep-both", gettext("Keep both"), { key: "Alt+B", kind: "plain" }),
    ),
  ];
}
