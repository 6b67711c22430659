// Texts in the reader's language. Messages of other languages than English come from Django's
// catalogue, which _head.html loads before the modules. Values are named: languages order them
// differently, and a message is always written out, so that `makemessages -d djangojs` finds it.

const { django } = globalThis;

export const language = document.documentElement.lang || "en-gb";

export function gettext(message) {
  return django?.gettext(message) ?? message;
}

export function ngettext(one, many, count) {
  return django?.ngettext(one, many, count) ?? (count === 1 ? one : many);
}

// "%(count)s units" with its values.
export function interpolate(message, values) {
  return message.replace(/%\((\w+)\)s/g, (mark, name) => String(values[name] ?? mark));
}

export function inDigits(count) {
  return count.toLocaleString(language);
}
