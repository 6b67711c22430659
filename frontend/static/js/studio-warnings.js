// What the linter says of a unit: in words, with the reason one press away, and out of the way
// for the rest of the visit when somebody has read it.

import { el } from "./studio-dom.js";
import { recallInTab, rememberInTab } from "./studio-store.js";
import { gettext, interpolate } from "./words.js";

const DISMISSED = "giza-studio-dismissed";

export class Warnings {
  constructor(rules) {
    this.rules = new Map(rules.map((rule) => [rule.id, rule]));
    this.dismissed = new Set(recallInTab(DISMISSED, []));
    this.names = new Map();
  }

  open(id, warnings) {
    return (warnings ?? []).filter((warning) => !this.dismissed.has(nameOf(id, warning)));
  }

  // A list that was drawn before its unit was saved still has the unit's first name.
  dismiss(id, warning) {
    this.dismissed.add(nameOf(this.names.get(String(id)) ?? id, warning));
    rememberInTab(DISMISSED, [...this.dismissed]);
  }

  // A unit that was saved has another name now; what was read of it stays read.
  rename(names) {
    names.forEach((name, before) => this.names.set(String(before), name));
    const swap = (entry) => {
      const [name, ...rest] = entry.split("/");
      return [names.get(name) ?? name, ...rest].join("/");
    };
    this.dismissed = new Set([...this.dismissed].map(swap));
    rememberInTab(DISMISSED, [...this.dismissed]);
  }

  list(id, warnings, onDismiss) {
    return el("ul.warnings", {}, this.open(id, warnings).map((warning) => this.#item(id, warning, onDismiss)));
  }

  #item(id, warning, onDismiss) {
    const rule = this.rules.get(warning.rule);
    const dismiss = () => {
      this.dismiss(id, warning);
      onDismiss();
    };
    return el(
      "li.warning",
      {},
      el(
        "details",
        {},
        el("summary", {}, el("span.warning__mark", { "aria-hidden": "true" }, "⚠"), ` ${warning.message}`),
        el("p.warning__why", {}, rule ? `${rule.title}. ${rule.explanation}` : warning.rule),
      ),
      el("button.warning__dismiss", { type: "button", onclick: dismiss, "aria-label": interpolate(gettext("Dismiss: %(warning)s"), { warning: warning.message }) }, gettext("Dismiss")),
    );
  }
}

export function isAboutOpenWords(warning) {
  return warning.rule === "uncovered-content";
}

function nameOf(id, warning) {
  return `${id}/${warning.rule}/${warning.message}`;
}
