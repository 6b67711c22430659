// Drop zone and upload progress. Without this module the form still sends its files.

import { token } from "./studio-net.js";
import { gettext, interpolate } from "./words.js";

const UNITS = ["B", "kB", "MB", "GB"];

export function sizeInWords(bytes) {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit && size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

function row(file) {
  const item = document.createElement("li");
  for (const text of [file.name, sizeInWords(file.size)]) {
    const part = document.createElement("span");
    part.textContent = text;
    item.append(part);
  }
  return item;
}

function listFiles(form) {
  const { files } = form.querySelector("input[type=file]");
  form.querySelector("[data-file-list]").replaceChildren(...[...files].map(row));
}

function readEntries(reader) {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

async function filesBelow(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const found = [];
  // A reader hands out its entries in portions and says "no more" with an empty one.
  for (let portion = await readEntries(reader); portion.length; portion = await readEntries(reader)) {
    for (const child of portion) found.push(...(await filesBelow(child)));
  }
  return found;
}

async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  return (await Promise.all(entries.map(filesBelow))).flat();
}

// What systems keep in folders for themselves is left out; a field for one file takes the first.
function takeFiles(form, files) {
  const field = form.querySelector("input[type=file]");
  const wanted = files.filter((file) => !file.name.startsWith("."));
  const box = new DataTransfer();
  for (const file of field.multiple ? wanted : wanted.slice(0, 1)) box.items.add(file);
  field.files = box.files;
  listFiles(form);
}

function watchFolders(form) {
  const button = form.querySelector("[data-choose-folder]");
  if (!button) return;
  const chooser = document.createElement("input");
  chooser.type = "file";
  chooser.webkitdirectory = true;
  chooser.addEventListener("change", () => takeFiles(form, [...chooser.files]));
  button.addEventListener("click", () => chooser.click());
  button.hidden = false;
}

function watchDrops(form) {
  const zone = form.querySelector("[data-dropzone]");
  const over = (isOver) => (event) => {
    event.preventDefault();
    zone.classList.toggle("dropzone--over", isOver);
  };
  zone.addEventListener("dragover", over(true));
  zone.addEventListener("dragleave", over(false));
  zone.addEventListener("drop", (event) => {
    over(false)(event);
    droppedFiles(event.dataTransfer).then((files) => takeFiles(form, files));
  });
  form.querySelector("[data-drop-hint]").hidden = false;
}

function showProgress(form, sent, total) {
  const box = form.querySelector("[data-upload-progress]");
  box.hidden = false;
  const bar = box.querySelector("progress");
  const isSent = sent === total;
  if (isSent) bar.removeAttribute("value");
  else bar.value = (100 * sent) / total;
  box.querySelector("[data-upload-status]").textContent = isSent
    ? gettext("Uploaded. The server is processing the files.")
    : interpolate(gettext("%(sent)s of %(total)s uploaded"), { sent: sizeInWords(sent), total: sizeInWords(total) });
}

function showFailure(form, words) {
  form.querySelector("[data-upload-progress]").hidden = false;
  form.querySelector("[data-upload-status]").textContent = words;
  form.querySelector("progress").value = 0;
  form.querySelector("[type=submit]").disabled = false;
}

// Pages that refuse a request say why in the paragraphs beneath their heading.
function reasonOf(page) {
  const parts = [...page.querySelectorAll("main h1 ~ p:not(.actions)")];
  const text = parts.map((part) => part.textContent.trim()).join(" ");
  return `${gettext("Nothing was imported.")} ${text || gettext("The server refused the files.")}`;
}

let shownAt = location.pathname;

// Back and forward lead to another page than the one that is drawn: ask the server for it.
globalThis.addEventListener("popstate", () => {
  if (location.pathname !== shownAt) location.reload();
});

// The answer is shown in place, so that what the server said once is not asked for twice.
function showAnswer(form, request) {
  if (request.status === 401) {
    showFailure(form, gettext("You were signed out. Sign in again in another tab, then press the button again."));
    return;
  }
  const page = new DOMParser().parseFromString(request.responseText, "text/html");
  const fresh = page.getElementById("page");
  if (request.status >= 500 || !fresh) {
    showFailure(form, reasonOf(page));
    return;
  }
  document.title = page.title;
  document.getElementById("page").replaceWith(fresh);
  history.pushState(null, "", request.responseURL);
  shownAt = location.pathname;
  globalThis.htmx?.process(fresh);
  document.dispatchEvent(new Event("giza:shown"));
  enhance(fresh);
  fresh.querySelector("main").focus();
}

function send(form) {
  const request = new XMLHttpRequest();
  form.querySelector("[type=submit]").disabled = true;
  request.upload.addEventListener("progress", (event) => showProgress(form, event.loaded, event.total));
  request.addEventListener("load", () => showAnswer(form, request));
  request.addEventListener("error", () =>
    showFailure(form, gettext("The connection was lost. Nothing was imported. Upload the files again.")),
  );
  request.open("POST", form.action);
  const data = new FormData(form);
  // Signing in again in another tab gives a new token.
  if (token()) data.set("csrfmiddlewaretoken", token());
  request.send(data);
}

function enhance(root) {
  for (const form of root.querySelectorAll("form:has([data-dropzone])")) {
    watchDrops(form);
    watchFolders(form);
    form.addEventListener("change", () => listFiles(form));
  }
  for (const form of root.querySelectorAll("form[data-upload]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form);
    });
  }
}

enhance(document);
