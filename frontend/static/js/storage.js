// Small preferences of this device. A browser may shut its storage: then they last for one page.

const memory = new Map();

export function remember(name, value) {
  memory.set(name, value);
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch (error) {
    console.info("Giza: preference not stored.", error.name);
  }
}

export function forget(isOld) {
  try {
    const names = Object.keys(localStorage);
    names.filter((name) => isOld(name, localStorage.getItem(name))).forEach((name) => remember(name, null));
  } catch (error) {
    console.info("Giza: preference not deleted.", error.name);
  }
}

export function recall(name) {
  if (memory.has(name)) return memory.get(name);
  try {
    return localStorage.getItem(name);
  } catch (error) {
    console.info("Giza: preference not read.", error.name);
    return null;
  }
}
