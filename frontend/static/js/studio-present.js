// Who else has this example open, in one quiet line.

import { gettext, interpolate } from "./words.js";

export class PresentView {
  constructor({ root, feed }) {
    this.root = root;
    feed.addEventListener("news", (event) => this.show(event.detail.present));
  }

  // The line is read out by screen readers when it changes, and only then.
  show(people) {
    const names = people.map((person) => person.name);
    const words = names.length ? interpolate(gettext("Also here: %(names)s"), { names: names.join(", ") }) : "";
    if (this.root.textContent !== words) this.root.textContent = words;
  }
}
