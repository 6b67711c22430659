// Who writes, who checks, who signed off; and the one step that takes the example on.

import { commandButton, el } from "./studio-dom.js";
import { ask } from "./studio-net.js";
import { WORTH_A_UNIT } from "./studio-spans.js";
import { isAboutOpenWords } from "./studio-warnings.js";
import { gettext, inDigits, interpolate, ngettext } from "./words.js";

const STATES = { todo: gettext("To write"), written: gettext("To check"), signed: gettext("Signed off"), spared: gettext("◇ Left to STUs") };
const NEXT = gettext("Press g n for your next example.");
const KINDS = { todo: "", written: "badge--wait", signed: "badge--good" };
const NOBODY = { todo: gettext("no one yet"), spared: "" };
const STEPS = { todo: ["written", gettext("Mark as written")], written: ["signed", gettext("Sign off")] };

export class ReviewView {
  constructor({ root, whole, desk, book, editor, outbox, urls, warnings, assignment, personId, canWrite, say }) {
    Object.assign(this, { root, whole, desk, book, editor, outbox, urls, warnings, assignment, personId, canWrite, say });
  }

  take(assignment) {
    this.assignment = assignment;
    this.render();
  }

  render() {
    const signature = JSON.stringify([this.assignment, this.#isCovered()]);
    if (signature !== this.signature) this.root.replaceChildren(...this.#parts());
    this.signature = signature;
    this.#wholeWarnings();
  }

  #parts() {
    const { state, author, reviewer, signed_by: signedBy } = this.assignment;
    const people = [
      [state === "todo" && author ? gettext("Assigned to %(name)s") : gettext("Written by %(name)s"), author || (NOBODY[state] ?? gettext("unknown author"))],
      [gettext("Checked by %(name)s"), signedBy || reviewer || (state in NOBODY ? null : gettext("no one yet"))],
    ];
    return [
      el(`span.badge.${KINDS[state] || "badge--plain"}`, {}, STATES[state]),
      ...people.filter(([, name]) => name).map(([words, name]) => el("span.muted.small", {}, interpolate(words, { name }))),
      ...(this.canWrite ? this.#steps(state) : []),
    ];
  }

  #steps(state) {
    const step = STEPS[state];
    // While words are open, writing is the next step, and this one only possible.
    const kind = state === "written" || this.#isCovered() ? "primary" : "plain";
    const isOwn = state === "written" && this.assignment.author_id === this.personId;
    if (isOwn) return [commandButton("reopen", gettext("Reopen for writing"), { key: "F" }), el("span.muted.small", {}, gettext("Someone else must sign it off"))];
    const on = step ? [commandButton("advance", step[1], { key: "f", kind })] : [];
    const words = state === "spared" ? gettext("Write this example") : gettext("Reopen for writing");
    const back = state === "todo" ? [] : [commandButton("reopen", words, { key: "F" })];
    return [...back, ...on];
  }

  #isCovered() {
    return this.book.units.length > 0 && !this.desk.nextRun({ from: 0, least: WORTH_A_UNIT, wraps: false });
  }

  // Open words show in the reference anyway; here they are folded into one line.
  #wholeWarnings() {
    const given = this.warnings.open("example", this.book.warnings.example);
    const signature = JSON.stringify(given);
    if (signature === this.wholeSignature) return;
    this.wholeSignature = signature;
    const list = (rows) => this.warnings.list("example", rows, () => this.render());
    const [open, others] = [given.filter(isAboutOpenWords), given.filter((each) => !isAboutOpenWords(each))];
    const count = open.length;
    const words = ngettext("%(count)s passage of the references without a unit", "%(count)s passages of the references without a unit", count);
    const summary = el("summary.muted.small", {}, interpolate(words, { count: inDigits(count) }));
    this.whole.replaceChildren(list(others), ...(open.length ? [el("details", {}, summary, list(open))] : []));
  }

  async advance() {
    const step = STEPS[this.assignment.state];
    if (!step) return this.say(`${STATES[this.assignment.state]}. ${NEXT}`);
    const remark = document.querySelector("#comment-text");
    if (remark?.value.trim()) {
      remark.focus();
      return this.say(gettext("Your comment isn’t sent yet. Send or discard it first, then press f again."));
    }
    this.editor.close();
    await this.outbox.run();
    if (this.outbox.queue.length) return this.say(gettext("Some changes are not saved yet. Try again when they are."));
    const left = this.assignment.state === "todo" && !this.#isCovered() ? ` ${gettext("Some words are still uncovered (press F to reopen).")}` : "";
    return this.#go(this.urls[step[0]], left);
  }

  reopen() {
    return this.#go(this.urls.reopened);
  }

  async #go(url, left = "") {
    const { answer, problem } = await ask(url, {});
    if (problem) return this.say(problem);
    this.take(answer);
    return this.say(`${STATES[answer.state]}.${answer.state === "todo" ? "" : ` ${NEXT}`}${left}`);
  }
}
