// What outlives a reload. A sandboxed page has no storage: there the window's name outlives a
// reload of the frame, and the page around it, if it is ours, keeps a copy for the rest
// (js/judge-keeper.js).
const openMemory = (names, rules) => {
  "use strict";

  const KEPT_DAYS = 14;
  const DRAFT = "giza-judge:draft:";
  const storage = openStorage();
  const named = window.name.startsWith('{"giza-judge:') ? parse(window.name) : {};

  function openStorage() {
    try {
      localStorage.setItem("giza-judge", "");
      localStorage.removeItem("giza-judge");
      return localStorage;
    } catch (error) {
      console.info("Giza: no storage here.", error.name);
      return null;
    }
  }

  function parse(text) {
    try {
      return JSON.parse(text || "{}") ?? {};
    } catch (error) {
      console.info("Giza: not what was kept.", error.name);
      return {};
    }
  }

  function keep(kind, value) {
    const text = JSON.stringify(value);
    if (storage) {
      storage.setItem(names[kind], text);
      return;
    }
    named[names[kind]] = text;
    // The name outlives this HIT as well, so that only what is ours now may stay in it.
    const ours = Object.values(names).map((name) => [name, named[name]]);
    window.name = JSON.stringify(Object.fromEntries(ours));
    if (parent !== window) parent.postMessage({ giza: "keep", kind, text, rules }, "*");
  }

  function recall(kind) {
    return parse(storage ? storage.getItem(names[kind]) : named[names[kind]]);
  }

  function forgetOldDrafts() {
    const oldest = Date.now() - KEPT_DAYS * 86_400_000;
    const isOld = (name) => name.startsWith(DRAFT) && !(parse(storage.getItem(name)).at > oldest);
    if (storage) Object.keys(storage).filter(isOld).forEach((name) => storage.removeItem(name));
  }

  function ask() {
    parent.postMessage({ giza: "ask", rules }, "*");
  }

  function askParent(onKept) {
    if (storage || parent === window) return;
    addEventListener("message", (event) => {
      if (event.source !== parent || event.data?.giza !== "kept") return;
      onKept(parse(event.data.draft), parse(event.data.seen));
      // It was not there when it was asked.
      if (event.data.seen === null) ask();
    });
    ask();
  }

  forgetOldDrafts();
  return { keep, recall, askParent };
};
