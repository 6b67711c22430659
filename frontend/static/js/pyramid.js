// The merge assistant. The keys belong to the cluster in hand: the one with the focus, or the
// first that is shown. A cluster set aside stays away until the window is closed.

const SET_ASIDE = "giza-not-the-same";
const KEYED = ["[data-accept]", "[data-dismiss]"];
const clusters = [...document.querySelectorAll("[data-cluster]")];
const aside = new Set(readAside());

function readAside() {
  try {
    return JSON.parse(sessionStorage.getItem(SET_ASIDE)) ?? [];
  } catch (error) {
    console.info("Giza: units kept apart are not read.", error.name);
    return [];
  }
}

function keepAside() {
  try {
    sessionStorage.setItem(SET_ASIDE, JSON.stringify([...aside]));
  } catch (error) {
    console.info("Giza: units kept apart are not stored.", error.name);
  }
}

function nameOf(cluster) {
  return cluster.dataset.cluster.trim();
}

function shown() {
  return clusters.filter((cluster) => !cluster.hidden);
}

function takeInHand(cluster) {
  for (const selector of KEYED) {
    const buttons = clusters.map((each) => each.querySelector(selector)).filter(Boolean);
    const holder = buttons.find((button) => button.dataset.key);
    const taker = cluster.querySelector(selector);
    if (!holder || !taker || holder === taker) continue;
    Object.assign(taker.dataset, { key: holder.dataset.key, keyLabel: holder.dataset.keyLabel });
    taker.title = holder.title;
    delete holder.dataset.key;
    delete holder.dataset.keyLabel;
    holder.removeAttribute("title");
  }
}

function refresh() {
  for (const cluster of clusters) cluster.hidden = aside.has(nameOf(cluster));
  const count = clusters.length - shown().length;
  const note = document.querySelector("[data-dismissed]");
  note.hidden = !count;
  note.querySelector("[data-dismissed-count]").textContent = count;
  document.querySelector("[data-no-clusters]").hidden = shown().length > 0;
  if (shown().length) takeInHand(shown()[0]);
}

function dismiss(cluster) {
  const next = shown()[shown().indexOf(cluster) + 1] ?? shown().find((each) => each !== cluster);
  aside.add(nameOf(cluster));
  keepAside();
  refresh();
  const target = next?.querySelector("a") ?? document.querySelector("[data-recall]");
  target.focus();
}

function recallAll() {
  for (const cluster of clusters) aside.delete(nameOf(cluster));
  keepAside();
  refresh();
  shown()[0].querySelector("a").focus();
}

document.addEventListener("focusin", (event) => {
  const cluster = event.target.closest("[data-cluster]");
  if (cluster) takeInHand(cluster);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-dismiss]")) dismiss(event.target.closest("[data-cluster]"));
  if (event.target.closest("[data-recall]")) recallAll();
});

if (document.querySelector("[data-dismissed]")) {
  for (const button of document.querySelectorAll("[data-dismiss]")) button.hidden = false;
  refresh();
}
