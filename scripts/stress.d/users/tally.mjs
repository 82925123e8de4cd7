// What the website answered, judged: an answer is right, a refusal that says when to come back, or wrong.

const REFUSED = new Set([429, 502, 503, 504]);

/** Counts answers by what was asked for, and keeps those that break a promise. */
export class Tally {
  kinds = new Map();
  /** Answers that are neither right nor a refusal. */
  wrong = [];
  /** Refusals that do not say when to come back. */
  untold = [];
  /** Safe requests that the proxy could have passed to the other instance and did not. */
  unserved = [];
  /** When an answer to a safe request broke off after it had begun, in milliseconds since 1970. No proxy can put that right. */
  brokenOff = [];

  #count(kind) {
    const known = this.kinds.get(kind) ?? { right: 0, refused: 0, lost: 0 };
    this.kinds.set(kind, known);
    return known;
  }

  #note(list, text) {
    list.push(text);
    if (list.length <= 20) console.error(`${new Date().toISOString()} ${text}`);
  }

  /**
   * Waits for the answer of a request. Returns it when its status is one of `right`; otherwise how long to wait before the next
   * one, and nobody knows whether a request whose connection broke was carried out.
   */
  async ask(kind, right, sending) {
    const count = this.#count(kind);
    const isSafe = kind.startsWith("read");
    let answer;
    try {
      answer = await sending;
    } catch (error) {
      count.lost += 1;
      if (isSafe && error.isBegun) this.brokenOff.push(Date.now());
      else if (isSafe) this.#note(this.unserved, `${kind}: ${error.message}`);
      return { waitMs: 1000 };
    }
    const { status } = answer;
    if (right.includes(status)) {
      count.right += 1;
      return { answer, waitMs: 0 };
    }
    if (!REFUSED.has(status)) {
      this.isWrong(kind, `${status} ${answer.bytes.toString().slice(0, 300)}`);
      return { status, waitMs: 1000 };
    }
    count.refused += 1;
    const after = Number(answer.headers["retry-after"]);
    if (!(Number.isInteger(after) && after >= 1)) this.#note(this.untold, `${kind}: ${status} without Retry-After`);
    if (isSafe && (status === 502 || status === 504)) this.#note(this.unserved, `${kind}: ${status}`);
    // Impatient clients find more than polite ones.
    return { status, waitMs: Math.min(after || 1, 2) * 1000 };
  }

  /** An answer of the right status says what is not true. */
  isWrong(kind, what) {
    this.#note(this.wrong, `${kind}: ${what}`);
  }

  /** `releases 1200/3/0, …`: how many were right, refused, and never answered. */
  toString() {
    return [...this.kinds].map(([kind, { right, refused, lost }]) => `${kind} ${right}/${refused}/${lost}`).join(", ");
  }
}
