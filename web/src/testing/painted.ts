// The painting module as it is shipped, and the public pages with data for each.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";
import {
  aLabel,
  anArchivedLetter,
  anArtist,
  aRelease,
  aReleaseDetail,
  LETTER_PARTS,
} from "./catalogue.ts";

export type Paint = (address: string, firstView: string) => Promise<string>;

/** Builds the module; returns its code. */
export function buildPaint(): string {
  const folder = mkdtempSync(join(tmpdir(), "deadwax-paint-"));
  try {
    const vite = join(process.cwd(), "node_modules/vite/bin/vite.js");
    execFileSync(
      process.execPath,
      [
        vite,
        "build",
        "--config",
        "vite.paint.config.ts",
        "--logLevel",
        "error",
        "--outDir",
        folder,
      ],
      { env: { ...process.env, NODE_ENV: "production" }, stdio: "pipe" },
    );
    return readFileSync(join(folder, "paint.js"), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Globals of engines that are not part of the language, or may be missing. */
const BEYOND = ["WebAssembly", "Intl", "SharedArrayBuffer", "Atomics", "console"];

/** Runs the module with nothing but the language and a console, whose lines are recorded. */
export function engine(code: string): { paint: Paint; said: unknown[] } {
  const context = vm.createContext({});
  for (const name of BEYOND) vm.runInContext(`delete globalThis.${name}`, context);
  const said: unknown[] = [];
  const say = (...words: unknown[]) => said.push(words.join(" "));
  Object.assign(context, { console: { log: say, warn: say, error: say, info: say, debug: say } });
  const script = code.replace(/export\s*\{\s*([\w$]+) as paint\s*\};?\s*$/, "return $1;");
  return { paint: vm.runInContext(`(() => {"use strict";${script}})()`, context) as Paint, said };
}

type Read = [url: string, body: unknown];

/** A page's embedded data. */
export function firstView(...reads: Read[]): string {
  const queries = reads.map(([url, body]) => ({ url, body }));
  queries.unshift({ url: "/api/maintenance", body: { items: [] } });
  return JSON.stringify({ label_name: "Dead & Wax", event_id: 7, queries });
}

const artist = anArtist();
const release = aRelease();
const letter = anArchivedLetter();
const texts = { items: [{ key: "hero_main_title", value: "CUT LOUD" }] };

/** The public pages, each with its data and texts it shows. */
export const PAGES: Record<string, { view: string; says: string[] }> = {
  "/": { view: firstView(["/api/content", texts]), says: ["CUT LOUD", "JOIN THE TRANSMISSION"] },
  "/releases": {
    view: firstView(["/api/releases?limit=50", { items: [release], next_cursor: null }]),
    says: ["RELEASES", release.title],
  },
  "/releases?cursor=W1siMSJdXQ": {
    view: firstView([
      "/api/releases?limit=50&cursor=W1siMSJdXQ",
      { items: [release], next_cursor: "W1siMiJdXQ" },
    ]),
    says: ["BACK TO THE NEWEST", release.title, 'href="/releases?cursor=W1siMiJdXQ"'],
  },
  "/releases/404-019": {
    view: firstView(["/api/releases/404-019", aReleaseDetail()]),
    says: [release.title, "Carrier", "6:12", "Mastering", 'href="/releases/404-018"'],
  },
  "/artists": {
    view: firstView(
      ["/api/artists?limit=50", { items: [artist], next_cursor: null }],
      ["/api/content", texts],
    ),
    says: ["ARTISTS", artist.name, "JOIN THE COLLECTIVE"],
  },
  [`/artists/${artist.id}`]: {
    view: firstView(
      [`/api/artists/${artist.id}`, artist],
      [`/api/releases?artist_id=${artist.id}&limit=50`, { items: [release], next_cursor: null }],
    ),
    says: [artist.name, release.title, "BACK TO ARTISTS"],
  },
  "/newsletter/confirm/-": {
    view: firstView(["/newsletter/step", "confirm"]),
    says: ["CONFIRM YOUR ADDRESS", 'method="post"', "YES, WRITE TO ME"],
  },
  "/newsletter/leave/-": {
    view: firstView(["/newsletter/step", "left"]),
    says: ["YOU ARE OFF THE LIST.", 'name="come_back"', "COME BACK"],
  },
  "/store": { view: firstView(), says: ["COMING SOON"] },
  "/terminal": { view: firstView(), says: ["TERMINAL", "COMMAND"] },
  "/contact": { view: firstView(), says: ["CONTACT US", "SEND MESSAGE"] },
  "/privacy-policy": {
    view: firstView([
      "/api/content/privacy_policy",
      { key: "privacy_policy", value: "We keep <b>." },
    ]),
    says: ["PRIVACY POLICY", "We keep &lt;b&gt;."],
  },
  "/imprint": {
    view: firstView(
      ["/api/label", aLabel({ name: "Dead & Wax", has_imprint: true })],
      ["/api/content/imprint", { key: "imprint", value: "Run by <i>." }],
    ),
    says: ["IMPRINT", "Run by &lt;i&gt;.", 'href="/imprint"'],
  },
  "/letters": {
    view: firstView(["/api/letters", { items: [letter], next_cursor: null }]),
    says: ["LETTERS", "News &amp; more", 'href="/letters/news"', "2026.11.20"],
  },
  "/letters/news": {
    view: firstView(["/api/letters/news", { ...letter, parts: LETTER_PARTS }]),
    says: ["News &amp; more", "Out now", "<strong>bold</strong>", "ALL LETTERS"],
  },
  "/signup": { view: firstView(), says: ["SIGN UP", "Password"] },
  "/404": { view: firstView(), says: ["404", "Return to Home"] },
};
