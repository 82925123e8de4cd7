// Fills a small label with made-up rows and their files through a backup to restore, so that the program itself checks each of
// them, on either engine.
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The id of a row in a backup's format. */
export const newId = () => randomUUID().replaceAll("-", "");
export const range = (count, make) => Array.from({ length: count }, (_, number) => make(number));
/** A number that sorts in counting order. */
export const nth = (number) => String(number).padStart(5, "0");

const start = Date.UTC(2020, 0, 1) * 1000;
/** One second per number, in microseconds. */
export const at = (number) => start + number * 1_000_000;

/** An MP3 of silent frames: MPEG 1 layer III, 128 kbit/s, 44.1 kHz. */
export function makeMp3(frames) {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(range(frames, () => frame));
}

/** Opens the backup in a folder to read it and add to it. */
export function openBackup(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const pathOf = (table) => join(folder, "tables", `${table}.jsonl`);
  const read = (table) =>
    readFileSync(pathOf(table), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  /** The rows of the added files. */
  const objects = [];
  return {
    read,
    /** Adds a file with its row; returns its key. */
    store(key, bytes, createdAt, contentType, pixels = null) {
      mkdirSync(join(folder, "objects", key.split("/")[0]), { recursive: true });
      writeFileSync(join(folder, "objects", key), bytes);
      objects.push({
        key,
        content_type: contentType,
        size_bytes: bytes.length,
        sha256: sha256(bytes),
        width: pixels,
        height: pixels,
        small_key: null,
        created_at: createdAt,
      });
      return key;
    },
    /** Adds rows by table, and the rows of the files. */
    add(tables) {
      for (const [table, added] of Object.entries({ ...tables, objects })) {
        const lines = [...read(table), ...added].map((row) => `${JSON.stringify(row)}\n`).join("");
        writeFileSync(pathOf(table), lines);
        manifest.tables[table] = { rows: manifest.tables[table].rows + added.length, sha256: sha256(lines) };
      }
      manifest.objects += objects.length;
      writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    },
  };
}
