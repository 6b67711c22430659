// Time spent on writing a unit: while its field has the focus, pauses left out.

const LONGEST_PAUSE = 30_000;

export class Clock {
  #spent = 0;
  #last = null;

  // Something happened in the field.
  beat(now = performance.now()) {
    if (this.#last !== null && now - this.#last <= LONGEST_PAUSE) this.#spent += now - this.#last;
    this.#last = now;
  }

  stop(now = performance.now()) {
    this.beat(now);
    this.#last = null;
  }

  // The seconds since they were last asked for.
  take() {
    if (this.#last !== null) this.beat();
    const seconds = Math.round(this.#spent / 100) / 10;
    this.#spent = 0;
    return seconds;
  }
}
