// What reviewer and author say to each other about a unit or the example.

import { newName } from "./studio-book.js";
import { marked } from "./studio-conflict.js";
import { announce, commandButton, el, isOnScreen } from "./studio-dom.js";
import { ask } from "./studio-net.js";
import { tidy } from "./studio-text.js";
import { gettext, interpolate } from "./words.js";

const READ_FIRST = {
  accept: gettext("Read the comment first, then press y again to accept it."),
  reject: gettext("Read the comment first, then press d again to reject it."),
};
const STATES = { waiting: gettext("Not sent yet"), open: gettext("Open"), accepted: gettext("Accepted"), rejected: gettext("Rejected"), answered: gettext("Answered") };
const CLOSED = { accepted: gettext("Comment accepted."), rejected: gettext("Comment rejected."), answered: gettext("Comment answered.") };

export class CommentsView {
  constructor({ root, tabs, columns, desk, book, outbox, feed, urls, store, comments, person, canWrite, say }) {
    Object.assign(this, { root, tabs, columns, desk, book, outbox, feed, urls, store, comments, person, canWrite, say });
    this.inHand = null;
    this.overtaken = new Map();
    this.about = undefined;
    this.form = null;
    this.reply = store.reply && canWrite ? this.#replyTo(store.reply.comment, store.reply.text) : null;
    this.list = el("ul.comments");
    this.formSlot = el("div.comment-form");
    root.replaceChildren(this.formSlot, this.list);
    feed.addEventListener("news", (event) => this.#hear(event.detail.comments));
    if (store.remark && canWrite) this.write(store.remark.unit);
    else this.#closeForm();
    this.render();
    if (this.reply) tabs.show("comments");
    this.#rescueReply();
  }

  get open() {
    return this.comments.filter((comment) => comment.state === "open");
  }

  // Ours that are on their way; the feed may bring one back before its answer comes.
  get waiting() {
    const known = new Set(this.comments.map((comment) => comment.op));
    const records = this.outbox.queue.filter((record) => record.comment && !known.has(record.op));
    return records.map(({ op, comment }) => ({ id: op, author: this.person, state: "waiting", ...comment }));
  }

  #hear(comments) {
    if (JSON.stringify(comments) === JSON.stringify(this.comments)) return;
    const known = new Set(this.comments.map((comment) => comment.id));
    const added = comments.find((comment) => !known.has(comment.id));
    if (added) announce(interpolate(gettext("%(author)s commented: %(text)s"), { author: added.author, text: added.text || added.suggestion }));
    this.comments = comments;
    this.render();
    this.#rescueReply();
  }

  // Reading ------------------------------------------------------------------------

  render() {
    this.tabs.count("comments", this.open.length);
    const { waiting } = this;
    const texts = this.comments.map((each) => this.book.unit(each.unit)?.text);
    const signature = JSON.stringify([waiting, this.comments, this.inHand, texts, [...this.overtaken], this.reply?.id]);
    if (signature === this.signature) return;
    this.signature = signature;
    const { activeElement } = document;
    const focused = this.list.contains(activeElement);
    const sorted = [...waiting, ...this.open, ...this.comments.filter((comment) => comment.state !== "open").reverse()];
    const none = el("li.muted", {}, gettext("No comments on this example."));
    this.list.replaceChildren(...(sorted.length ? sorted.map((comment) => this.#item(comment)) : [none]));
    if (focused) (activeElement === this.reply?.field ? activeElement : this.list.querySelector("[aria-current]"))?.focus();
  }

  #item(comment) {
    const unit = this.book.unit(comment.unit);
    const isOpen = comment.state === "open";
    const isInHand = this.inHand === comment.id;
    const about = unit ? interpolate(gettext("on “%(text)s”"), { text: unit.text }) : gettext("on the example");
    const attributes = {
      tabindex: isOpen ? "0" : null,
      "data-comment": comment.id,
      "aria-current": isInHand ? "true" : null,
      onfocus: () => this.#take(comment),
    };
    return el(
      "li.comment",
      attributes,
      el("p.comment__head", {}, el("strong", {}, comment.author), ` ${about} `, el("span.badge", {}, STATES[comment.state])),
      comment.text ? el("p", { dir: "auto" }, comment.text) : null,
      ...this.#overtaken(comment),
      comment.suggestion ? el("p.reading.wording", { dir: "auto" }, this.#wording(comment, unit)) : null,
      comment.answer ? el("p.comment__answer", { dir: "auto" }, `${comment.answered_by}: ${comment.answer}`) : null,
      isOpen && this.canWrite ? this.#ways(comment) : null,
    );
  }

  #wording(comment, unit) {
    const isPast = !["open", "waiting"].includes(comment.state) || !unit;
    const now = this.overtaken.get(comment.id) ?? unit;
    return isPast ? [el("ins", {}, comment.suggestion)] : marked(now.text, comment.suggestion);
  }

  // The unit is no longer what the comment was made about: both wordings, and the choice again.
  #overtaken(comment) {
    const current = this.overtaken.get(comment.id);
    if (!current || comment.state !== "open") return [];
    return [
      el("p.comment__overtaken", {}, gettext("The unit was changed after this suggestion. Current text:")),
      el("p.reading.wording", { dir: "auto" }, current.text),
      el("p.comment__overtaken", {}, gettext("Suggested text:")),
    ];
  }

  #ways(comment) {
    if (this.reply?.id === comment.id) return el("div.comment__ways", {}, ...this.reply.parts);
    const wording = this.overtaken.has(comment.id) ? gettext("Accept anyway") : gettext("Accept wording");
    const accept = comment.suggestion ? wording : gettext("Accept");
    return el(
      "div.comment__ways",
      {},
      commandButton("accept", accept, { key: "y", kind: "plain", "data-id": comment.id }),
      commandButton("reject", gettext("Reject"), { key: "d", kind: "plain", "data-id": comment.id }),
      commandButton("answer", gettext("Answer"), { key: "A", "data-id": comment.id }),
    );
  }

  #take(comment) {
    if (this.inHand === comment.id) return;
    this.inHand = comment.id;
    this.render();
    this.#itemOf(comment)?.focus();
    if (comment.unit && this.book.unit(comment.unit)) this.desk.take(comment.unit);
  }

  // The next open comment, in hand and in focus.
  next() {
    const { open } = this;
    if (!open.length) return this.say(gettext("No open comments."));
    const at = open.findIndex((comment) => comment.id === this.inHand);
    return this.#show(open[(at + 1) % open.length]);
  }

  #show(comment) {
    this.tabs.show("comments");
    this.columns.show("context");
    this.#itemOf(comment).focus();
    this.#itemOf(comment).scrollIntoView({ block: "nearest" });
  }

  #itemOf(comment) {
    return this.list.querySelector(`[data-comment="${comment.id}"]`);
  }

  // Answering ----------------------------------------------------------------------

  #pick(id) {
    return this.open.find((comment) => comment.id === (id ?? this.inHand)) ?? (this.open.length === 1 ? this.open[0] : null);
  }

  async close(way, id, body = {}) {
    const comment = this.#pick(id);
    if (!comment) return this.say(gettext("Select an open comment first (o)."));
    // A key closes only what can be read: closing a comment can't be undone.
    if (id === undefined && !isOnScreen(this.#itemOf(comment))) {
      this.#show(comment);
      return this.say(READ_FIRST[way]);
    }
    const url = `${this.urls.comment.replace(/0\/$/, `${comment.id}/`)}${way}/`;
    const seen = way === "accept" && this.overtaken.has(comment.id) ? { revision: this.overtaken.get(comment.id).revision } : {};
    const said = way === "reject" && this.reply?.id === comment.id ? { answer: this.reply.field.value } : {};
    const { answer, problem, code, current } = await ask(url, { ...said, ...body, ...seen });
    if (code === "stale") return this.#overtake(comment, current);
    if (problem) return this.say(problem);
    this.overtaken.delete(comment.id);
    if (this.reply?.id === comment.id && way !== "accept") this.#endReply();
    this.comments = this.comments.map((each) => (each.id === answer.id ? answer : each));
    this.inHand = null;
    this.render();
    this.#rescueReply();
    this.say(CLOSED[answer.state]);
    return this.feed.ask();
  }

  #overtake(comment, current) {
    this.overtaken.set(comment.id, current);
    this.render();
    return this.say(gettext("The unit was changed after this suggestion. Compare both texts, then accept (y) or reject (d)."));
  }

  answer(id) {
    const comment = this.#pick(id);
    if (!comment) return this.say(gettext("Select an open comment first (o)."));
    this.#show(comment);
    if (this.reply?.id !== comment.id) this.reply = this.#replyTo(comment.id, "");
    this.render();
    return this.reply.field.focus();
  }

  // Every key of an answer is kept, whatever comes before it is sent. Its field outlives drawing.
  #replyTo(id, text) {
    const author = this.comments.find((comment) => comment.id === id)?.author ?? "";
    const field = el("textarea", { rows: "2", "aria-label": interpolate(gettext("Answer to %(author)s"), { author }), maxlength: "2000", value: text, dir: "auto" });
    const send = () => this.close("answer", id, { answer: field.value });
    field.addEventListener("input", () => (this.store.reply = { comment: id, text: field.value }));
    field.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && (event.preventDefault(), send()));
    const button = (kind, act, ...words) => el(`button.button.button--small.button--${kind}`, { type: "button", onclick: act }, ...words);
    const discard = () => {
      this.#endReply();
      this.render();
    };
    const parts = [field, button("primary", send, gettext("Send answer"), " ", el("kbd", {}, "↵")), button("quiet", discard, gettext("Discard"))];
    return { id, field, parts };
  }

  // The comment was closed before its answer was sent: what was written goes on as a remark.
  #rescueReply() {
    const { reply } = this;
    if (!reply || this.open.some((comment) => comment.id === reply.id)) return;
    const { value } = reply.field;
    this.#endReply();
    if (!value.trim()) return;
    const kept = this.store.remark;
    const unit = kept ? kept.unit : (this.comments.find((comment) => comment.id === reply.id)?.unit ?? null);
    this.store.remark = { ...kept, unit, text: [kept?.text, value].filter(Boolean).join("\n") };
    this.write(unit);
    this.say(gettext("The comment was closed. Your answer is now a new remark."));
  }

  #endReply() {
    this.reply = null;
    this.store.reply = null;
  }

  // Writing ------------------------------------------------------------------------

  write(id = this.desk.unit?.id ?? null) {
    if (typeof id === "string") return this.say(gettext("The unit isn’t saved yet. Try again in a moment."));
    const unit = id === null ? null : this.book.unit(id);
    const kept = this.store.remark?.unit === id ? this.store.remark : null;
    const text = el("textarea", { rows: "2", maxlength: "2000", value: kept?.text ?? "", id: "comment-text" });
    const suggestion = kept?.suggestion ?? unit?.text;
    const attributes = { rows: "2", maxlength: "1000", value: suggestion, id: "comment-wording", dir: "auto" };
    const wording = unit && el("textarea.reading", attributes);
    this.form = { id, unit, text, wording };
    this.formSlot.replaceChildren(...this.#formParts());
    if (!kept || this.tabs.shown !== "comments") this.tabs.show("comments");
    return text.focus();
  }

  #formParts() {
    const { unit, text, wording } = this.form;
    for (const field of [text, wording].filter(Boolean)) {
      field.addEventListener("input", () => this.#keep());
      field.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && (event.preventDefault(), this.send()));
    }
    return [
      el("p", {}, unit ? [gettext("Comment on"), " ", el("q", {}, unit.text)] : gettext("Comment on the example")),
      el("div.field", {}, el("label", { for: "comment-text" }, gettext("Remark")), text),
      wording ? el("div.field", {}, this.#wordingLabel(), wording) : null,
      el(
        "div.actions",
        {},
        el("button.button.button--small.button--primary", { type: "button", onclick: () => this.send() }, gettext("Send comment"), " ", el("kbd", {}, "↵")),
        el("button.button.button--small.button--quiet", { type: "button", onclick: () => this.#closeForm(true) }, gettext("Discard")),
      ),
    ].filter(Boolean);
  }

  #wordingLabel() {
    const hint = el("span.field__optional", {}, gettext("edit to suggest one"));
    return el("label", { for: "comment-wording" }, gettext("Suggested wording"), " ", hint);
  }

  #keep() {
    const { id, text, wording } = this.form;
    this.store.remark = { unit: id, text: text.value, suggestion: wording?.value };
  }

  // Kept with the actions that wait and sent like them: in order, again if need be, made once.
  send() {
    const { id, unit, text, wording } = this.form;
    const isOther = wording && tidy(wording.value) !== unit.text;
    const comment = { unit: id, text: text.value.trim(), suggestion: isOther ? tidy(wording.value) : "" };
    if (!comment.text && !comment.suggestion) return this.say(gettext("Write a remark or suggest another wording."));
    this.outbox.add(this.urls.comments, { op: newName(), action: "comment", changes: [], comment });
    this.#closeForm(true);
    return this.render();
  }

  answered(record, answer) {
    if (!this.comments.some((comment) => comment.id === answer.id)) this.comments = [...this.comments, answer];
    this.render();
    this.say(gettext("Comment sent."));
  }

  #closeForm(isOver = false) {
    if (isOver) this.store.remark = null;
    this.form = null;
    const words = gettext("Comment on the current unit or the example");
    this.formSlot.replaceChildren(...(this.canWrite ? [commandButton("comment", words, { key: "r", kind: "plain" })] : []));
  }
}
