// An ordinary visitor during the attacks: node visitor.mjs URL READY_FILE. Requests /livez twenty times a second, and a page,
// picture or list twice a second, from one address. Ends on SIGTERM and prints, separated by tabs: the 99th percentile in
// milliseconds of the former overall and in its worst minute, the same for the latter, the number of all requests, and of those
// refused or wrong.
import { writeFileSync } from "node:fs";
import { clientOf, pause, percentile } from "./client.mjs";

const [, , url, readyFile] = process.argv;
const send = clientOf(url, { address: "127.200.0.1", sockets: 6 });
let isRunning = true;
process.on("SIGTERM", () => {
  isRunning = false;
});

const home = (await send("GET", "/")).bytes.toString();
const { items } = (await send("GET", "/api/releases")).json();
const picture = items.find(({ cover_image_url }) => cover_image_url?.startsWith("/media/")).cover_image_url;
const script = home.match(/"(\/assets\/[^" ]+\.js)[" ]/)[1];
const pages = ["/", "/releases", "/artists", "/contact", "/privacy-policy", "/api/releases", "/api/content", picture, script];
const expected = new Map();
const minutes = [];
const pageTimes = [];
let failures = 0;

async function time(path) {
  const began = performance.now();
  let problem;
  try {
    const { status, bytes } = await send("GET", path, { timeout: 10_000 });
    const length = expected.get(path) ?? bytes.length;
    expected.set(path, length);
    if (status !== 200) problem = `status ${status}`;
    else if (bytes.length !== length) problem = `${bytes.length} bytes instead of ${length}`;
  } catch (error) {
    problem = error.message;
  }
  if (problem) {
    failures += 1;
    if (failures <= 20) console.error(`${new Date().toISOString()} ${path}: ${problem}`);
  }
  return performance.now() - began;
}

const began = Date.now();
const knock = async () => {
  while (isRunning) {
    const took = await time("/livez");
    const minute = Math.floor((Date.now() - began) / 60_000);
    minutes[minute] ??= [];
    minutes[minute].push(took);
    await pause(50);
  }
};
const look = async () => {
  for (let round = 0; isRunning; round += 1) {
    pageTimes.push(await time(pages[round % pages.length]));
    await pause(500);
  }
};
writeFileSync(readyFile, "");
await Promise.all([knock(), look()]);
const all = minutes.flat();
const worst = Math.max(...minutes.filter(Boolean).map((times) => percentile(times, 0.99)));
console.log([percentile(all, 0.99).toFixed(1), worst.toFixed(1), percentile(pageTimes, 0.99).toFixed(1), all.length, pageTimes.length, failures].join("\t"));
process.exit(0);
