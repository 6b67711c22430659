// Runs before the first paint, so that a chosen theme never flashes.
(() => {
  try {
    const theme = localStorage.getItem("giza-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (error) {
    // Storage can be shut by the browser; the page then follows the system's theme.
    console.info("Giza: no stored theme.", error.name);
  }
})();
