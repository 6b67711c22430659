// Joins a requester's page in the frame of a task. A classic script: the frame has no origin.
// It leads forms home whose address another script has put together.
// Strict, so that our functions stay in their block and replace none of the page's.
"use strict";
{
  const { assignment } = document.currentScript.dataset;
  const SUBMIT_PATH = "/mturk/externalSubmit";
  const MTURK = /^(www|worker|workersandbox)\.mturk\.com$/;

  function findSubmission(address) {
    if (!address || !URL.canParse(address, document.baseURI)) return null;
    const url = new URL(address, document.baseURI);
    const isOurs = url.host === new URL(document.baseURI).host || MTURK.test(url.hostname);
    return isOurs && url.pathname.replace(/\/$/, "") === SUBMIT_PATH ? url : null;
  }

  // Fields may have the names of a form's members, so attributes are read and written.
  function leadHome(form, button) {
    const holder = button?.hasAttribute("formaction") ? button : form;
    const prefix = holder === button ? "form" : "";
    const url = findSubmission(holder.getAttribute(`${prefix}action`));
    if (!url) return;
    if (!url.searchParams.get("assignmentId")) url.searchParams.set("assignmentId", assignment);
    holder.setAttribute(`${prefix}action`, SUBMIT_PATH + url.search);
    holder.setAttribute(`${prefix}method`, "post");
    // The page around the frame may not be replaced, and waits for the receipt in its frame.
    holder.setAttribute(`${prefix}target`, "_self");
  }

  // Before the page's own listeners, which may end the event, and after what they have changed.
  for (const isCapturing of [true, false]) {
    addEventListener("submit", ({ target, submitter }) => leadHome(target, submitter), isCapturing);
  }
  const { submit } = HTMLFormElement.prototype;
  HTMLFormElement.prototype.submit = function submitHome() {
    leadHome(this);
    submit.call(this);
  };
}
