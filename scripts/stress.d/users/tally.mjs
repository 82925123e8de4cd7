// Judges the website's responses: right, refused with a time to retry, or wrong.

const REFUSED = new Set([429, 502, 503, 504]);

/** Counts responses by request kind, and keeps those that break a promise. */
export class Tally {
  kinds = new Map();
  /** Responses that are neither right nor a refusal. */
  wrong = [];
  /** Refusals without a time to retry. */
  untimed = [];
  /** Safe requests that the proxy should have passed to the other instance. */
  unserved = [];
  /** Times in milliseconds since 1970 when a response to a safe request broke off, which no proxy can repair. */
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
   * Waits for the response to a request. Returns it if its status is one of `right`, otherwise the time to wait before the next
   * request; whether a request with a broken connection was carried out is unknown.
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
    if (!(Number.isInteger(after) && after >= 1)) this.#note(this.untimed, `${kind}: ${status} without Retry-After`);
    if (isSafe && (status === 502 || status === 504)) this.#note(this.unserved, `${kind}: ${status}`);
    // Impatient clients find more bugs than polite ones.
    return { status, waitMs: Math.min(after || 1, 2) * 1000 };
  }

  /** Records a response with the right status and wrong content. */
  isWrong(kind, what) {
    this.#note(this.wrong, `${kind}: ${what}`);
  }

  /** `releases 1200/3/0, …`: numbers of right, refused and lost ones. */
  toString() {
    return [...this.kinds].map(([kind, { right, refused, lost }]) => `${kind} ${right}/${refused}/${lost}`).join(", ");
  }
}
