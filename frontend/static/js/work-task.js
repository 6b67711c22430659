// The page round a task: time left, and going on when the frame says that answers were taken.
import { recall, remember } from "./storage.js";
import { gettext, interpolate, ngettext } from "./words.js";

const SPOKEN = [300, 60];
const KEPT_AS = "work-next";
const PAUSE_MS = 2000;

const timer = document.querySelector("[data-left]");
const goOn = document.querySelector("[data-go-on]");
const next = document.querySelector("[data-next]");
const frame = document.querySelector(".task__frame");

function words(seconds) {
  const left = Math.max(0, seconds);
  const minutes = Math.floor(left / 60);
  const hours = Math.floor(minutes / 60);
  const rest = String(left % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes % 60).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

function announce(text) {
  document.querySelector("#announcer").textContent = text;
}

function speak(left) {
  if (SPOKEN.includes(left)) {
    const minutes = left / 60;
    announce(interpolate(ngettext("%(minutes)s minute left.", "%(minutes)s minutes left.", minutes), { minutes }));
  }
  if (left === 0) {
    announce(gettext("Your time is up. Submit what you have: late work is still accepted for a short while."));
  }
}

function show(left) {
  timer.textContent = left > 0 ? interpolate(gettext("%(time)s left"), { time: words(left) }) : gettext("time is up");
  timer.classList.toggle("task__timer--short", left <= SPOKEN[0]);
}

function startTimer() {
  const deadline = performance.now() + Number(timer.dataset.left) * 1000;
  let shown = Number(timer.dataset.left);
  show(shown);
  setInterval(() => {
    const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
    // A sleeping tab may skip seconds: every mark that was passed is spoken.
    for (let second = shown - 1; second >= left; second -= 1) {
      speak(second);
    }
    if (left !== shown) {
      shown = left;
      show(left);
    }
  }, 1000);
}

function isFromFrame(event) {
  return event.source === frame.contentWindow && event.data?.giza === "submitted";
}

let isAsking = false;
let pause = 0;

// Sending a form while the page still loads would break the loading off.
function whenLoaded(act) {
  if (document.readyState === "complete") {
    act();
  } else {
    window.addEventListener("load", act, { once: true });
  }
}

// The server decides whether it is true. A frame may say so at any moment and as often as it likes.
function askToGoOn() {
  if (isAsking) {
    return;
  }
  isAsking = true;
  setTimeout(() => {
    isAsking = false;
    goOn.submit();
  }, pause);
  pause = PAUSE_MS;
}

// Whose answers are single keys works on after a look at the bar, or at a question in another tab.
function leadKeysToFrame() {
  const isForBar = (target) => target.closest("input:not([type=checkbox]), textarea, select");
  addEventListener("keydown", ({ key, target }) => {
    if (/^\d$/.test(key) && !isForBar(target)) frame.focus({ preventScroll: true });
  });
}

if (timer) {
  startTimer();
}

if (timer && frame) {
  leadKeysToFrame();
}

if (goOn && frame) {
  next.checked = recall(KEPT_AS) === "on";
  next.addEventListener("change", () => remember(KEPT_AS, next.checked ? "on" : "off"));
  window.addEventListener("message", (event) => {
    if (isFromFrame(event)) {
      whenLoaded(askToGoOn);
    }
  });
}
