// "3 minutes ago" for times of the last days; the full time stays in the tooltip.

const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium" });
const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function inWords(then, now) {
  let amount = (then - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(amount) < size) return words.format(Math.trunc(amount), unit);
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
