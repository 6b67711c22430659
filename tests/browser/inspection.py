"""Scripts that look at the page that is shown, and give what is wrong with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

BUILD = """() => {
  const FIELDS = "input:not([type=hidden]), select, textarea";
  const all = (selector) => [...document.querySelectorAll(selector)];
  const short = (element) => element.outerHTML.slice(0, 120);
  const ids = all("[id]").map((element) => element.id);
  const isNamed = (field) =>
    field.labels?.length || field.ariaLabel || field.getAttribute("aria-labelledby");
  const places = all("[data-key^='g ']").map((element) => element.dataset.key);
  return {
    headings: all("h1").length,
    mains: all("main, [role=main]").length,
    unlabelled: all(FIELDS).filter((field) => !isNamed(field)).map(short),
    repeated: ids.filter((id, at) => ids.indexOf(id) !== at),
    pulledForward: all("[tabindex]").filter((element) => element.tabIndex > 0).map(short),
    sameKeys: places.filter((key, at) => places.indexOf(key) !== at),
  };
}"""
SOUND = {
    "headings": 1,
    "mains": 1,
    "unlabelled": [],
    "repeated": [],
    "pulledForward": [],
    "sameKeys": [],
}

# Looks at each place where Tab stops, with and without the focus.
UNSEEN_FOCUS = """() => {
  const STOPS = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const canStop = (element) => element.checkVisibility()
    && !element.disabled && element.type !== "hidden" && element.tabIndex >= 0;
  const look = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    const isDrawn = outlineStyle !== "none" && outlineWidth !== "0px";
    return [boxShadow, ...(isDrawn ? [outlineWidth, outlineColor] : [])].join();
  };
  const isUnseen = (element) => {
    const before = look(element);
    element.focus();
    const isSeen = document.activeElement === element && look(element) !== before;
    element.blur();
    return !isSeen;
  };
  document.activeElement.blur();
  const stops = [...document.querySelectorAll(STOPS)].filter(canStop);
  const unseen = stops.filter(isUnseen).map((element) => element.outerHTML.slice(0, 120));
  return { stops: stops.length, unseen };
}"""

# From now on, notes where the focus goes until it leaves the content.
NOTE_STOPS = """() => {
  const main = document.querySelector("#main");
  const isInside = (stop) => stop && stop !== main && main.contains(stop);
  window.tabStops = [];
  window.hasLeft = false;
  addEventListener("focusout", ({ relatedTarget }) => {
    window.hasLeft ||= !isInside(relatedTarget);
    if (!window.hasLeft) window.tabStops.push(relatedTarget);
  });
}"""
# Whether Tab has left the content, and stops at which it had gone up the page.
STEPS = """() => {
  const { tabStops: stops, hasLeft } = window;
  const isBelow = (stop, last) =>
    last.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING;
  const backward = stops.filter((stop, at) => at && !isBelow(stop, stops[at - 1]));
  return { hasLeft, backward: backward.map((stop) => stop.outerHTML.slice(0, 120)) };
}"""
# Controls of forms at which Tab did not stop; of radio buttons, it stops at one.
MISSED = """() => {
  const CONTROLS = ":is(input:not([type=hidden]), select, textarea, button)";
  const isSame = (one, other) => one === other
    || (one.type === "radio" && other.name === one.name && other.form === one.form);
  return [...document.querySelectorAll(`#main form ${CONTROLS}`)]
    .filter((each) => each.checkVisibility() && !each.disabled && each.tabIndex >= 0)
    .filter((each) => !window.tabStops.some((stop) => isSame(each, stop)))
    .map((each) => each.outerHTML.slice(0, 120));
}"""

# Text that stands out too little from what is painted beneath it: WCAG 2.1, 1.4.3.
FAINT_TEXT = """() => {
  // Colours on their way from one scheme to the other arrive at once.
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const channels = (colour) => {
    if (!known.has(colour)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      known.set(colour, [...brush.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const over = (top, under) => {
    const share = top[3] / 255;
    return [0, 1, 2].map((at) => top[at] * share + under[at] * (1 - share));
  };
  const ground = (element) => {
    if (!element) return channels(getComputedStyle(document.documentElement).backgroundColor);
    return over(channels(getComputedStyle(element).backgroundColor), ground(element.parentElement));
  };
  const light = (colour) => {
    const [red, green, blue] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (element, style) => {
    const under = ground(element);
    const [one, other] = [light(over(channels(style.color), under)), light(under)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const least = ({ fontSize, fontWeight }) => {
    const size = parseFloat(fontSize);
    return size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
  };
  const speaks = (element) => element.checkVisibility({ opacityProperty: true })
    && !element.closest(":disabled, .visually-hidden, svg")
    && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.body.querySelectorAll("*")].filter(speaks).flatMap((element) => {
    const style = getComputedStyle(element);
    const found = ratio(element, style);
    const words = element.textContent.trim().slice(0, 40);
    return found < least(style) ? [`${found.toFixed(2)}: ${element.className} ${words}`] : [];
  });
}"""

# What axe calls serious or critical: without it, somebody can't read the page or use it at all.
GRAVE = """async (withColours) => {
  // What opens and what changes colour is where it will be.
  for (const each of document.getAnimations()) each.finish();
  const isGrave = ({ id, impact, enabled, tags }) => enabled && !tags.includes("experimental")
    && ["serious", "critical"].includes(impact) && (withColours || id !== "color-contrast");
  const { violations } = await axe.run(document, {
    // No rule among these needs the style sheets to be fetched once more.
    preload: false,
    resultTypes: ["violations"],
    runOnly: axe._audit.rules.filter(isGrave).map(({ id }) => id),
  });
  return violations.map(({ id, help, nodes }) => ({
    rule: id, help, nodes: nodes.slice(0, 5).map(({ html, failureSummary }) =>
      [html.slice(0, 200), failureSummary.slice(0, 200)]),
  }));
}"""


@cache
def axe_source() -> str:
    """axe-core, as the package brings it along."""
    [path] = axe_playwright_python.__path__
    return (Path(path) / "axe.min.js").read_text(encoding="utf-8")


def find_barriers(page: Page, *, with_colours: bool = False) -> Any:
    """What axe finds grave. Comparing colours is most of its work, and FAINT_TEXT does it too."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe_source())
    return page.evaluate(GRAVE, with_colours)
