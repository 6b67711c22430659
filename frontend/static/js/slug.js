// The address of a new project follows its name until somebody types one of their own.

const name = document.querySelector("[data-slug-from]");
const slug = document.querySelector("[data-slug]");

export function slugOf(text) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
}

if (name && slug && !slug.value) {
  const follow = () => (slug.value = slugOf(name.value));
  name.addEventListener("input", follow);
  slug.addEventListener("input", () => name.removeEventListener("input", follow), { once: true });
}
