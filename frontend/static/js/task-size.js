// Reports to the page around the frame how tall this page is. A classic script: the frame has no
// origin. A page that pins something to its window, or that grows with its window, keeps a window
// of its own that scrolls: it reports 0.
// Strict, so that our functions stay in their block and replace none of the page's.
"use strict";
if (window.parent !== window) {
  const MOST_ELEMENTS = 5000;
  const MOST_CHASES = 5;
  let reported = -1;
  // How far floats, margins and what is positioned reach beyond the text.
  let beyond = 0;
  let chases = 0;
  let isPlanned = false;

  const isPinned = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);

  function hasPinned() {
    return [...document.querySelectorAll("body *")].slice(0, MOST_ELEMENTS).some(isPinned);
  }

  // To the end of what is in the body, which may itself be as tall as the window.
  function measureContent() {
    const range = document.createRange();
    range.selectNodeContents(document.body);
    const style = getComputedStyle(document.body);
    const around = [style.paddingBottom, style.borderBottomWidth, style.marginBottom];
    const end = range.getBoundingClientRect().bottom + scrollY;
    return around.reduce((sum, width) => sum + parseFloat(width), end);
  }

  function measure() {
    const content = measureContent();
    const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
    // Only a window that is too small tells how tall all of it is.
    if (scrollHeight > clientHeight) beyond = Math.max(0, scrollHeight - content);
    const scrollBar = innerHeight - clientHeight;
    return Math.ceil(content + beyond + scrollBar);
  }

  function report() {
    isPlanned = false;
    const height = chases >= MOST_CHASES || hasPinned() ? 0 : measure();
    if (height === reported) return;
    reported = height;
    window.parent.postMessage({ giza: "size", height }, "*");
  }

  function plan() {
    if (!isPlanned && document.body) requestAnimationFrame(report);
    isPlanned = Boolean(document.body);
  }

  addEventListener("resize", () => {
    // As tall as was reported, and too small at once: the page grows with its window.
    if (innerHeight === reported) chases = measure() > reported ? chases + 1 : 0;
    plan();
  });
  addEventListener("load", () => {
    reported = -1;
    plan();
  });
  // Pictures and styles.
  addEventListener("load", plan, true);
  // The body may be as tall as the window, whatever is in it.
  const sizes = new ResizeObserver(plan);
  function watch() {
    for (const element of [document.body, ...(document.body?.children ?? [])]) {
      if (element) sizes.observe(element);
    }
    plan();
  }
  new MutationObserver(watch).observe(document, { childList: true, subtree: true });
  watch();
}
