// A slider next to each threshold. The number is what is sent; the slider only moves it, and
// moving a threshold turns its rule on.

function makeSlider(number) {
  const slider = document.createElement("input");
  slider.type = "range";
  slider.className = "slider";
  for (const name of ["min", "max", "step"]) slider[name] = number[name];
  slider.value = number.value;
  slider.setAttribute("aria-label", number.labels[0].textContent);
  number.closest(".threshold").append(slider);
  return slider;
}

for (const number of document.querySelectorAll("[data-slider]")) {
  const slider = makeSlider(number);
  const rule = number.closest(".rule").querySelector('input[type="checkbox"]');
  slider.addEventListener("input", () => {
    number.value = slider.value;
    rule.checked = true;
  });
  number.addEventListener("input", () => {
    slider.value = number.value;
    rule.checked = true;
  });
}
