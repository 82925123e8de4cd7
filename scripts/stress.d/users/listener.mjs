// A live stream through the proxy, reopened whenever it breaks, as browsers do; records the announced releases.
import { request } from "node:http";
import { addressOf, pause } from "../client.mjs";

const WAITS_MS = [1000, 2000, 5000, 10_000];

export class Listener {
  /** Release id → time of the announcement. */
  heard = new Map();
  /** When everything was last read again after a `resync`, which reports missed changes. */
  readAgain = 0;
  opened = 0;
  #last;

  constructor(world, number) {
    Object.assign(this, { world, from: addressOf(90, number) });
  }

  async listen() {
    let failures = 0;
    while (this.world.isRunning) {
      const before = this.opened;
      await this.#stream();
      failures = this.opened > before ? 0 : failures + 1;
      await pause(WAITS_MS[Math.min(failures, WAITS_MS.length - 1)]);
    }
  }

  /** Follows one connection to its end. */
  #stream() {
    const headers = { accept: "text/event-stream", "x-forwarded-for": this.from };
    if (this.#last) headers["last-event-id"] = this.#last;
    return new Promise((ended) => {
      const asked = request(new URL("/api/events", this.world.url), { agent: false, headers }, (answer) => {
        if (answer.statusCode !== 200) {
          answer.resume();
          const refusal = { status: answer.statusCode, headers: answer.headers, bytes: Buffer.alloc(0) };
          this.world.tally.ask("streams", [200], refusal).then(ended);
          return;
        }
        this.opened += 1;
        this.world.tally.ask("streams", [200], { status: 200 });
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk) => {
          const frames = (text + chunk).split("\n\n");
          text = frames.pop();
          for (const frame of frames) this.#take(frame);
        });
        answer.on("error", () => {});
        answer.on("close", ended);
      });
      // A heartbeat arrives every 25 seconds.
      asked.setTimeout(40_000, () => asked.destroy());
      asked.on("error", ended);
      asked.end();
      this.close = () => asked.destroy();
    });
  }

  #take(frame) {
    const field = (name) => frame.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
    this.#last = field("id") ?? this.#last;
    if (field("event") === "resync") this.readAgain = Date.now();
    if (field("event") !== "change") return;
    const { table, key } = JSON.parse(field("data"));
    if (table === "releases" && !this.heard.has(key)) this.heard.set(key, Date.now());
  }

  /** The delays in milliseconds of all acknowledged releases, and the number never announced. */
  judge(acknowledged) {
    const announced = acknowledged.filter(({ id }) => this.heard.has(id));
    const unheard = acknowledged.filter(({ id, at }) => !this.heard.has(id) && at >= this.readAgain).length;
    return { delays: announced.map(({ id, at }) => Math.max(0, this.heard.get(id) - at)), unheard };
  }
}
