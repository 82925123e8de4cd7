// Loads the home page in Chromium with an empty cache and prints bytes over the wire by kind: node first-view.mjs URL (run in web/).
import { createRequire } from "node:module";

const { chromium } = createRequire(`${process.cwd()}/`)("@playwright/test");
const address = process.argv[2];
const browser = await chromium.launch({
  executablePath: process.env.DEADWAX_CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
const page = await browser.newPage({ viewport: { width: 412, height: 915 }, deviceScaleFactor: 2 });
const wire = await page.context().newCDPSession(page);
await wire.send("Network.enable");
const kinds = new Map();
const requests = new Map();
const weights = { page: 0, wasm: 0, glue: 0 };
wire.on("Network.responseReceived", ({ requestId, response, type }) => {
  requests.set(requestId, { url: response.url, type });
  // The module's budget is its file size; everything else includes its headers.
  if (response.url.endsWith(".wasm")) weights.wasm = Number(response.headers["content-length"]);
});
wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
  const request = requests.get(requestId);
  if (!request) return;
  const { pathname } = new URL(request.url);
  const part = pathname.endsWith(".wasm") ? "wasm" : /\/rules/.test(pathname) ? "glue" : "page";
  if (part !== "wasm") weights[part] += encodedDataLength;
  const kind = part === "page" ? request.type : `Rules ${part}`;
  kinds.set(kind, (kinds.get(kind) ?? 0) + encodedDataLength);
});
await page.goto(address, { waitUntil: "load" });
await page.waitForTimeout(5000); // nothing else is fetched once the page is idle
await browser.close();

const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const row = (what, measured, budget) =>
  console.log(`  ${what.padEnd(52)} ${measured.padStart(16)}   budget ${budget}`);
for (const [kind, bytes] of [...kinds].sort((a, b) => b[1] - a[1])) console.log(`  ${kind.padEnd(12)} ${kb(bytes).padStart(10)}`);
row("home page, first view, without the rules", kb(weights.page), "<= 175 KB");
row("the rules' WASM on top", kb(weights.wasm), "<= 82 KB");
row("and its glue", kb(weights.glue), "(none)");
