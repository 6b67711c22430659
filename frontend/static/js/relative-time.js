// "3 minutes ago" for times of the last days; the full time stays in the tooltip.

import { language } from "./words.js";

const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
];
const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const full = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

export function inWords(then, now) {
  let amount = (then - now) / 1000;
  for (const [unit, size] of STEPS) {
    // A deadline of three days is "in 3 days", not "in 2 days", a second after it was set.
    const whole = amount > 0 ? Math.round(amount) : Math.trunc(amount);
    if (Math.abs(whole) < size) return words.format(whole, unit);
    amount /= size;
  }
  return short.format(then);
}

function refresh() {
  const now = Date.now();
  for (const element of document.querySelectorAll("time[data-relative]")) {
    const then = new Date(element.dateTime);
    const text = inWords(then, now);
    if (element.textContent !== text) element.textContent = text;
    element.title = full.format(then);
  }
}

refresh();
setInterval(refresh, 30_000);
document.addEventListener("htmx:afterSettle", refresh);
document.addEventListener("giza:shown", refresh);
