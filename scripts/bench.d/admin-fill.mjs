// Makes a large label of a small one: node admin-fill.mjs BACKUP ROWS adds made-up rows, and their files, to a backup.
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

const [, , folder, size] = process.argv;
const rows = Number(size);
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const tablePath = (table) => join(folder, "tables", `${table}.jsonl`);
const read = (table) => readFileSync(tablePath(table), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const range = (count, make) => Array.from({ length: count }, (_, number) => make(number));
const id = () => randomUUID().replaceAll("-", "");
const nth = (number) => String(number).padStart(5, "0");
/** What the program's own sort key is for letters, digits and signs without accents. */
const sortKey = (name) => name.toLowerCase().replaceAll(/[^a-z0-9 ]/g, "");

const start = Date.UTC(2020, 0, 1) * 1000;
/** Every row of its own second, in microseconds. */
const at = (number) => start + number * 1_000_000;
const dates = (number) => ({ created_at: at(number), updated_at: at(number), version: 1 });

const pictures = [...new Set(read("releases").map(({ cover_image_url }) => cover_image_url))].filter(Boolean);
const sampleArtists = read("artists");
const artistIds = range(rows, id);
const words = ["Signal", "Locked", "Parity", "Vertigo", "Relay", "Carrier", "Standing", "Inner", "Dead", "Return"];
const nouns = ["Groove", "Path", "Wave", "Ring", "Error", "Plate", "Floor", "Booth", "Air", "Protocol"];
const named = (number) => `${words[number % 10]} ${nouns[Math.floor(number / 10) % 10]} ${nth(number)}`;

/** The rows of the files that are added. */
const objects = [];

const tables = {
  artists: range(rows, (number) => ({
    ...sampleArtists[number % sampleArtists.length],
    ...dates(number),
    id: artistIds[number],
    name: named(number),
    sort_key: sortKey(named(number)),
  })),
  releases: range(rows, (number) => ({
    ...dates(number),
    id: id(),
    title: named(number),
    sort_key: sortKey(named(number)),
    catalog: `404-${nth(number)}`,
    release_date: `${2000 + (number % 27)}-${String(1 + (number % 12)).padStart(2, "0")}-15`,
    description: `Side A runs at 33, side B at 45. Cut loud, pressed once.\nCATALOG: 404-${nth(number)}`,
    cover_image_url: pictures[number % pictures.length],
    spotify_url: `https://open.spotify.com/album/${String(number).padStart(22, "0")}`,
    soundcloud_url: null,
    apple_music_url: null,
    youtube_url: null,
    bandcamp_url: null,
    artist_id: artistIds[(number * 7) % rows],
    featured: number % 20 === 0,
  })),
  newsletter_subscriptions: range(rows, (number) => {
    const { created_at, updated_at, version } = dates(number);
    const email = `${words[number % 10].toLowerCase()}.${nth(number)}@listeners.example`;
    return { created_at, updated_at, version, id: id(), email, active: number % 9 !== 0, subscribed_at: created_at };
  }),
  store_products: range(rows / 10, (number) => ({
    ...dates(number),
    id: id(),
    title: `${named(number)}, pressing`,
    sort_key: sortKey(`${named(number)}, pressing`),
    description: "Black, 180 grams.",
    price_cents: 1000 + (number % 90) * 50,
    image_url: pictures[number % pictures.length],
    stock_quantity: number % 60,
    category: ["Vinyl", "Merch", "Digital"][number % 3],
    featured: false,
    active: number % 4 !== 0,
  })),
  media_files: range(rows, (number) => {
    const filename = `${1_600_000_000_000 + number}-${id()}.png`;
    const original = `sleeve ${named(number).toLowerCase()}.png`;
    const bytes = makePng(number);
    return {
      id: id(),
      filename,
      original_name: original,
      file_path: store(`uploads/${filename}`, bytes, at(number), "image/png", 96),
      file_type: "image",
      file_size: bytes.length,
      mime_type: "image/png",
      alt_text: null,
      sort_key: sortKey(original),
      created_at: at(number),
    };
  }),
  demos: range(rows / 10, (number) => ({
    id: id(),
    file_key: store(`demos/${1_600_000_000_000 + number}-${id()}.mp3`, makeMp3(), at(number), "audio/mpeg", null),
    artist_name: named(number),
    email: `demo.${nth(number)}@listeners.example`,
    message: "Two takes of the same night.",
    original_name: "take 3.mp3",
    submitted_at: at(number),
  })),
};

for (const [table, added] of Object.entries({ ...tables, objects })) {
  const lines = [...read(table), ...added].map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(tablePath(table), lines);
  manifest.tables[table] = { rows: manifest.tables[table].rows + added.length, sha256: sha256(lines) };
}
manifest.objects += objects.length;
writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));

/** Puts a file into the backup, with its row; answers its key. */
function store(key, bytes, createdAt, contentType, pixels) {
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
}

/** Stripes, in a width of the picture's own. */
function makePng(number) {
  const side = 96;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0], 8);
  const lines = Buffer.alloc(side * (side + 1));
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      lines[y * (side + 1) + x + 1] = ((x * (1 + (number % 9)) + y * (1 + (number % 7))) % 64) * 4;
    }
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const text = chunk("tEXt", Buffer.from(`Title\0${number}`, "latin1"));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    text,
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function makeMp3() {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(range(4, () => frame));
}
