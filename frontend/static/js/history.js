// "Back" leads to the page before, not to the same one again: a request for the address that is
// shown, and a search that goes on while somebody types, take the place of the entry they follow.

function isSearching() {
  return Boolean(new URLSearchParams(location.search).get("q"));
}

document.addEventListener("htmx:beforeHistoryUpdate", (event) => {
  const { history: update, requestConfig } = event.detail;
  const isSamePlace = update.path === location.pathname + location.search;
  const isTyping = requestConfig.triggeringEvent?.type === "input";
  if (isSamePlace || (isTyping && isSearching())) update.type = "replace";
});
