// Says so when the server cannot be reached, and stops saying it when it can.

const notice = document.getElementById("offline");
const words = notice.textContent;

function show(isOffline, text = words) {
  notice.textContent = text;
  notice.hidden = !isOffline;
}

// A server that answers, but has no database or no disk just now, or no longer knows who asks, says
// so in a line of text.
function showFault(request) {
  const isText = request.getResponseHeader("Content-Type")?.startsWith("text/plain");
  show(true, isText ? request.responseText : words);
}

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, () => show(true));
}
document.addEventListener("htmx:afterOnLoad", ({ detail: { xhr } }) => {
  if (xhr.status === 503 || xhr.status === 401) showFault(xhr);
  else show(false);
});
addEventListener("offline", () => show(true));
addEventListener("online", () => show(false));
