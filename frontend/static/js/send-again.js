// Sends a form again that the server could not take. A classic script: a frame may have no origin.
{
  const form = document.querySelector("form[data-send-again]");
  // A field may have the name of a form's method.
  const send = () => HTMLFormElement.prototype.requestSubmit.call(form);
  const timer = setTimeout(send, Number(form.dataset.sendAgain) * 1000);
  // One at a time: the answer to it is another page.
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    document.querySelector("[data-send-now]").disabled = true;
  });
}
