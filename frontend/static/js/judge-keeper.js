// Keeps what a judging page in a sandboxed frame can't keep itself: its draft and what was read.
// The frame asks when it starts, and tells of every change; nobody else is listened to.
// It is for `<iframe data-keep-draft="name of the draft" data-keep-seen="name of the campaign">`.

const MOST_CHARACTERS = 20_000;
// Answers belong to this tab; what was read need not be read again in another.
const PLACES = { draft: sessionStorage, seen: localStorage };

function nameOf(frame, kind) {
  const name = kind === "draft" ? frame.dataset.keepDraft : frame.dataset.keepSeen;
  return `giza-judge:${kind}:${name}`;
}

function keep(frame, { kind, text }) {
  if (!Object.hasOwn(PLACES, kind) || typeof text !== "string") return;
  if (text.length <= MOST_CHARACTERS) PLACES[kind].setItem(nameOf(frame, kind), text);
}

function hand(frame) {
  const read = (kind) => PLACES[kind].getItem(nameOf(frame, kind)) ?? "";
  // The frame's origin is opaque, so no other target can be named.
  frame.contentWindow.postMessage({ giza: "kept", draft: read("draft"), seen: read("seen") }, "*");
}

for (const frame of document.querySelectorAll("iframe[data-keep-draft]")) {
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow) return;
    if (event.data?.giza === "ask") hand(frame);
    if (event.data?.giza === "keep") keep(frame, event.data);
  });
  // A frame that was quicker than this script has asked already.
  hand(frame);
}
