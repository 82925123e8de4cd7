// Shared by all attackers: addresses, sockets, and counts of responses.
import { connect } from "node:net";

/** The loopback address of the `number`-th attacker of a kind, which the server counts as a separate client. */
export const addressOf = (kind, number) => `127.${kind}.${(number >> 8) & 255}.${(number & 255) || 1}`;

export const pick = (list) => list[Math.floor(Math.random() * list.length)];

export class World {
  #answers = new Map();
  /** Number of responses with an internal error; must stay 0. */
  broken = 0;

  constructor(url, seconds) {
    this.url = url;
    this.host = new URL(url).host;
    this.port = Number(new URL(url).port);
    this.until = Date.now() + seconds * 1000;
  }

  get isRunning() {
    return Date.now() < this.until;
  }

  /** Counts an attacker's outcome: a status, or another event. */
  count(kind, outcome) {
    const key = `${kind} ${outcome}`;
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1);
    if (outcome >= 500 && outcome !== 503) this.broken += 1;
  }

  /**
   * Opens a connection and counts the first response once it is closed, here after `holdMs` at the latest. Calls `begin` with
   * the open socket.
   */
  open(kind, address, holdMs, begin) {
    return new Promise((closed) => {
      const socket = connect({ port: this.port, host: "127.0.0.1", localAddress: address });
      let outcome = "closed unanswered";
      const timer = setTimeout(() => {
        if (outcome === "closed unanswered") outcome = "left";
        socket.destroy();
      }, holdMs);
      socket.on("error", () => {});
      socket.on("connect", () => begin(socket));
      socket.once("data", (bytes) => {
        outcome = Number(bytes.toString("latin1").match(/^HTTP\/1\.[01] (\d{3})/)?.[1]) || "no HTTP";
      });
      socket.on("data", () => {});
      socket.on("close", () => {
        clearTimeout(timer);
        this.count(kind, outcome);
        closed(outcome);
      });
    });
  }

  /** `sign-ins 401: 20, …` */
  toString() {
    return [...this.#answers].sort().map(([key, times]) => `${key}: ${times}`).join(", ");
  }
}
