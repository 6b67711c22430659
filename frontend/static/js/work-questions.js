// What HTML alone can't ask of a QuestionForm: patterns, how many answers are chosen, and an answer
// of one's own. The server checks all of it again. It also runs in a document without an origin.
(() => {
  const findProblem = (field) => {
    if (!field.value.trim()) return "";
    for (const [regex, flags, words] of JSON.parse(field.dataset.patterns)) {
      let pattern;
      try {
        pattern = new RegExp(regex, flags);
      } catch {
        continue; // Patterns are the server's first; it names what it can't take.
      }
      if (!pattern.test(field.value)) return words;
    }
    return "";
  };

  const checkText = (field) => field.setCustomValidity(findProblem(field));

  const checkChoices = (group) => {
    const menu = group.querySelector("select");
    const boxes = [...group.querySelectorAll("input[type=checkbox], input[type=radio]")];
    const other = group.querySelector("[data-other]");
    const text = group.querySelector("[id$='-other']");
    if (other) text.required = other.checked;
    if (boxes[0]?.type === "radio") return;
    const answers = menu ? [menu.value, text?.value.trim()] : boxes.map((box) => box.checked);
    const chosen = answers.filter(Boolean).length;
    const [fewest, most] = [Number(group.dataset.fewest), Number(group.dataset.most)];
    const isLeftOut = chosen === 0 && !("required" in group.dataset);
    const fits = isLeftOut || (chosen >= fewest && chosen <= most);
    (menu ?? boxes[0]).setCustomValidity(fits ? "" : group.dataset.words);
  };

  const check = (form) => {
    form.querySelectorAll("[data-patterns]").forEach(checkText);
    form.querySelectorAll("[data-fewest]").forEach(checkChoices);
  };

  // Typing an answer of one's own chooses it.
  const choose = ({ target }) => {
    const other = target.closest("[data-fewest]")?.querySelector("[data-other]");
    if (other && target.id.endsWith("-other") && target.value.trim()) other.checked = true;
  };

  const begin = (form) => {
    form.addEventListener("input", choose);
    // Also what is restored, which is told to the form only.
    for (const name of ["input", "change"]) form.addEventListener(name, () => check(form));
    check(form);
  };

  const start = () => document.querySelectorAll("[data-question-form]").forEach(begin);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
