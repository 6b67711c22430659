// Tabs as the pattern has it: one tab stop, arrows between them, one panel shown.

export class Tabs extends EventTarget {
  constructor(list) {
    super();
    this.tabs = [...list.querySelectorAll("[role=tab]")];
    list.addEventListener("click", (event) => this.#pick(event.target.closest("[role=tab]")));
    list.addEventListener("keydown", (event) => this.#walk(event));
    this.show(this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true").dataset.tab);
  }

  show(name) {
    if (!this.tabs.some((tab) => tab.dataset.tab === name)) return;
    this.shown = name;
    for (const tab of this.tabs) {
      const isShown = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).classList.toggle("is-shown", isShown);
    }
    this.dispatchEvent(new Event("shown"));
  }

  count(name, number) {
    const badge = this.tabs.find((tab) => tab.dataset.tab === name)?.querySelector("[data-count]");
    if (badge) badge.textContent = number ? String(number) : "";
  }

  #pick(tab) {
    if (tab) this.show(tab.dataset.tab);
  }

  #walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.tabs.findIndex((tab) => tab.dataset.tab === this.shown);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.show(next.dataset.tab);
    next.focus();
  }
}
