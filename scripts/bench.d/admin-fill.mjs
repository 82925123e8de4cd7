// Fills a small label: node admin-fill.mjs BACKUP ROWS adds made-up rows and their files to a backup.
import { deflateSync } from "node:zlib";
import { chunk, png } from "../png.mjs";
import { at, makeMp3, newId, nth, openBackup, range } from "./backup-fill.mjs";

const [, , folder, size] = process.argv;
const rows = Number(size);
const { read, store, add } = openBackup(folder);
/** The program's sort key for letters, digits and punctuation without accents. */
const sortKey = (name) => name.toLowerCase().replaceAll(/[^a-z0-9 ]/g, "");

const dates = (number) => ({ created_at: at(number), updated_at: at(number), version: 1 });

const pictures = [...new Set(read("releases").map(({ cover_image_url }) => cover_image_url))].filter(Boolean);
const sampleArtists = read("artists");
const artistIds = range(rows, newId);
const words = ["Signal", "Locked", "Parity", "Vertigo", "Relay", "Carrier", "Standing", "Inner", "Dead", "Return"];
const nouns = ["Groove", "Path", "Wave", "Ring", "Error", "Plate", "Floor", "Booth", "Air", "Protocol"];
const named = (number) => `${words[number % 10]} ${nouns[Math.floor(number / 10) % 10]} ${nth(number)}`;

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
    id: newId(),
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
    return { created_at, updated_at, version, id: newId(), email, active: number % 9 !== 0, subscribed_at: created_at };
  }),
  store_products: range(rows / 10, (number) => ({
    ...dates(number),
    id: newId(),
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
    const filename = `${1_600_000_000_000 + number}-${newId()}.png`;
    const original = `sleeve ${named(number).toLowerCase()}.png`;
    const bytes = makePng(number);
    return {
      id: newId(),
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
    id: newId(),
    file_key: store(`demos/${1_600_000_000_000 + number}-${newId()}.mp3`, makeMp3(4), at(number), "audio/mpeg"),
    artist_name: named(number),
    email: `demo.${nth(number)}@listeners.example`,
    message: "Two takes of the same night.",
    original_name: "take 3.mp3",
    submitted_at: at(number),
  })),
};

add(tables);

/** Stripes whose width depends on the number. */
function makePng(number) {
  const side = 96;
  const lines = Buffer.alloc(side * (side + 1));
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      lines[y * (side + 1) + x + 1] = ((x * (1 + (number % 9)) + y * (1 + (number % 7))) % 64) * 4;
    }
  }
  const title = chunk("tEXt", Buffer.from(`Title\0${number}`, "latin1"));
  return png(side, side, deflateSync(lines), { colour: 0, chunks: [title] });
}
