// Adds rows to a setup form. Without this script, each save adds one empty row.

function add(part) {
  const total = part.querySelector(`[name="${part.dataset.items}-TOTAL_FORMS"]`);
  const index = total.value;
  const row = part.querySelector("template[data-items-empty]").content.cloneNode(true);
  for (const element of row.querySelectorAll("*")) {
    for (const attribute of element.attributes) {
      attribute.value = attribute.value.replaceAll("__prefix__", index);
    }
  }
  total.value = String(Number(index) + 1);
  const list = part.querySelector("[data-items-list]");
  list.append(row);
  list.lastElementChild.querySelector("input, textarea, select").focus();
}

for (const part of document.querySelectorAll("[data-items]")) {
  const button = part.querySelector("[data-items-add]");
  button.hidden = false;
  button.addEventListener("click", () => add(part));
}
