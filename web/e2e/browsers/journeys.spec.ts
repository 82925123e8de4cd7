// Ten journeys that are the same in Firefox and WebKit: what a capability needs of a browser, once each.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "@playwright/test";
import { makeAdmin, makeUp, type Person, register } from "../accounts/person.ts";
import { sendDemo } from "../admin/sentDemos.ts";
import { makeWave, writeWave } from "../audio.ts";
import { Authenticator } from "../authenticator.ts";
import { sha256, storedDemo } from "../demoDialog.ts";
import { makePng } from "../png.ts";
import { button, dialog, field, heading, link, type Tab, words } from "./tab.ts";
import { expect, test } from "./test.ts";

const MB = 1_048_576;
/** What Firefox reports about a line that was cut on purpose; it gives no text of a logged error. */
const CUT = /JSHandle@error|NetworkError|download failed|Reading .* failed/;

let folder = "";
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deadwax-browsers-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Signs in by the API, from a page of the label. */
async function signIn(tab: Tab, { email, password }: Person): Promise<void> {
  const status = await tab.run(
    async (identifier, password) => {
      const answer = await fetch("/api/auth/sign-in", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ identifier, password }),
      });
      return answer.status;
    },
    email,
    password,
  );
  expect(status).toBe(200);
}

const read = (tab: Tab, path: string) => tab.run(async (path) => (await fetch(path)).json(), path);

const widthOfPicture = (tab: Tab, css: string) =>
  tab.run((css) => document.querySelector<HTMLImageElement>(css)?.naturalWidth ?? 0, css);

const overflow = (tab: Tab) =>
  tab.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("home shows the label, fits a phone, and takes a subscription", async ({ tab, site }) => {
  await tab.open(site.url);
  await tab.see({ css: "h1", text: "404" });
  await expect.poll(() => widthOfPicture(tab, "main img")).toBeGreaterThan(0);
  expect(await overflow(tab)).toBeLessThanOrEqual(0);
  await tab.resize(400, 800);
  expect(await overflow(tab)).toBeLessThanOrEqual(0);
  const { email } = makeUp(site);
  await tab.fill(field("EMAIL"), email);
  await tab.click(button("SUBSCRIBE"));
  await tab.see(words("Transmission successful"));
});

test("releases are searched, and one at a time plays", async ({ tab, site }) => {
  await tab.open(`${site.url}/releases`);
  const { items } = await read(tab, "/api/releases");
  const players = items.flatMap(({ embed_url }: { embed_url: string | null }) => embed_url ?? []);
  await tab.see(button("PLAY"));
  expect(await tab.count({ css: "iframe" })).toBe(0);
  await tab.click(button("PLAY"));
  await tab.see({ css: "iframe" });
  expect(await tab.attribute("iframe", "src")).toBe(players[0]);
  await tab.click(button("PLAY"));
  await expect.poll(() => tab.attribute("iframe", "src")).toBe(players[1]);
  expect(await tab.count({ css: "iframe" })).toBe(1);
  await tab.click(button("PAUSE"));
  await tab.seeNo({ css: "iframe" });
  await tab.fill({ css: "input[type=search]" }, "dead air p");
  await tab.see(words("1 FOUND"));
  expect(await tab.count({ css: "article" })).toBe(1);
  await expect.poll(() => tab.path()).toBe("/releases?q=dead+air+p");
});

test("a release has a page, reached from the list and left by Back", async ({ tab, site }) => {
  await tab.open(`${site.url}/releases`);
  await tab.click(link("Dead Air Protocol"));
  await tab.see({ css: "h1", text: "Dead Air Protocol" });
  await expect.poll(() => tab.path()).toBe("/releases/404-046");
  await expect.poll(() => widthOfPicture(tab, "main img")).toBeGreaterThan(0);
  expect(await tab.run(() => document.title)).toContain("Dead Air Protocol");
  await tab.run(() => history.back());
  await tab.see({ css: "article" });
  await expect.poll(() => tab.path()).toBe("/releases");
});

test.describe("on a line that is cut", () => {
  test.use({ expectedMessages: CUT });

  test("a demo is uploaded to its end", async ({ tab, site, line }) => {
    const { email } = makeUp(site);
    const sender = { artist: `Zoë ${email.slice(9, 17)}`, email };
    const path = join(folder, "mix.wav");
    writeWave(path, 8 * MB);
    await tab.open(`${site.url}/artists`);
    await tab.click(button("SUBMIT A DEMO"));
    await tab.fill(field("Artist name"), sender.artist);
    await tab.fill(field("Email"), sender.email);
    await tab.upload("[role=dialog] input[type=file]", path);
    await tab.see(words("mix.wav"));
    line.cutAfter(3 * MB);
    await tab.click(button("SUBMIT DEMO"));
    await tab.see(words("Demo submitted successfully!"), 30_000);
    expect(line.cuts).toBe(1);
    expect(await sha256(storedDemo(site, sender))).toBe(await sha256(path));
  });

  test("a page that cannot be fetched says so, and comes once the server is back", async ({
    tab,
    site,
    line,
  }) => {
    await tab.open(`${site.url}/releases`);
    await tab.see({ css: "article" });
    line.cut();
    await tab.click({ css: "nav[aria-label=Main] a", name: "STORE" });
    await tab.see(words("This page could not be fetched: nothing answers"));
    await tab.see({ css: "nav[aria-label=Main]" });
    line.mend();
    await tab.click(button("Try again"));
    await tab.see(words("COMING SOON"));
  });
});

test("a member turns two-factor on, and signs in with a code", async ({ tab, site }) => {
  const person = await register(site);
  await tab.open(site.url);
  await signIn(tab, person);
  await tab.open(`${site.url}/profile`);
  await tab.click(button("Enable MFA"));
  await tab.see({ css: "section code" });
  const key = await tab.text("section code");
  site.keepSecret(key, key.replaceAll(" ", ""));
  const authenticator = new Authenticator(key);
  await tab.fill(field("6-digit code"), await authenticator.next());
  await tab.click(button("Verify and enable"));
  await tab.click(field("I have kept these codes"));
  await tab.click(button("Done"));
  await tab.click(button("Account menu"));
  await tab.click(button("LOGOUT"));

  await tab.click(button("LOGIN"));
  await tab.fill(field("Email or username"), person.username);
  await tab.fill({ css: "[role=dialog] input[type=password]" }, person.password);
  await tab.click(button("LOG IN"));
  await tab.see(heading("Two-Factor Authentication"));
  await tab.fill(field("Verification code"), await authenticator.next());
  await tab.press("Enter");
  await tab.see(button("Account menu"));
  await tab.seeNo({ css: "[role=dialog]" });
});

test("an admin gives an artist a picture, and visitors are shown it", async ({ tab, site }) => {
  const path = join(folder, "portrait.png");
  writeFileSync(path, makePng(900, 700));
  const admin = makeAdmin(site);
  await tab.open(site.url);
  await signIn(tab, admin);
  await tab.open(`${site.url}/admin?tab=artists`);
  await tab.click(button("Add Artist"));
  await tab.see(dialog("Add New Artist"));
  await tab.fill(field("Name"), "Aurum Lathe");
  await tab.upload("[role=dialog] input[type=file]", path);
  await tab.see(words("Artist image uploaded successfully"));
  await expect.poll(() => widthOfPicture(tab, "[role=dialog] img")).toBe(900);
  await tab.click(button("Save"));
  await tab.see(words("Artist created successfully"));
  await tab.open(`${site.url}/artists`);
  await tab.click(link("Aurum Lathe"));
  await tab.see({ css: "h1", text: "Aurum Lathe" });
  await expect.poll(() => widthOfPicture(tab, "main img")).toBeGreaterThan(0);
});

test("demos are heard and decided by keys at the desk", async ({ tab, site }) => {
  const artists = ["Ferrous One", "Ferrous Two"] as const;
  for (const artist of artists) await sendDemo(site, { artist, file: makeWave(2) });
  await tab.open(site.url);
  await signIn(tab, makeAdmin(site));
  const states = async () => {
    const { items } = await read(tab, "/api/admin/desk/demos?q=Ferrous");
    return Object.fromEntries(
      items.map((item: { artist_name: string; state: string }) => [item.artist_name, item.state]),
    );
  };
  await tab.open(`${site.url}/admin/demos?q=Ferrous`);
  await tab.see({ css: "h2", text: artists[0] });
  await tab.press("Space");
  // Two seconds of sound, in real time; WebKitGTK sometimes begins a quarter of a minute late.
  await expect
    .poll(states, { timeout: 45_000 })
    .toEqual({ "Ferrous One": "heard", "Ferrous Two": "new" });
  await tab.press("s");
  await tab.see(words(`Shortlisted, ${artists[0]}`));
  await tab.press("n");
  await tab.see({ css: "h2", text: artists[1] });
  await tab.press("a");
  await tab.see(words(`Accepted, ${artists[1]}`));
  await expect.poll(states).toEqual({ "Ferrous One": "shortlisted", "Ferrous Two": "accepted" });
  await tab.press("u");
  await expect.poll(async () => (await states())["Ferrous Two"]).not.toBe("accepted");
});

test("an artist that an admin adds is on an open page at once", async ({ tab, site }) => {
  const desk = await request.newContext({ baseURL: site.url });
  const { email, password } = makeAdmin(site);
  const signedIn = await desk.post("/api/auth/sign-in", { data: { identifier: email, password } });
  expect(signedIn.status()).toBe(200);
  await tab.open(`${site.url}/artists`);
  const added = await desk.post("/api/admin/artists", { data: { name: "Zenith Drift" } });
  expect(added.status()).toBe(201);
  await tab.see(link("Zenith Drift"), 5_000);
  await desk.dispose();
});

test("a visitor without a mouse reaches a playing release and a dialog", async ({ tab, site }) => {
  const focusOn = async (name: string) => {
    for (let stops = 0; stops < 60; stops += 1) {
      await tab.press("Tab");
      const focused = await tab.run(() => {
        const element = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const isMarked = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
        return { name: element.getAttribute("aria-label") ?? element.innerText, isMarked };
      });
      expect(focused, "the focus is visible").toMatchObject({ isMarked: true });
      if (focused.name.trim().toUpperCase() === name) return;
    }
    throw new Error(`no stop named ${name} within 60`);
  };
  await tab.open(site.url);
  await focusOn("RELEASES");
  await tab.press("Enter");
  await tab.see(button("PLAY"));
  await focusOn("PLAY");
  await tab.press("Enter");
  await tab.see({ css: "iframe" });
  await tab.press("Space");
  await tab.seeNo({ css: "iframe" });
  await tab.open(`${site.url}/store`);
  await focusOn("LOGIN");
  await tab.press("Enter");
  await tab.see(dialog("TERMINAL ACCESS"));
  await tab.press("Escape");
  await tab.seeNo({ css: "[role=dialog]" });
  expect(await tab.run(() => (document.activeElement as HTMLElement).innerText)).toBe("LOGIN");
});
