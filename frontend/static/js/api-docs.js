// The library that draws the list of calls takes over links within a page and scrolls without
// moving the focus. With this name set, it leaves them to the browser, and "Skip to the content"
// works as on every other page.
globalThis.noZensmooth = true;
