// Demos sent in parts to whichever instance the proxy chooses, continuing where their acknowledged bytes end.
import { randomBytes } from "node:crypto";
import { addressOf, pause } from "../client.mjs";
import { sumOf } from "./releases.mjs";

const TRIES_MAX = 300;
const TUS = { "tus-resumable": "1.0.0" };
const BYTES = { ...TUS, "content-type": "application/offset+octet-stream" };
const between = (least, most) => least + Math.floor(Math.random() * (most - least));
const b64 = (text) => Buffer.from(text).toString("base64");

/** A WAV file of noise. */
function wav(size) {
  const head = Buffer.alloc(44);
  head.write("RIFF\xff\xff\xff\xffWAVEfmt ", "latin1");
  // 16 bytes of format: PCM, stereo, 44 100 frames of four bytes a second, 16 bits per sample.
  [[16, 16], [44_100, 24], [176_400, 28]].forEach(([value, at]) => head.writeUInt32LE(value, at));
  [[1, 20], [2, 22], [4, 32], [16, 34]].forEach(([value, at]) => head.writeUInt16LE(value, at));
  head.write("data\xff\xff\xff\xff", 36, "latin1");
  return Buffer.concat([head, randomBytes(size - 44)]);
}

export class Uploads {
  /** Artist and hash of each demo whose last bytes were acknowledged. */
  stored = [];
  /** Uploads that lost acknowledged bytes, or never ended. */
  lost = 0;
  stuck = 0;
  #next = 0;

  constructor(world) {
    this.world = world;
  }

  /** Sends demos one after the other, finishing the last one. */
  async send() {
    while (this.world.isRunning) {
      const number = this.#next++;
      // Every fifth is stored in the bucket in parts.
      const bytes = wav(number % 5 === 0 ? between(5_500_000, 9_000_000) : between(200_000, 3_000_000));
      const artist = `Sender ${number}`;
      if (await this.#upload(number, artist, bytes)) this.stored.push({ artist, sum: sumOf(bytes) });
      else this.stuck += 1;
      await pause(1500);
    }
  }

  async #upload(number, artist, bytes) {
    const { send, tally } = this.world;
    const from = addressOf(30, number);
    const named = `artist_name ${b64(artist)},email ${b64("sender@label.example")},filename ${b64("set.wav")}`;
    let location;
    let tries = 0;
    for (let attempt = 0; !location && tries < TRIES_MAX; attempt += 1, tries += 1) {
      // An announcement whose response was lost counts, so the next one uses another address.
      const headers = { ...TUS, "upload-length": bytes.length, "upload-metadata": named };
      const asked = await tally.ask("announcements", [201], send("POST", "/api/demos", { headers, from: addressOf(40 + attempt, number) }));
      location = asked.answer?.headers.location;
      await pause(asked.waitMs);
    }
    let offset = 0;
    while (offset < bytes.length && tries < TRIES_MAX) {
      const part = bytes.subarray(offset, offset + between(100_000, 1_500_000));
      const headers = { ...BYTES, "upload-offset": offset };
      const sending = send("PATCH", location, { body: part, headers, from, timeout: 60_000 });
      const sent = await tally.ask("parts", [204, 409], sending);
      if (sent.answer?.status === 204) {
        if (Number(sent.answer.headers["upload-offset"]) !== offset + part.length) tally.isWrong("parts", "another offset");
        offset += part.length;
        continue;
      }
      await pause(sent.waitMs || 500);
      tries += 1;
      const { answer, waitMs } = await tally.ask("offsets", [200], send("HEAD", location, { headers: TUS, from }));
      await pause(waitMs);
      if (!answer) continue;
      const kept = Number(answer.headers["upload-offset"]);
      if (kept < offset) this.lost += 1;
      offset = kept;
    }
    return offset === bytes.length;
  }

  /** Compares every stored demo with the sent one: the numbers missing, duplicated and different. */
  async compare(instances) {
    const rows = new Map();
    const [{ send, token }] = instances;
    let cursor = "";
    do {
      const answer = await send("GET", `/api/admin/demos?limit=100${cursor}`, { token });
      if (answer.status !== 200) throw new Error(`listing demos: ${answer.status}`);
      const { items, next_cursor } = answer.json();
      for (const { id, artist_name } of items) rows.set(artist_name, [...(rows.get(artist_name) ?? []), id]);
      cursor = next_cursor && `&cursor=${encodeURIComponent(next_cursor)}`;
    } while (cursor);
    const counts = { missing: 0, twice: 0, other: 0 };
    for (const [index, { artist, sum }] of this.stored.entries()) {
      const ids = rows.get(artist) ?? [];
      if (ids.length === 0) counts.missing += 1;
      if (ids.length > 1) counts.twice += 1;
      const instance = instances[index % instances.length];
      for (const id of ids) {
        const file = await instance.send("GET", `/api/admin/demos/${id}/file`, { token: instance.token });
        if (file.status !== 200 || sumOf(file.bytes) !== sum) counts.other += 1;
      }
    }
    return counts;
  }
}
