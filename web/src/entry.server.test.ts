// @vitest-environment node
// What the program runs, built as it is shipped, in a context that knows the language alone.
import vm from "node:vm";
import { build, type Rolldown } from "vite";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { anArtist, aRelease } from "./testing/catalogue.ts";

type Paint = (address: string, firstView: string) => Promise<string>;

/** What engines bring along that is no part of the language, or may be missing from it. */
const BEYOND = ["WebAssembly", "Intl", "SharedArrayBuffer", "Atomics", "console"];

let code: string;

function engine(): { paint: Paint; said: unknown[] } {
  const context = vm.createContext({});
  for (const name of BEYOND) vm.runInContext(`delete globalThis.${name}`, context);
  const said: unknown[] = [];
  const say = (...words: unknown[]) => said.push(words.join(" "));
  Object.assign(context, { console: { log: say, warn: say, error: say, info: say, debug: say } });
  const script = code.replace(/export\s*\{\s*([\w$]+) as paint\s*\};?\s*$/, "return $1;");
  return { paint: vm.runInContext(`(() => {"use strict";${script}})()`, context) as Paint, said };
}

beforeAll(async () => {
  // Vite takes the mode of whoever runs it for granted.
  vi.stubEnv("NODE_ENV", "production");
  const built = await build({
    configFile: "vite.paint.config.ts",
    logLevel: "error",
    build: { write: false },
  });
  vi.unstubAllEnvs();
  const { output } = built as Rolldown.RolldownOutput;
  expect(output.map(({ fileName }) => fileName)).toEqual(["paint.js"]);
  code = output[0].code;
}, 120_000);

type Read = [url: string, body: unknown];

function firstView(...reads: Read[]): string {
  const queries = reads.map(([url, body]) => ({ url, body }));
  queries.unshift({ url: "/api/maintenance", body: { items: [] } });
  return JSON.stringify({ label_name: "Dead & Wax", event_id: 7, queries });
}

const artist = anArtist();
const release = aRelease();
const texts = { items: [{ key: "hero_main_title", value: "CUT LOUD" }] };

const PAGES: Record<string, { view: string; says: string[] }> = {
  "/": { view: firstView(["/api/content", texts]), says: ["CUT LOUD", "JOIN THE TRANSMISSION"] },
  "/releases": {
    view: firstView(["/api/releases?limit=50", { items: [release], next_cursor: null }]),
    says: ["RELEASES", release.title],
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
  "/signup": { view: firstView(), says: ["SIGN UP", "Password"] },
  "/404": { view: firstView(), says: ["404", "Return to Home"] },
};

describe.each(Object.entries(PAGES))("the page %s", (address, { view, says }) => {
  it("is painted whole, and says nothing to the log", async () => {
    const { paint, said } = engine();
    const html = await paint(address, view);
    for (const words of [...says, "Dead &amp; Wax", "QUICK LINKS"]) expect(html).toContain(words);
    // The policy of pages forbids them.
    expect(html).not.toMatch(/\s(?:style|on\w+)="/);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("hairline-skeleton");
    expect(said).toEqual([]);
  });
});

describe("painting", () => {
  it("shows the notice of a page in maintenance, and nothing of the page", async () => {
    const { paint } = engine();
    const setting = { page_key: "store", is_maintenance_mode: true, maintenance_message: "Soon." };
    const view = JSON.parse(firstView()) as { queries: { body: unknown }[] };
    view.queries = [{ ...view.queries[0], body: { items: [setting] } }];
    const html = await paint("/store", JSON.stringify(view));
    expect(html).toContain("MAINTENANCE");
    expect(html).toContain("Soon.");
    expect(html).not.toContain("COMING SOON");
  });

  it("gives the same for the same data, whatever was painted before and meanwhile", async () => {
    const { paint } = engine();
    const first = await Promise.all(Object.entries(PAGES).map(([at, { view }]) => paint(at, view)));
    const other = firstView(["/api/content", { items: [{ key: "hero_main_title", value: "X" }] }]);
    await paint("/", other.replace("Dead & Wax", "Another"));
    const again = await Promise.all(Object.entries(PAGES).map(([at, { view }]) => paint(at, view)));
    expect(again).toEqual(first);
    expect(again.join()).not.toContain("Another");
  });

  it("leaves out what a visitor's own address asks for", async () => {
    const { paint } = engine();
    const view = PAGES["/"]?.view ?? "";
    expect(await paint("/?dialog=login", view)).toBe(await paint("/", view));
  });

  it.each(["/admin", "/profile", "/auth/welcome"])(
    "refuses %s, which is nobody's to see",
    async (address) => {
      await expect(engine().paint(address, firstView())).rejects.toThrow();
    },
  );

  it("refuses what is no first view", async () => {
    await expect(engine().paint("/", "{")).rejects.toThrow();
  });

  it("weighs little, and has nothing of the dashboard, the dialogs or the rules in it", () => {
    expect(code.length).toBeLessThan(420_000);
    expect(code).toContain("COMING SOON");
    for (const alien of ["Admin Dashboard", "TERMINAL ACCESS", "tus-resumable"]) {
      expect(code.toLowerCase()).not.toContain(alien.toLowerCase());
    }
  });
});
