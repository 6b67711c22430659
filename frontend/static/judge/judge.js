// The judging page: one statement at a time, by key, touch or screen reader. It is inlined into
// a page that other sites serve, so it and the files before it stand alone: no module, no address.
(() => {
  "use strict";

  const NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE";
  // Closing the page loses no more time than this.
  const KEEP_EVERY_MS = 5000;

  const byId = (id) => document.getElementById(id);
  const task = JSON.parse(byId("task").textContent);
  // The page carries its texts in the reader's language, with names for what is filled in.
  const words = (name, values = {}) => task.words[name].replace(/%\((\w+)\)s/g, (mark, key) => String(values[key] ?? mark));
  const form = byId("judge");
  const fields = form.elements;
  const query = new URLSearchParams(location.search);
  const assignment = fields.assignmentId.value || query.get("assignmentId") || "";
  const isPreview = task.preview || !assignment || assignment === NOT_ACCEPTED;
  const statements = [...form.querySelectorAll(".statement")];
  const total = statements.length;
  const list = byId("list");
  const instructions = byId("instructions");
  const target = isPreview ? "" : findTarget();
  const refusal = isPreview || target ? "" : refuse();
  const clock = startClock();
  const practice = openPractice(task.training, words, endPractice);
  const memory = openMemory(
    { draft: `giza-judge:draft:${assignment}`, seen: `giza-judge:seen:${task.rules}` },
    task.rules,
  );

  let at = 0;
  let seen = {};
  let isSent = false;
  let isByArrow = false;

  const answerOf = (statement) => statement.querySelector("input:checked")?.value ?? "";
  const textOf = (statement) => statement.querySelector("legend").textContent.trim();
  const open = () => statements.filter((statement) => !answerOf(statement));
  const isDone = () => !byId("done").hidden;

  function say(text) {
    byId("voice").textContent = text;
  }

  function notify(text) {
    byId("notice").hidden = !text;
    byId("notice").textContent = text;
  }

  // Kept through a reload: answers for this assignment, and that these instructions were read.

  function keepDraft() {
    if (isPreview) return;
    const given = statements.map((statement) => [statement.id, answerOf(statement)]);
    const answers = Object.fromEntries(given.filter(([, answer]) => answer));
    const comment = fields.comment.value;
    memory.keep("draft", { answers, comment, seconds: clock.read(), at: Date.now() });
  }

  function restore(draft) {
    if (isPreview || !draft.answers) return;
    for (const statement of open()) choose(statement, draft.answers[statement.id]);
    fields.comment.value ||= draft.comment ?? "";
    clock.atLeast(draft.seconds || 0);
    const next = open()[0];
    if (next) show(statements.indexOf(next));
    else finish();
  }

  function applySeen(known) {
    seen = { ...seen, ...known };
    if (instructions) instructions.open = seen.instructions !== "closed";
    if (seen.practice) practice.end();
  }

  function see(change) {
    seen = { ...seen, ...change };
    if (!isPreview) memory.keep("seen", seen);
  }

  function endPractice() {
    see({ practice: true });
    go(at);
    focusAnswer();
  }

  // Judging.

  function choose(statement, answer) {
    const radio = [...statement.querySelectorAll("input")].find(({ value }) => value === answer);
    if (radio) radio.checked = true;
  }

  function draw() {
    const left = open().length;
    byId("progress").value = total - left;
    const place = isDone() ? total : at + 1;
    byId("count").textContent = `${words("place", { place, total })} · ${words(left ? "left" : "answered", { left })}`;
    [...list.children].forEach(drawItem);
  }

  function drawItem(item, number) {
    const answer = answerOf(statements[number]);
    const [button, state] = item.children;
    if (answer) delete item.dataset.missing;
    item.dataset.answer = answer;
    state.textContent = words(answer || ("missing" in item.dataset ? "needed" : "unanswered"));
    if (number === at && !isDone()) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }

  function show(number) {
    const hadFocus = statements[at].contains(document.activeElement);
    at = number;
    byId("done").hidden = true;
    form.classList.remove("is-done");
    statements.forEach((statement, index) => {
      statement.hidden = index !== at;
    });
    draw();
    if (hadFocus) focusAnswer();
  }

  function focusAnswer() {
    const radio = statements[at].querySelector("input:checked") ?? statements[at].querySelector("input");
    radio.focus({ preventScroll: true });
  }

  function go(number) {
    if (number < 0 || number >= total) return;
    show(number);
    byId("desk").scrollIntoView({ block: "nearest" });
    say(words("statement", { place: at + 1, total, text: textOf(statements[at]) }));
  }

  function moveOn() {
    const order = [...statements.slice(at + 1), ...statements.slice(0, at + 1)];
    const next = order.find((statement) => !answerOf(statement));
    if (next) go(statements.indexOf(next));
    else finish();
  }

  function finish() {
    for (const statement of statements) statement.hidden = true;
    byId("done").hidden = false;
    form.classList.add("is-done");
    draw();
    notify(refusal);
    byId("desk").scrollIntoView({ block: "nearest" });
    byId("submit").focus({ preventScroll: true });
    say(byId("done").textContent);
  }

  function decide(answer) {
    if (isPreview) explain();
    else if (!isDone()) {
      choose(statements[at], answer);
      answered(true);
    }
  }

  function answered(mayMove) {
    draw();
    keepDraft();
    if (!seen.instructions) see({ instructions: "closed" });
    if (mayMove) moveOn();
  }

  function explain() {
    notify(words("preview"));
    say(words("preview"));
  }

  function makeList() {
    statements.forEach((statement, number) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dir = "auto";
      button.textContent = textOf(statement);
      button.addEventListener("click", () => {
        go(number);
        focusAnswer();
      });
      item.append(button, document.createElement("span"));
      list.append(item);
    });
  }

  // Sending: only to places that the page was made for, once, and only when all is answered.

  function findTarget() {
    if (task.submit) return task.submit;
    const given = query.get("turkSubmitTo") ?? "";
    if (!URL.canParse(given)) return "";
    const url = new URL(given);
    const isKnown = [...task.origins, location.origin].includes(url.origin);
    if (!isKnown || !["http:", "https:"].includes(url.protocol)) return "";
    const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname;
    return `${url.origin}${path}/mturk/externalSubmit`;
  }

  function refuse() {
    const given = query.get("turkSubmitTo");
    return words(given ? "stranger" : "homeless", { given });
  }

  function pointOut(missing) {
    const numbers = missing.map((statement) => statements.indexOf(statement));
    for (const number of numbers) list.children[number].dataset.missing = "";
    const values = { count: numbers.length, numbers: numbers.map((number) => number + 1).join(", ") };
    notify(words(numbers.length === 1 ? "missing_one" : "missing", values));
    go(numbers[0]);
    focusAnswer();
  }

  function send(event) {
    const missing = open();
    if (isPreview) explain();
    else if (refusal) notify(refusal);
    else if (missing.length) pointOut(missing);
    else if (!isSent) {
      isSent = true;
      fields.giza_seconds.value = clock.read().toFixed(1);
      byId("submit").textContent = words("submitting");
      return;
    }
    event.preventDefault();
  }

  function allowResend() {
    if (!isSent) return;
    isSent = false;
    byId("submit").textContent = words("submit");
  }

  // Keys and clicks.

  const ACTIONS = {
    1: () => (practice.isOpen() ? practice.answer("present") : decide("present")),
    2: () => (practice.isOpen() ? practice.answer("absent") : decide("absent")),
    ArrowUp: () => go(isDone() ? at : at - 1),
    ArrowDown: () => go(at + 1),
    Enter: () => (practice.isOpen() ? practice.goOn() : form.requestSubmit()),
  };

  function onKey(event) {
    isByArrow = ["ArrowLeft", "ArrowRight"].includes(event.key);
    const action = ACTIONS[event.key];
    if (!action || isForOthers(event)) return;
    event.preventDefault();
    action();
  }

  function isForOthers({ key, target, ctrlKey, metaKey, altKey, repeat }) {
    if (ctrlKey || metaKey || altKey || repeat || target.closest("textarea")) return true;
    if (key === "Enter") return Boolean(target.closest("button, summary, input"));
    return key.startsWith("Arrow") && Boolean(target.closest("#reading"));
  }

  function onClick(event) {
    if (!isPreview || !event.target.closest(".statement .choice")) return;
    event.preventDefault();
    explain();
  }

  function listen() {
    document.addEventListener("keydown", onKey);
    form.addEventListener("submit", send);
    form.addEventListener("click", onClick);
    form.addEventListener("change", (event) => {
      if (event.target.type === "radio") answered(!isByArrow);
    });
    fields.comment.addEventListener("input", keepDraft);
    instructions?.firstElementChild.addEventListener("click", () => {
      see({ instructions: instructions.open ? "closed" : "open" });
    });
    setInterval(keepDraft, KEEP_EVERY_MS);
    addEventListener("pagehide", keepDraft);
    addEventListener("pageshow", allowResend);
  }

  // On a phone the answers wait beneath the statement, and become the bar at the foot of the screen
  // once the statement was in view above it: nobody answers what instructions still hide.
  function awaitStatement() {
    const meet = ([entry], observer) => {
      if (!entry.isIntersecting) return;
      form.classList.add("is-met");
      observer.disconnect();
    };
    const above = { rootMargin: "0px 0px -160px 0px" };
    new IntersectionObserver(meet, above).observe(form.querySelector(".ask"));
  }

  function start() {
    fields.assignmentId.value = assignment;
    if (target) form.action = target;
    makeList();
    for (const id of ["list", "list-title", "count", "progress"]) byId(id).hidden = false;
    form.classList.add("is-live");
    notify(isPreview ? words("preview") : refusal);
    show(0);
    awaitStatement();
    if (task.training.length && !isPreview) practice.start();
    restore(memory.recall("draft"));
    applySeen(memory.recall("seen"));
    listen();
    memory.askParent((draft, known) => {
      restore(draft);
      applySeen(known);
    });
    if (!isPreview) window.focus();
  }

  start();
})();
