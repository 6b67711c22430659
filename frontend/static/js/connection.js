// Says so when the server cannot be reached, and stops saying it when it can.

const notice = document.getElementById("offline");

function show(isOffline) {
  notice.hidden = !isOffline;
}

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, () => show(true));
}
document.addEventListener("htmx:afterOnLoad", () => show(false));
addEventListener("offline", () => show(true));
addEventListener("online", () => show(false));
