// Helpers for the demo dialog: senders, files to send, connections of a stated speed, and the results.
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page, Request } from "@playwright/test";
import { makeMp3, writeWave } from "./audio.ts";
import type { Site } from "./site.ts";
import { expect, test } from "./test.ts";

export const MB = 1_048_576;
export const LARGEST = 70 * MB;
/** Messages of Chromium while it is offline, and of the app about the reads that fail then. */
export const OFFLINE =
  /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_NETWORK_IO_SUSPENDED|Reading .* failed: Failed to fetch/;

let folder = "";

/** Keeps the files to choose in a temporary folder until the test file ends. Call it once in each test file. */
export function keepDemoFolder(): void {
  test.beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "deadwax-demos-"));
  });
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** A file that may be chosen, by its name. */
export const inFolder = (name: string) => join(folder, name);

export interface Sender {
  artist: string;
  email: string;
}

/** Makes up the sender of a demo. Their address may never be in the server's log. */
export function makeUp(site: Site): Sender {
  const mark = randomBytes(4).toString("hex");
  const sender = { artist: `Zoë ${mark}`, email: `zoe-${mark}@example.org` };
  site.keepSecret(sender.email);
  return sender;
}

export class DemoDialog {
  readonly page: Page;
  readonly frame: Locator;
  readonly submit: Locator;
  readonly progress: Locator;

  constructor(page: Page) {
    this.page = page;
    this.frame = page.getByRole("dialog", { name: "SUBMIT A DEMO" });
    this.submit = this.frame.getByRole("button", { name: "SUBMIT DEMO" });
    // Also under a question.
    this.progress = page.getByRole("progressbar", { name: /^Upload of /, includeHidden: true });
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
export function toast(page: Page, title: string): Locator {
  return page.locator("h2", { hasText: title });
}

export function aMixtape(name = "mix.mp3"): string {
  const path = join(folder, name);
  writeFileSync(path, makeMp3(40));
  return path;
}

export function aWave(bytes: number): string {
  const path = join(folder, `${bytes}.wav`);
  writeWave(path, bytes);
  return path;
}

/** Puts the page on a line that sends so many bytes in a second; answers the switch that cuts it. */
export async function throttle(page: Page, bytesPerSecond: number) {
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
export const LINE = 2_500_000;

export function listen(page: Page): Request[] {
  const heard: Request[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/api/demos")) heard.push(request);
  });
  return heard;
}

export const methods = (heard: Request[]) => heard.map((request) => request.method());

export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

/** The stored file of an artist's only demo. */
export function storedDemo(site: Site, { artist }: Sender): string {
  const demos = join(site.mediaFolder, "demos");
  const part = artist.replaceAll(" ", "_");
  const [name, ...others] = readdirSync(demos).filter((found) => found.includes(part));
  expect(others).toEqual([]);
  return join(demos, name ?? "");
}
