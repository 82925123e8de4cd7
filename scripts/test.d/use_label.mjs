// use_label.mjs URL EMAIL PASSWORD: tries each part of a running label once that a service's restrictions could stop: pictures in
// their sizes, painted pages, uploads, measuring, ranges of files, mail. Ends with 1 and a line at the first that fails.
import { deflateSync } from "node:zlib";
import { png } from "../png.mjs";

const [url, email, password] = process.argv.slice(2);
const headers = { Origin: url };

async function call(method, path, { body, expected = [200, 201, 204], ...more } = {}) {
  const isBytes = body instanceof FormData || body instanceof Uint8Array || body === undefined;
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(isBytes ? {} : { "Content-Type": "application/json" }), ...more.headers },
    body: isBytes ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!expected.includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return answer.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : text;
}

async function until(what, seconds, ask) {
  for (const deadline = Date.now() + seconds * 1_000; Date.now() < deadline; ) {
    const found = await ask();
    if (found) return found;
    await new Promise((wake) => setTimeout(wake, 250));
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

function makePicture(width, height) {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let at = 0; at < rows.length; at++) rows[at] = at % (1 + 3 * width) === 0 ? 0 : at >> 13;
  return png(width, height, deflateSync(rows));
}

/** A second of a tone. */
function wave() {
  const rate = 44_100;
  const bytes = Buffer.alloc(44 + rate * 4);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(2, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 4, 28);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(rate * 4, 40);
  for (let at = 0; at < rate * 2; at++) bytes.writeInt16LE(Math.round(9_000 * Math.sin(at / 20)), 44 + at * 2);
  return bytes;
}

const session = await call("POST", "/api/auth/sign-in", { body: { identifier: email, password, token_in_body: true } });
headers.Authorization = `Bearer ${session.access_token}`;

const form = new FormData();
form.set("file", new Blob([makePicture(700, 700)], { type: "image/png" }), "sleeve.png");
const picture = await call("POST", "/api/admin/images?folder=releases", { body: form });
const artist = await call("POST", "/api/admin/artists", { body: { name: "Mira Holm" } });
const title = `Confined ${Date.now()}`;
await call("POST", "/api/admin/releases", { body: { title, artist_id: artist.id, cover_image_url: picture.url, release_date: "2026-01-02" } });
const release = await until("sizes of a picture", 60, async () => {
  const { items } = await call("GET", `/api/releases?q=${encodeURIComponent(title)}`);
  return items[0]?.image_sizes ? items[0] : undefined;
});
const { base, widths, fallback } = release.image_sizes;
for (const width of widths) for (const kind of ["avif", fallback]) await call("GET", `${base}-${width}.${kind}`);
await until("a painted page", 20, async () => {
  const page = await call("GET", "/releases");
  return page.includes("data-painted") && page.includes(title);
});

const sound = wave();
const encoded = (text) => Buffer.from(text).toString("base64");
const metadata = { artist_name: "Sender", email: "sender@label.example", filename: "tone.wav" };
await call("POST", "/api/demos", {
  headers: {
    "Tus-Resumable": "1.0.0",
    "Upload-Length": String(sound.length),
    "Upload-Metadata": Object.entries(metadata).map(([name, value]) => `${name} ${encoded(value)}`).join(","),
    "Content-Type": "application/offset+octet-stream",
  },
  body: sound,
});
await until("measuring a demo", 60, async () => {
  const { items } = await call("GET", "/api/admin/desk/demos");
  const states = items.map((item) => item.sound.state);
  if (states.includes("failed")) throw new Error(`measuring failed: ${JSON.stringify(items)}`);
  return states.length > 0 && states.every((state) => state === "done");
});
const { items } = await call("GET", "/api/admin/desk/demos");
const bytes = await fetch(`${url}/api/admin/demos/${items[0].id}/file`, { headers: { ...headers, Range: "bytes=0-99" } });
if (bytes.status !== 206) throw new Error(`a demo's bytes: ${bytes.status}`);

await call("POST", "/api/newsletter", { body: { subscriber_email: "fan@label.example" } });
console.log("all of it works");
