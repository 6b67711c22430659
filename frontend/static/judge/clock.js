// Seconds at work: the page is seen, and somebody moved, typed or scrolled within the last minute.
const startClock = () => {
  "use strict";

  const IDLE = 60_000;
  const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "focus"];
  let seconds = 0;
  let last = performance.now();
  let lastSign = last;

  function read() {
    const now = performance.now();
    if (!document.hidden && now - lastSign < IDLE) seconds += (now - last) / 1000;
    last = now;
    return seconds;
  }

  function note() {
    read();
    lastSign = last;
  }

  function rest() {
    read();
    lastSign = -Infinity;
  }

  function atLeast(earlier) {
    seconds = Math.max(seconds, earlier);
  }

  for (const sign of SIGNS) addEventListener(sign, note, { capture: true, passive: true });
  addEventListener("blur", rest);
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : note()));
  setInterval(read, 1000);
  return { read, atLeast };
};
