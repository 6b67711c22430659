// Keeps what a judging page in a sandboxed frame can't keep itself: its draft and which rules were
// read, on this device; the time worked, on the server. The frame asks when it starts, and reports
// every change; nobody else is listened to. It is for
// `<iframe data-keep-draft="assignment" data-keep-seen="requester" data-keep-time="address"
// data-seconds="0">`. Without an address for the time, none is sent.
import { forget, recall, remember } from "./storage.js";

const MOST_CHARACTERS = 20_000;
const KEPT_MS = 14 * 86_400_000;
const SAVE_EVERY_MS = 15_000;
const DRAFT = "giza-judge:draft:";
const SEEN = "giza-judge:seen:";
// What a frame may name its rules.
const RULES = /^[\w-]{1,64}$/;

function parse(text) {
  try {
    const value = JSON.parse(text || "{}");
    return value && typeof value === "object" ? value : {};
  } catch (error) {
    console.info("Giza: saved draft is unreadable.", error.name);
    return {};
  }
}

function startKeeping(frame) {
  const draftName = DRAFT + frame.dataset.keepDraft;
  const address = frame.dataset.keepTime;
  let saved = Number(frame.dataset.seconds) || 0;
  let worked = Math.max(saved, Number(parse(recall(draftName)).seconds) || 0);

  // A frame reaches only what frames of the same requester have saved.
  const seenName = (rules) => (RULES.test(rules) ? `${SEEN}${frame.dataset.keepSeen}:${rules}` : "");

  function keepDraft(text) {
    const draft = parse(text);
    worked = Math.max(worked, Number(draft.seconds) || 0);
    remember(draftName, JSON.stringify({ ...draft, at: Date.now() }));
  }

  function keep({ kind, text, rules }) {
    if (typeof text !== "string" || text.length > MOST_CHARACTERS) return;
    if (kind === "draft") keepDraft(text);
    if (kind === "seen" && seenName(rules)) remember(seenName(rules), text);
  }

  // Before it was asked, the rules are unknown: `seen` is null then, and the frame asks again.
  function hand(seen) {
    const draft = JSON.stringify({ answers: {}, ...parse(recall(draftName)), seconds: worked });
    // The frame's origin is opaque, so no other target can be named.
    frame.contentWindow.postMessage({ giza: "kept", draft, seen }, "*");
  }

  async function saveTime() {
    if (!address || worked - saved < 1) return;
    const before = saved;
    const body = new FormData();
    body.set("seconds", worked.toFixed(1));
    body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
    saved = worked;
    try {
      const answer = await fetch(address, { method: "POST", body, keepalive: true });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
    } catch (error) {
      console.info("Giza: time not saved yet.", error.message);
      saved = before;
    }
  }

  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    if (data?.giza === "ask") hand(seenName(data.rules) ? recall(seenName(data.rules)) ?? "" : "");
    if (data?.giza === "keep") keep(data);
    if (data?.giza === "submitted") remember(draftName, null);
  });
  setInterval(saveTime, SAVE_EVERY_MS);
  addEventListener("pagehide", saveTime);
  document.addEventListener("visibilitychange", () => document.hidden && saveTime());
  // A frame that was quicker than this script has asked already.
  hand(null);
}

forget((name, text) => name.startsWith(DRAFT) && !(parse(text).at > Date.now() - KEPT_MS));
document.querySelectorAll("iframe[data-keep-draft]").forEach(startKeeping);
