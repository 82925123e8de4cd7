import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Request } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { makeMp3, writeWave } from "../audio.ts";
import { makePng } from "../png.ts";
import type { Site } from "../site.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, REFUSED, test } from "../test.ts";
import { AT_ONCE, openDashboard } from "./dashboard.ts";

const MB = 1_048_576;

let folder = "";
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deadwax-media-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const png = (name: string, width = 64, height = 48) => ({
  name,
  mimeType: "image/png",
  buffer: makePng(width, height),
});

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** How wide a picture that has arrived is; 0 while it has not. */
const widthOf = (page: Page, name: string) =>
  page
    .getByRole("img", { name, exact: true })
    .evaluate((image) => (image as HTMLImageElement).naturalWidth);

/** Puts the page on a line that carries so many bytes in a second, or on the wire again. */
async function throttle(page: Page, bytesPerSecond = -1): Promise<void> {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  await wire.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** A second of moving picture, made by the browser itself. */
async function record(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let step = 0; step < 20; step += 1) {
      pen?.fillRect(step * 5, 0, 5, 150);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await ended;
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  });
  return Buffer.from(bytes);
}

interface Sender {
  artist: string;
  email: string;
}

/** Sends a demo through the dialog, as any visitor would. Their address may never be in the server's log. */
async function sendDemo(visitor: Page, site: Site, path: string): Promise<Sender> {
  const mark = randomBytes(4).toString("hex");
  const sender = { artist: `Zoë & ${mark}`, email: `zoe-${mark}@example.org` };
  site.keepSecret(sender.email);
  await visitor.goto(`${site.url}/artists?dialog=demo`);
  const dialog = visitor.getByRole("dialog", { name: "SUBMIT A DEMO" });
  await dialog.getByLabel("Artist name").fill(sender.artist);
  await dialog.getByLabel("Email").fill(sender.email);
  await dialog.getByLabel("Message (optional)").fill("Für euch.\nZwei Takes.");
  await dialog.locator("input[type=file]").setInputFiles(path);
  await dialog.getByRole("button", { name: "SUBMIT DEMO" }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  return sender;
}

test.describe("the background of the home page", () => {
  // Open pages switch to the resized pictures once those are made. A request for one fails while its picture is being replaced.
  test.use({ expectedMessages: /status of 404 .*\/media\/assets\// });

  test("another background is on the visitor's open home page at once, and the default comes back", async ({
    page,
    startSite,
    openBrowser,
  }) => {
    const site = await startSite({ sample: false });
    const visitor = await openBrowser();
    await visitor.goto(site.url);
    await openDashboard(page, site, "media");
    const images = region(page, "Site Images");
    const file = images.getByLabel("Hero background file");

    await file.setInputFiles({
      name: "logo.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg/>"),
    });
    await expectToast(page, "Invalid file type", "Please select an image file (JPG, PNG, etc.)");

    await file.setInputFiles(png("cellar.png", 640, 360));
    await expect.poll(() => widthOf(page, "As it would be")).toBe(640);
    await images.getByLabel("Alternative text").fill("A cellar");
    await expect(visitor.getByRole("img", { name: "A cellar" })).toHaveCount(0);
    await images.getByRole("button", { name: "Put On The Site" }).dblclick();
    await expectToast(page, "Upload successful", "Hero background uploaded successfully");
    const shown = visitor.getByRole("img", { name: "A cellar" });
    await expect(shown).toBeVisible(AT_ONCE);
    await expect.poll(() => widthOf(visitor, "A cellar")).toBeGreaterThan(0);
    await expect(images.getByText("640 × 360")).toBeVisible();
    const first = await visitor.request.get(`${site.url}/api/site-images/hero_background`);
    const firstUrl = site.url + (await first.json()).image_url;
    expect((await visitor.request.get(firstUrl)).status()).toBe(200);

    // A replacement is a new file, and the one before goes.
    await file.setInputFiles(png("roof.png", 480, 300));
    await images.getByLabel("Alternative text").fill("A roof");
    await images.getByRole("button", { name: "Put On The Site" }).click();
    await expect(images.getByText("480 × 300")).toBeVisible();
    await expect(visitor.getByRole("img", { name: "A roof" })).toBeVisible(AT_ONCE);
    await expect.poll(async () => (await visitor.request.get(firstUrl)).status()).toBe(404);

    await images.getByRole("button", { name: "Delete hero_background" }).click();
    await expect(
      images.getByText("The default background is back on the home page."),
    ).toBeVisible();
    await expect(images.getByText("1600 × 1000")).toBeVisible();
    await expect(visitor.getByRole("img", { name: "A roof" })).toHaveCount(0, AT_ONCE);
    await expect(visitor.getByRole("img", { name: /^Grooves of a record/ })).toBeVisible(AT_ONCE);
  });
});

test("files are uploaded one after the other, found by anybody under the copied address, and deleted", async ({
  page,
  context,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openDashboard(page, site, "media");
  const other = await openBrowser();
  await openDashboard(other, site, "media");
  const library = region(page, "General Media");
  await expect(library.getByText("No media files yet")).toBeVisible();
  const video = await record(page);
  // The newest toast takes the place of the one before: the first file's refusal is read before the next one is sent.
  let send = () => {};
  const isRead = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route("**/api/admin/media", async (route) => {
    if (route.request().method() === "POST") await isRead;
    await route.continue();
  });
  await library
    .getByLabel("Media files")
    .setInputFiles([
      { name: "setup.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") },
      png("flyer.png"),
      { name: "teaser.webm", mimeType: "video/webm", buffer: video },
    ]);
  await expectToast(page, "Security error");
  send();
  await expectToast(page, "File uploaded successfully");
  await expect(library.getByRole("heading", { name: "General Media (2)" })).toBeVisible();
  const uploads = library.getByRole("list", { name: "Uploads" });
  await expect(uploads.getByRole("listitem")).toHaveText([/File contains suspicious content/]);
  const flyer = library.getByRole("article", { name: "flyer.png" });
  await expect(flyer).toContainText("image/png");
  const teaser = library.getByRole("article", { name: "teaser.webm" });
  await expect
    .poll(() =>
      teaser.locator("video").evaluate((element) => (element as HTMLVideoElement).videoWidth),
    )
    .toBeGreaterThan(0);
  const seen = region(other, "General Media").getByRole("article", { name: "flyer.png" });
  await expect(seen).toBeVisible(AT_ONCE);

  await flyer.getByRole("button", { name: "Copy URL of flyer.png" }).click();
  await expectToast(page, "URL copied to clipboard");
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/media\/uploads\/\d+-[0-9a-f]{32}\.png$/);
  const anybody = await openBrowser();
  const found = await anybody.request.get(url);
  expect(found.status()).toBe(200);
  expect(found.headers()).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=3600",
  });

  await library.getByRole("searchbox", { name: "Search file names" }).fill("TEASER");
  await expect(library.getByRole("article")).toHaveCount(1);
  await library.getByRole("searchbox").fill("");
  await expect(library.getByRole("article")).toHaveCount(2);
  await flyer.getByRole("button", { name: "Delete flyer.png" }).dblclick();
  await expectToast(page, "Media file deleted");
  await expect(library.getByRole("article")).toHaveCount(1);
  await expect(seen).toHaveCount(0, AT_ONCE);
  expect((await anybody.request.get(url)).status()).toBe(404);
});

test("a large file says how far it is, is asked about before the tab is left, and can be cancelled", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "media");
  const library = region(page, "General Media");
  await throttle(page, MB);
  await library
    .getByLabel("Media files")
    .setInputFiles([{ name: "live.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(8 * MB) }]);
  const meter = library.getByRole("progressbar", { name: "Upload of live.mp4" });
  await expect(meter).toBeVisible();
  await expect
    .poll(async () => Number(await meter.getAttribute("value")), { timeout: 20_000 })
    .toBeGreaterThan(0.1);
  await expect(library.getByText(/^\d+ %$/)).toBeVisible();
  await page.getByRole("tab", { name: "Store" }).click();
  const question = page.getByRole("alertdialog", { name: "Unsaved changes" });
  await question.getByRole("button", { name: "Keep Editing" }).click();
  await library.getByRole("button", { name: "Cancel: live.mp4" }).click();
  await expect(meter).toHaveCount(0);
  await expect(library.getByRole("button", { name: "Upload Files" })).toBeFocused();
  await expect(library.getByText("No media files yet")).toBeVisible();
});

test("a visitor's demo appears, is heard by parts, downloaded as it was sent, and deleted", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "media");
  const inbox = region(page, "Demo Submissions");
  await expect(inbox.getByText("No demo submissions yet")).toBeVisible();
  const heard: Request[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/file?inline=true")) heard.push(request);
  });
  const path = join(folder, "live at home.wav");
  writeWave(path, 30 * MB);
  const visitor = await openBrowser();
  const { artist, email } = await sendDemo(visitor, site, path);
  const label = artist.replace(" & ", " ");

  const row = inbox.getByRole("row").nth(1);
  await expect(row).toContainText(label, AT_ONCE);
  for (const text of [artist, email, "Zwei Takes.", "live at home.wav", "30 MB"]) {
    await expect(row).toContainText(text);
  }
  expect(heard).toEqual([]);
  // The connection is slow enough that the end is requested before everything has loaded.
  await throttle(page, 2 * MB);
  await row.getByRole("button", { name: `Play ${label}` }).click();
  const place = row.getByRole("slider", { name: `Place in ${label}` });
  await expect(place).toHaveAttribute("aria-valuetext", /^0:0[1-9] of 2:58$/);
  const start = await heard[0]?.response();
  expect(start?.status()).toBe(206);
  await row.getByRole("button", { name: `Pause ${label}` }).click();
  // To another place, without what lies between.
  await place.fill("160");
  await expect(place).toHaveAttribute("aria-valuetext", "2:40 of 2:58");
  await expect
    .poll(async () => {
      const ranges = await Promise.all(heard.map((request) => request.headerValue("range")));
      return Math.max(...ranges.map((range) => Number(/^bytes=(\d+)-/.exec(range ?? "")?.[1])));
    })
    .toBeGreaterThan(20 * MB);

  await throttle(page);
  const download = page.waitForEvent("download");
  await row.getByRole("link", { name: `Download ${label}` }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^\d+_[0-9a-f]{8}_Zoë_[0-9a-f]+\.wav$/);
  const sha256 = (from: string) => createHash("sha256").update(readFileSync(from)).digest("hex");
  expect(sha256(await file.path())).toBe(sha256(path));

  const stored = join(site.mediaFolder, "demos", file.suggestedFilename());
  expect(existsSync(stored)).toBe(true);
  await row.getByRole("button", { name: `Delete ${label}` }).dblclick();
  await expect(inbox.getByText("No demo submissions yet")).toBeVisible();
  await expect(inbox.getByRole("heading", { level: 2 })).toBeVisible();
  expect((await page.request.get(file.url())).status()).toBe(404);
  // It can be brought back with its file. When that goes for good is tested in crates/server/tests/demos/inbox.rs.
  await page.getByRole("button", { name: "UNDO" }).click();
  await expect(row).toBeVisible();
  expect(existsSync(stored)).toBe(true);
});

test.describe("of an artist", () => {
  // Chromium reports the refusal of the file that is not a picture.
  test.use({ expectedMessages: REFUSED });

  test("a picture is uploaded in the dialog, saved, and seen by a visitor", async ({
    page,
    startSite,
    openBrowser,
  }) => {
    const site = await startSite({ sample: false });
    const visitor = await openBrowser();
    await visitor.goto(`${site.url}/artists`);
    await openDashboard(page, site, "artists");
    await page.getByRole("button", { name: "Add Artist" }).click();
    const dialog = page.getByRole("dialog", { name: "Add New Artist" });
    await dialog.getByLabel("Name").fill("Kesto Vann");
    const file = dialog.getByLabel("Image file");
    await file.setInputFiles({
      name: "portrait.png",
      mimeType: "image/png",
      buffer: Buffer.from("no picture at all"),
    });
    await expectToast(page, "Invalid file type", "Please upload a JPEG, PNG, WebP, or GIF image");
    await file.setInputFiles(png("portrait.png", 900, 700));
    await expectToast(page, "Upload successful", "Artist image uploaded successfully");
    await expect(dialog.getByLabel("Image URL")).toHaveValue(/^\/media\/artists\/artist-\d+\.png$/);
    await expect.poll(() => widthOf(page, "Image, as it stands")).toBe(900);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Artist created successfully");
    await visitor.getByRole("link", { name: "Kesto Vann" }).click(AT_ONCE);
    const portrait = visitor.getByRole("main").getByRole("img").first();
    await expect(portrait).toHaveAttribute("src", /^\/media\/artists\/artist-\d+-png-small\.jpg$/);
    await expect
      .poll(() => portrait.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    // Every upload is in the library.
    await page.getByRole("tab", { name: "Media" }).click();
    await expect(
      region(page, "General Media").getByRole("article", { name: "portrait.png" }),
    ).toBeVisible();
  });
});

test("with everything open the tab is accessible and fits a phone", async ({
  page,
  startSite,
  openBrowser,
}) => {
  await page.setViewportSize({ width: 360, height: 900 });
  const site = await startSite({ sample: false });
  const path = join(folder, "a-name-that-has-no-end-and-no-space-to-break-it.mp3");
  writeFileSync(path, makeMp3(400));
  const { artist } = await sendDemo(await openBrowser(), site, path);
  await openDashboard(page, site, "media");
  await page
    .getByLabel("Media files")
    .setInputFiles([
      { name: "setup.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") },
      png("a-name-that-has-no-end-and-no-space-to-break-it-anywhere-at-all.png"),
    ]);
  await expect(page.getByRole("heading", { name: "General Media (1)" })).toBeVisible();
  await page.getByLabel("Hero background file").setInputFiles(png("cellar.png", 1600, 900));
  await page.getByRole("button", { name: `Play ${artist.replace(" & ", " ")}` }).click();
  await expect(page.getByRole("slider")).toBeEnabled();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});
