import { createHash, randomBytes } from "node:crypto";
import {
  createReadStream,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page, Request } from "@playwright/test";
import { makeMp3, makeZip, writeWave } from "./audio.ts";
import { letters, mailViewer } from "./mails.ts";
import { makePng } from "./png.ts";
import type { Site } from "./site.ts";
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectUncovered,
  REFUSED,
  test,
} from "./test.ts";

const MB = 1_048_576;
const LARGEST = 70 * MB;
/** What Chromium says while it is offline, and the app of what it read meanwhile. */
const OFFLINE =
  /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_NETWORK_IO_SUSPENDED|Reading .* failed: Failed to fetch/;

let folder = "";
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deadwax-demos-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Sender {
  artist: string;
  email: string;
}

/** Somebody with a demo. Their address may never be in the server's log. */
function makeUp(site: Site): Sender {
  const mark = randomBytes(4).toString("hex");
  const sender = { artist: `Zoë ${mark}`, email: `zoe-${mark}@example.org` };
  site.keepSecret(sender.email);
  return sender;
}

class DemoDialog {
  readonly page: Page;
  readonly frame: Locator;
  readonly submit: Locator;
  readonly progress: Locator;

  constructor(page: Page) {
    this.page = page;
    this.frame = page.getByRole("dialog", { name: "SUBMIT A DEMO" });
    this.submit = this.frame.getByRole("button", { name: "SUBMIT DEMO" });
    this.progress = this.frame.getByRole("progressbar");
  }

  async open(): Promise<void> {
    await this.page.goto("/artists");
    await this.page.getByRole("button", { name: "SUBMIT A DEMO" }).click();
    await expect(this.frame).toBeVisible();
  }

  async fill({ artist, email }: Sender): Promise<void> {
    await this.frame.getByLabel("Artist name").fill(artist);
    await this.frame.getByLabel("Email").fill(email);
  }

  async choose(path: string): Promise<void> {
    await this.frame.locator("input[type=file]").setInputFiles(path);
  }

  /** Waits until so much has been sent, in percent. */
  async expectSent(percent: number): Promise<void> {
    await expect
      .poll(async () => Number(await this.progress.getAttribute("value")), { timeout: 60_000 })
      .toBeGreaterThanOrEqual(percent);
  }

  async expectTaken(timeout = 10_000): Promise<void> {
    await expect(toast(this.page, "Demo submitted successfully!")).toBeVisible({ timeout });
    await expect(this.frame).toBeHidden();
  }
}

/** A toast by its title; what screen readers hear of it stands elsewhere. */
function toast(page: Page, title: string): Locator {
  return page.locator("h2", { hasText: title });
}

function aMixtape(name = "mix.mp3"): string {
  const path = join(folder, name);
  writeFileSync(path, makeMp3(40));
  return path;
}

function aWave(bytes: number): string {
  const path = join(folder, `${bytes}.wav`);
  writeWave(path, bytes);
  return path;
}

/** Puts the page on a line that sends so many bytes in a second; answers the switch that cuts it. */
async function throttle(page: Page, bytesPerSecond: number) {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  const set = (offline: boolean) =>
    wire.send("Network.emulateNetworkConditions", {
      offline,
      latency: 20,
      downloadThroughput: 4 * bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
  await set(false);
  return { cut: () => set(true), mend: () => set(false) };
}

/** 20 Mbit/s. */
const LINE = 2_500_000;

function listen(page: Page): Request[] {
  const heard: Request[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/api/demos")) heard.push(request);
  });
  return heard;
}

const methods = (heard: Request[]) => heard.map((request) => request.method());

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

/** The stored file of an artist's only demo. */
function storedDemo(site: Site, { artist }: Sender): string {
  const demos = join(site.mediaFolder, "demos");
  const part = artist.replaceAll(" ", "_");
  const [name, ...others] = readdirSync(demos).filter((found) => found.includes(part));
  expect(others).toEqual([]);
  return join(demos, name ?? "");
}

test("a demo reaches the label, which is told by mail", async ({ page, site }) => {
  const sender = makeUp(site);
  const dialog = new DemoDialog(page);
  await dialog.open();
  expect(new URL(page.url()).search).toBe("?dialog=demo");
  await expectAccessible(page);
  await dialog.fill(sender);
  await dialog.frame.getByLabel("Message (optional)").fill("Für euch.\nZwei Takes.");
  await dialog.choose(aMixtape());
  await expect(dialog.frame.getByText("17 KB")).toBeVisible();
  const heard = listen(page);
  await dialog.submit.dblclick();
  await dialog.expectTaken();
  expect(methods(heard)).toEqual(["POST", "PATCH"]);
  await expect(page.locator(":focus")).toHaveText("SUBMIT A DEMO");

  const mine = () => letters(site).filter(({ text }) => text.includes(sender.email));
  await expect.poll(() => mine().length).toBe(1);
  expect(mine()[0]?.subject).toContain("new demo");
  expect(mine()[0]?.text).toContain(sender.artist);
  expect(mine()[0]?.text).toContain("Für euch.");
  // The viewer answers whoever sits at the machine, not what a proxy brings.
  await page.context().setExtraHTTPHeaders({});
  await page.goto(mailViewer(site));
  await expect(page.getByText(/new demo/).first()).toBeVisible();
  expect(await sha256(storedDemo(site, sender))).toBe(await sha256(join(folder, "mix.mp3")));

  // Nothing is left for the next one.
  await dialog.open();
  await expect(dialog.frame.getByLabel("Artist name")).toHaveValue("");
});

test.describe("on a line that breaks", () => {
  test.use({ expectedMessages: OFFLINE });

  test("70 MB exactly arrive, though it is cut in the middle", async ({ page, site }) => {
    test.setTimeout(180_000);
    const sender = makeUp(site);
    const path = aWave(LARGEST);
    expect(statSync(path).size).toBe(LARGEST);
    const dialog = new DemoDialog(page);
    await dialog.open();
    await dialog.fill(sender);
    await dialog.choose(path);
    const line = await throttle(page, LINE);
    const heard = listen(page);
    await dialog.submit.click();
    await dialog.expectSent(40);
    await expect(dialog.frame.getByText(/\d\.\d MB\/s, \d+ s left/)).toBeVisible();
    await expectAccessible(page);
    await line.cut();
    await expect(
      dialog.frame.getByText("Waiting for the connection", { exact: true }),
    ).toBeVisible();
    await page.waitForTimeout(2_500);
    await expect(
      dialog.frame.getByText("Waiting for the connection", { exact: true }),
    ).toBeVisible();
    await expectAccessible(page);
    await line.mend();
    await expect(dialog.frame.getByText("Uploading", { exact: true })).toBeVisible();
    await dialog.expectSent(40);
    await dialog.expectTaken(90_000);
    expect(methods(heard).filter((method) => method === "POST")).toHaveLength(1);
    expect(await sha256(storedDemo(site, sender))).toBe(await sha256(path));
  });
});

test("after a reload in the middle the same file goes on where it stopped", async ({
  page,
  site,
}) => {
  test.setTimeout(120_000);
  const sender = makeUp(site);
  const path = aWave(30 * MB);
  const dialog = new DemoDialog(page);
  await dialog.open();
  await dialog.fill(sender);
  await dialog.choose(path);
  await throttle(page, LINE);
  await dialog.submit.click();
  await dialog.expectSent(60);
  const warned = new Promise<string>((heard) => {
    page.once("dialog", (question) => {
      heard(question.type());
      void question.accept();
    });
  });
  await page.reload();
  expect(await warned).toBe("beforeunload");

  await expect(dialog.frame.getByLabel("Artist name")).toHaveValue(sender.artist);
  await expect(dialog.frame.getByLabel("Email")).toHaveValue(sender.email);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("@");
  await dialog.choose(path);
  const heard = listen(page);
  await dialog.submit.click();
  await dialog.expectTaken(60_000);
  expect(methods(heard).slice(0, 2)).toEqual(["HEAD", "PATCH"]);
  expect(Number(heard[1]?.headers()["upload-offset"])).toBeGreaterThan(12 * MB);
  expect(await sha256(storedDemo(site, sender))).toBe(await sha256(path));
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test.describe("too large", () => {
  test.use({ expectedMessages: /status of 413 / });

  test("one byte more than 70 MB is refused before anything travels", async ({ page, site }) => {
    const dialog = new DemoDialog(page);
    await dialog.open();
    await dialog.fill(makeUp(site));
    const heard = listen(page);
    await dialog.choose(aWave(LARGEST + 1));
    const text = "File size must be under 70MB. Your file is 70.1 MB.";
    await expect(dialog.frame.getByText(text)).toBeVisible();
    await expect(toast(page, "File too large")).toBeVisible();
    await dialog.submit.click();
    await expect(dialog.frame.getByRole("button", { name: /^Demo file/ })).toBeFocused();
    await expectAccessible(page);
    expect(heard).toEqual([]);

    // And by the server, in an answer that a browser can read.
    const answer = await page.evaluate(async (bytes) => {
      const text = (words: string) => btoa(words);
      const response = await fetch("/api/demos", {
        method: "POST",
        headers: {
          "Tus-Resumable": "1.0.0",
          "Upload-Length": String(bytes),
          "Upload-Metadata": `artist_name ${text("a")},email ${text("a@example.org")},filename ${text("a.wav")}`,
        },
      });
      return { status: response.status, ...(await response.json()) };
    }, LARGEST + 1);
    expect(answer).toMatchObject({ status: 413, code: "file_too_large", detail: text });
  });
});

test.describe("refused by the server alone", () => {
  test.use({
    expectedMessages: new RegExp(`${REFUSED.source}|status of 502|files cannot be looked at`),
  });

  test("a picture that calls itself music keeps words and file, and leaves nothing", async ({
    page,
    site,
  }) => {
    const sender = makeUp(site);
    const path = join(folder, "cover.mp3");
    writeFileSync(path, makePng(64, 64));
    const dialog = new DemoDialog(page);
    // Where the look at it cannot be had, it travels.
    await page.route(/audio_wasm/, (route) => route.fulfill({ status: 502 }));
    await dialog.open();
    await dialog.fill(sender);
    await dialog.choose(path);
    await dialog.submit.click();
    const text = "Please upload a .zip, .mp3, .wav, .flac or .m4a file.";
    await expect(dialog.frame.getByText(text)).toBeVisible();
    await expect(toast(page, "Invalid file type")).toBeVisible();
    await expect(dialog.frame.getByLabel("Artist name")).toHaveValue(sender.artist);
    await expect(dialog.frame.getByText("cover.mp3")).toBeVisible();
    expect(letters(site).filter(({ text }) => text.includes(sender.email))).toEqual([]);

    // The right file goes at once.
    await dialog.choose(aMixtape("right.mp3"));
    await expect(dialog.frame.getByText(text)).toBeHidden();
    await dialog.submit.click();
    await dialog.expectTaken();
  });
});

test.describe("refused by the server", () => {
  test.use({ expectedMessages: REFUSED });

  test("the fourth demo within an hour is told how long to wait", async ({ page, site }) => {
    const dialog = new DemoDialog(page);
    for (let sent = 0; sent < 3; sent += 1) {
      await dialog.open();
      await dialog.fill(makeUp(site));
      await dialog.choose(aMixtape());
      await dialog.submit.click();
      await dialog.expectTaken();
    }
    await dialog.open();
    await dialog.fill(makeUp(site));
    await dialog.choose(aMixtape());
    await dialog.submit.click();
    await expect(
      dialog.frame.getByText(/Too many requests\. Try again in \d+ minutes\./),
    ).toBeVisible();
    await expect(toast(page, "Upload failed")).toBeVisible();
    await expect(dialog.submit).toBeFocused();
  });
});

test("a chosen file says what it is, and one that is something else is refused at once", async ({
  page,
  site,
}) => {
  const sender = makeUp(site);
  const dialog = new DemoDialog(page);
  const key = dialog.frame.getByRole("button", { name: /^Demo file/ });
  await dialog.open();
  await dialog.fill(sender);
  const heard = listen(page);
  await dialog.choose(aWave(LARGEST));
  await expect(key).toContainText("WAV, 16 bit, 44.1 kHz, 6:56");
  await dialog.choose(aMixtape("🌀 mix.mp3"));
  await expect(key).toContainText("MP3, 128 kbit/s, 44.1 kHz, 0:01");

  const text = join(folder, "letter.wav");
  writeFileSync(text, "Dear label, here is my track.");
  await dialog.choose(text);
  const refusal = "Please upload a .zip, .mp3, .wav, .flac or .m4a file.";
  await expect(dialog.frame.getByText(refusal)).toBeVisible();
  await expect(toast(page, "Invalid file type")).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.frame.getByLabel("Artist name")).toHaveValue(sender.artist);
  await dialog.submit.click();
  await expect(key).toBeFocused();
  expect(heard).toEqual([]);

  const set = join(folder, "set.zip");
  writeFileSync(
    set,
    makeZip({ "set/1.mp3": makeMp3(40), "set/2.mp3": makeMp3(400), "cover.png": makePng(8, 8) }),
  );
  await dialog.choose(set);
  await expect(key).toContainText("ZIP, 2 tracks, 0:11");
  await expect(dialog.frame.getByText(refusal)).toBeHidden();
  await expectAccessible(page);
  await dialog.submit.click();
  await dialog.expectTaken();
  expect(await sha256(storedDemo(site, sender))).toBe(await sha256(set));
});

test("an upload can be cancelled, and closing the dialog asks first", async ({ page, site }) => {
  const dialog = new DemoDialog(page);
  await dialog.open();
  await dialog.fill(makeUp(site));
  await dialog.choose(aWave(30 * MB));
  await throttle(page, LINE);
  const heard = listen(page);
  await dialog.submit.click();
  await dialog.expectSent(5);
  await page.keyboard.press("Escape");
  const goOn = dialog.frame.getByRole("button", { name: "CONTINUE UPLOAD" });
  await expect(goOn).toBeFocused();
  await expectAccessible(page);
  await goOn.click();
  await page.goBack();
  await expect(goOn).toBeFocused();
  await expect(page).toHaveURL(/\?dialog=demo$/);
  const sent = Number(await dialog.progress.getAttribute("value"));
  await dialog.expectSent(sent + 3);
  await dialog.frame.getByRole("button", { name: "CANCEL UPLOAD" }).click();
  await expect(dialog.submit).toBeFocused();
  await expect.poll(() => methods(heard).at(-1)).toBe("DELETE");
  const ended = await heard.at(-1)?.response();
  expect(ended?.status()).toBe(204);
  await dialog.frame.getByRole("button", { name: "CLOSE" }).click();
  await expect(dialog.frame).toBeHidden();
});

test("a file is dropped anywhere on the window, and a folder is not taken", async ({ page }) => {
  const dialog = new DemoDialog(page);
  await dialog.open();
  async function drop(names: string[]): Promise<void> {
    const files = await page.evaluateHandle((wanted) => {
      const data = new DataTransfer();
      // Two frames, of which the first is as long as it says.
      const song = new Uint8Array(834);
      for (const at of [0, 417]) song.set([0xff, 0xfb, 0x90, 0x64], at);
      for (const name of wanted) data.items.add(new File([song], name));
      return data;
    }, names);
    await page.locator("header").first().dispatchEvent("dragover", { dataTransfer: files });
    await expect(dialog.frame.getByText("Let go to take this file")).toBeVisible();
    await page.locator("header").first().dispatchEvent("drop", { dataTransfer: files });
  }
  await drop(["a.mp3", "b.mp3"]);
  await expect(dialog.frame.getByText(/Only one file can be sent/)).toBeVisible();
  await drop(["a.mp3"]);
  await expect(dialog.frame.getByText("a.mp3")).toBeVisible();
  await expect(dialog.frame.getByText(/Only one file/)).toBeHidden();
});

test("a demo is sent from the keyboard alone", async ({ page, site }) => {
  const sender = makeUp(site);
  const dialog = new DemoDialog(page);
  await page.goto("/artists");
  const opener = page.getByRole("button", { name: "SUBMIT A DEMO" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(dialog.frame.getByLabel("Artist name")).toBeFocused();
  await page.keyboard.type(sender.artist);
  await page.keyboard.press("Tab");
  await page.keyboard.type(sender.email);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const file = dialog.frame.getByRole("button", { name: /^Demo file/ });
  await expect(file).toBeFocused();
  const picker = page.waitForEvent("filechooser");
  await page.keyboard.press("Space");
  await (await picker).setFiles(aMixtape());
  await expect(file).toContainText("mix.mp3");
  await page.keyboard.press("Tab");
  await expect(dialog.submit).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.expectTaken();
  await expect(opener).toBeFocused();
});

for (const width of [360, 768]) {
  test(`the dialog is complete at ${width} pixels`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 740 });
    const dialog = new DemoDialog(page);
    await dialog.open();
    await expectNoSidewaysScroll(page);
    await dialog.submit.click();
    await expect(toast(page, "Missing information")).toBeVisible();
    for (const key of [dialog.frame.getByRole("button", { name: "CLOSE" }), dialog.submit]) {
      await key.scrollIntoViewIfNeeded();
      await expectUncovered(key);
    }
    await dialog.fill(makeUp(site));
    await dialog.choose(aMixtape("a-name-that-has-no-end-and-no-space-to-break-it-anywhere.mp3"));
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await dialog.submit.click();
    await dialog.expectTaken();
  });
}

test("no page loads the dialog, the client or the look at files before somebody wants them", async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  const wanted = () => scripts.filter((path) => /DemoDialog|transfer|audio_wasm/.test(path));
  for (const path of ["/", "/artists"]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle").catch(() => undefined);
  }
  await page.waitForTimeout(1_000);
  expect(wanted()).toEqual([]);
  await page.getByRole("button", { name: "SUBMIT A DEMO" }).click();
  await expect.poll(wanted).toHaveLength(3);
});
