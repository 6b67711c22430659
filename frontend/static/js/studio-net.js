// One call to the server, and the three ways in which it may not come to pass.

import { gettext, interpolate } from "./words.js";

// Nobody answers, or only a server that is starting or ending: try again later.
export class Unreachable extends Error {}

// The server answers, but its database or its disk is not to be had: `words` say which.
export class Unavailable extends Unreachable {
  constructor(error) {
    super(error.message);
    this.error = error;
    this.words = FAULTS[error.code] ?? gettext("The server is busy");
  }
}

const FAULTS = {
  database_unavailable: gettext("The database is busy"),
  disk_unavailable: gettext("The server's disk is full"),
};

// Nobody answered in time: the server hangs, or the line does. What was sent may have arrived.
export class TimedOut extends Unreachable {
  words = gettext("The server isn’t responding");
}

// The session is over: try again once somebody has signed in.
export class SignedOut extends Error {}

// Understood and declined; `error` says why, in the server's words.
export class Refused extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

const LATER = new Set([408, 429]);
const TIMEOUT = 20_000;

// Read anew for each call: signing in again gives a new token.
export function token() {
  const found = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
  return found ? found[1] : "";
}

async function reach(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    throw options.signal.aborted ? new TimedOut() : new Unreachable(error.message);
  }
}

async function bodyOf(response, { signal }) {
  try {
    return await response.json();
  } catch (error) {
    throw signal.aborted ? new TimedOut() : new Unreachable(`unreadable response: ${error.message}`);
  }
}

// A proxy that finds no server says 503, too, and not in JSON.
async function unavailable(response) {
  const answer = await response.json().catch(() => ({}));
  return answer.error ? new Unavailable(answer.error) : new Unreachable("status 503");
}

function isSignedOut(status, error) {
  return status === 401 || error.code === "not_authenticated" || /^CSRF/.test(error.message);
}

// The whole answer has to come in time, its last byte too.
export async function call(url, options = {}) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), TIMEOUT);
  try {
    return await exchange(url, options, control);
  } finally {
    clearTimeout(timer);
  }
}

async function exchange(url, { body, keepalive = false }, { signal }) {
  const response = await reach(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token() },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    keepalive,
    signal,
  });
  if (response.status === 503) throw await unavailable(response);
  if (response.redirected) throw new SignedOut("redirected");
  if (response.status >= 500 || LATER.has(response.status)) throw new Unreachable(`status ${response.status}`);
  const answer = await bodyOf(response, { signal });
  if (response.ok) return answer;
  const error = answer.error ?? { code: "error", message: interpolate(gettext("Status %(status)s."), { status: response.status }), hint: "" };
  if (isSignedOut(response.status, error)) throw new SignedOut(error.message);
  throw new Refused(response.status, error);
}

// Why the server declined or could not be reached, in words for the person.
export function inWords(error) {
  if (error instanceof Refused) return `${error.error.message} ${error.error.hint ?? ""}`.trim();
  if (error instanceof SignedOut) return gettext("You are signed out. Sign in again; nothing is lost.");
  if (error instanceof Unavailable) return `${error.error.message} ${error.error.hint}`;
  if (error instanceof Unreachable) return gettext("The server isn’t responding. Try again in a moment.");
  throw error;
}

export async function ask(url, body) {
  try {
    return { answer: await call(url, { body }) };
  } catch (error) {
    return { problem: inWords(error), code: error.error?.code, current: error.error?.current };
  }
}
