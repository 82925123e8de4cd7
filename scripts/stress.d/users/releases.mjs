// Releases added by an admin while visitors read them. A release contains its number three times, so that wrong responses show.
import { createHash, randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { png } from "../../png.mjs";
import { addressOf, pause } from "../client.mjs";

/** A change is announced within two seconds and read a moment later, even by an instance whose database has just come back. */
const LAG_MS = 5000;
const PAGE = 100;

const dayOf = (number) => new Date(Date.UTC(2000, 0, 1 + number)).toISOString().slice(0, 10);
export const sumOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

export class Releases {
  /** Acknowledged releases: number, id and time. */
  acknowledged = [];
  #next = 1;
  #cover;

  constructor(world) {
    this.world = world;
  }

  /** Stores a picture whose bytes are compared from then on, and the first release, which makes it public. */
  async storeCover() {
    const { send, token } = this.world;
    const boundary = "a-boundary";
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="cover.png"\r\nContent-Type: image/png\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), noise(200), Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
    const stored = await send("POST", "/api/admin/images?folder=releases", { body, headers, token });
    if (stored.status !== 200) throw new Error(`storing a picture: ${stored.status} ${stored.bytes}`);
    const { url } = stored.json();
    const release = await this.#add({ cover_image_url: url });
    if (release.status !== 201) throw new Error(`adding a release: ${release.status} ${release.bytes}`);
    const picture = await send("GET", url);
    if (picture.status !== 200) throw new Error(`reading a picture: ${picture.status} ${picture.bytes}`);
    this.#cover = { url, sum: sumOf(picture.bytes) };
  }

  /** Adds the next release. */
  #add(more) {
    const { send, token } = this.world;
    const title = `Acknowledged ${this.#next}`;
    const body = { title, release_date: dayOf(this.#next), description: sumOf(title), ...more };
    this.#next += 1;
    return send("POST", "/api/admin/releases", { body, token });
  }

  /** Adds releases one after the other. */
  async write() {
    const { tally } = this.world;
    while (this.world.isRunning) {
      const number = this.#next;
      const { answer, waitMs } = await tally.ask("releases", [201], this.#add());
      if (answer) this.acknowledged.push({ number, id: answer.json().id, at: Date.now() });
      await pause(waitMs || 100);
    }
  }

  /** Edits a text repeatedly: every later read at either instance must show the acknowledged edit. */
  async edit() {
    const { send, tally, token } = this.world;
    let acknowledged = 0;
    for (let number = 0; this.world.isRunning; number += 1) {
      const read = await tally.ask("read texts", [200], send("GET", "/api/admin/content", { token }));
      const text = read.answer?.json().items.find(({ key }) => key === "privacy_policy");
      if (text && text.version < acknowledged) tally.isWrong("edits", `version ${text.version} after ${acknowledged}`);
      if (text) {
        const headers = { "if-match": `"${text.version}"` };
        const sending = send("PUT", "/api/admin/content/privacy_policy", { body: { value: `Edit ${number}` }, headers, token });
        const { answer } = await tally.ask("edits", [200], sending);
        if (answer) acknowledged = answer.json().version;
      }
      await pause(read.waitMs || 500);
    }
  }

  /** Reads lists, pages and the picture, and compares their content. */
  async read(visitor) {
    const { send, tally } = this.world;
    const from = addressOf(20, visitor);
    for (let round = 0; this.world.isRunning; round += 1) {
      const limit = round % 2 === 0 ? PAGE : 50 + Math.floor(Math.random() * 50);
      const began = Date.now();
      const [kind, path] = [
        ["read lists", `/api/releases?limit=${limit}`],
        ["read pages", "/releases"],
        ["read lists", `/api/releases?limit=${limit}`],
        ["read pictures", this.#cover.url],
        ["read the home page", "/"],
        ["read artists", "/api/artists"],
      ][round % 6];
      const { answer, waitMs } = await tally.ask(kind, [200], send("GET", path, { from }));
      if (answer) this.#judge(kind, path, answer, limit, began);
      await pause(waitMs || 40);
    }
  }

  #judge(kind, path, answer, limit, began) {
    const { tally } = this.world;
    if (kind === "read lists") {
      this.#judgeItems(kind, answer.json().items, limit, began);
    } else if (kind === "read pictures") {
      if (sumOf(answer.bytes) !== this.#cover.sum) tally.isWrong(kind, "other bytes");
    } else if (kind === "read artists") {
      if (!Array.isArray(answer.json().items)) tally.isWrong(kind, "no list");
    } else {
      const view = answer.bytes.toString().match(/<script type="application\/json" id="first-view">(.*?)<\/script>/s)?.[1];
      const first = view && JSON.parse(view).queries.find(({ url }) => url.startsWith("/api/releases"));
      if (!view || (path === "/releases" && !first)) tally.isWrong(kind, "no data in the page");
      else if (first) this.#judgeItems(kind, first.body.items, 50, began);
    }
  }

  #judgeItems(kind, items, limit, began) {
    const { tally } = this.world;
    const numbers = items.map((item) => Number(item.title.match(/^Acknowledged (\d+)$/)?.[1]));
    items.forEach((item, index) => {
      const isTrue = item.description === sumOf(item.title) && item.release_date === dayOf(numbers[index]);
      if (!isTrue) tally.isWrong(kind, `a release that was never written: ${JSON.stringify(item)}`);
      if (index > 0 && !(numbers[index - 1] > numbers[index])) tally.isWrong(kind, `${numbers[index]} after ${numbers[index - 1]}`);
    });
    const lowest = items.length < limit ? 0 : numbers.at(-1);
    const shown = new Set(numbers);
    const missing = this.acknowledged
      .slice(-2 * PAGE)
      .filter(({ number, at }) => number > lowest && at < began - LAG_MS && !shown.has(number));
    if (missing.length > 0) tally.isWrong(kind, `without ${missing.map(({ number }) => number)}, at the top ${numbers[0]}`);
  }

  /** The numbers of acknowledged releases missing and duplicated at an instance. */
  async count(send) {
    const found = new Map();
    let cursor = "";
    do {
      const answer = await send("GET", `/api/releases?limit=${PAGE}${cursor}`);
      if (answer.status !== 200) throw new Error(`counting: ${answer.status}`);
      const { items, next_cursor } = answer.json();
      for (const { title, description } of items) {
        if (description === sumOf(title)) found.set(title, (found.get(title) ?? 0) + 1);
      }
      cursor = next_cursor && `&cursor=${encodeURIComponent(next_cursor)}`;
    } while (cursor);
    const lost = this.acknowledged.filter(({ number }) => !found.has(`Acknowledged ${number}`)).length;
    const twice = [...found.values()].filter((times) => times > 1).length;
    return { lost, twice };
  }
}

/** A square PNG of noise. */
function noise(width) {
  const rows = Buffer.concat(Array.from({ length: width }, () => Buffer.concat([Buffer.alloc(1), randomBytes(3 * width)])));
  return png(width, width, deflateSync(rows));
}
