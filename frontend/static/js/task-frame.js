// The frame of a task: as tall as what it shows, and a message if the task's own server is silent.

const frame = document.querySelector(".task__frame");
const notice = document.querySelector("[data-task-server]");

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// How tall it is -------------------------------------------------------------------------------

const MOST = 30_000;
// A page that draws a part of itself again is smaller for a moment.
const SHRINK_MS = 300;
// A page that was loaded and reports nothing for so long has the height of the window.
const SILENT_MS = 1000;

let height = 0;
let shrinking = 0;
let reportedAt = -Infinity;

// Without a height of its own the frame fills the window, and changes with it.
function setHeight(value) {
  height = value;
  frame.style.height = value ? `${value}px` : "";
}

function follow(reported) {
  if (!Number.isFinite(reported)) return;
  reportedAt = performance.now();
  clearTimeout(shrinking);
  const room = innerHeight - (document.body.offsetHeight - frame.offsetHeight);
  const wanted = reported > room ? Math.min(MOST, Math.ceil(reported)) : 0;
  if (wanted >= height) setHeight(wanted);
  else shrinking = setTimeout(setHeight, SHRINK_MS, wanted);
}

async function startAgain() {
  // What is new begins at its top.
  if (frame.getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: "instant" });
  await wait(SILENT_MS);
  if (performance.now() - reportedAt > 2 * SILENT_MS) setHeight(0);
}

frame.style.setProperty("--asked", `${Math.min(Number(frame.dataset.height), MOST)}px`);
frame.addEventListener("load", startAgain);
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  // Whoever sends messages has been reached.
  if (isShown("silent")) say("");
  if (data?.giza === "size") follow(data.height);
});

// Whether its server answers -------------------------------------------------------------------

const server = notice.dataset.taskServer;
const TRIES = 2;
const ANSWER_MS = 6000;
const PAUSE_MS = 2000;
const LOOK_AGAIN_MS = 10_000;

let isLooking = false;
let lookAgain = 0;
let shown = "";

const isShown = (what) => shown === what;

function say(what) {
  shown = what;
  for (const words of notice.querySelectorAll("[data-say]")) {
    words.hidden = !words.dataset.say.split(" ").includes(what);
  }
  notice.hidden = !what;
}

// Any answer will do, and none is read. A redirect to another server is refused by our policy, and
// is an answer as well.
async function answers() {
  let isRedirected = false;
  const note = ({ effectiveDirective }) => {
    isRedirected ||= effectiveDirective === "connect-src";
  };
  document.addEventListener("securitypolicyviolation", note);
  try {
    await fetch(`${server}/favicon.ico`, {
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return true;
  } catch (error) {
    // The event is dispatched as a task of its own.
    await wait(0);
    if (!isRedirected) console.info("Giza: the task's server can't be reached.", error.name);
    return isRedirected;
  } finally {
    document.removeEventListener("securitypolicyviolation", note);
  }
}

async function isReachable() {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    if (await answers()) return true;
    if (tried < TRIES) await wait(PAUSE_MS);
  }
  return false;
}

async function look() {
  // Without a network nothing can be said about the server.
  if (isLooking || !navigator.onLine) return;
  isLooking = true;
  clearTimeout(lookAgain);
  const isThere = await isReachable();
  isLooking = false;
  if (isThere) {
    if (isShown("silent")) say("back");
    return;
  }
  say("silent");
  lookAgain = setTimeout(look, LOOK_AGAIN_MS);
}

notice.querySelector("[data-load-again]").addEventListener("click", () => {
  say("");
  // Setting the same address loads it again.
  frame.src = frame.getAttribute("src");
});
notice.querySelector("[data-hide]").addEventListener("click", () => {
  say("");
  clearTimeout(lookAgain);
  frame.focus();
});
document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
  if (effectiveDirective === "frame-src") say("refused");
});
if (server) {
  frame.addEventListener("load", look);
  addEventListener("online", look);
  look();
}
