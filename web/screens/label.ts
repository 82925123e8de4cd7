// The label shown in screenshots: the sample catalogue, and one row of everything an admin manages, without random
// names, so that two runs look the same.
import { type APIRequestContext, type Browser, expect, request } from "@playwright/test";
import { enableFactor, type Person, register } from "../e2e/accounts/person.ts";
import { makeMp3 } from "../e2e/audio.ts";
import { Site } from "../e2e/site.ts";

/** Cookies of a signed-in account, for any number of browsers. */
type Passport = Awaited<ReturnType<APIRequestContext["storageState"]>>;

export interface Label {
  site: Site;
  /** An admin who acts in the background. */
  desk: APIRequestContext;
  admin: Passport;
  member: Passport;
  /** A member with a second factor, not signed in. */
  guarded: Person;
  /** Ids of rows whose artwork depends on them, in the order of every run. */
  ids: readonly string[];
}

const PASSWORD = "run-out groove 45";
const MEMBER: Person = {
  fullName: "Dana Ruhl",
  email: "dana@label.example",
  username: "dana-ruhl",
  password: PASSWORD,
};
const GUARDED: Person = {
  fullName: "Ines Okafor",
  email: "ines@label.example",
  username: "ines-o",
  password: PASSWORD,
};
const ADMIN = "desk@label.example";

/** Starts the label and fills it. */
export async function openLabel(browser: Browser): Promise<Label> {
  const site = await Site.start({ sample: true });
  site.runWith(`${PASSWORD}\n`, "admin", "create", ADMIN, "--password-stdin");
  await register(site, MEMBER);
  await register(site, GUARDED);
  const context = await browser.newContext({ baseURL: site.url, extraHTTPHeaders: from(4) });
  const page = await context.newPage();
  await enter(page.request, GUARDED.email);
  await enableFactor(site, page);
  await page.goto("/releases");
  const sleeves: Buffer[] = [];
  for (const place of [2, 3, 4]) {
    sleeves.push(await page.getByRole("article").nth(place).locator("img").screenshot());
  }
  await context.close();

  const desk = await caller(site, 1);
  await enter(desk, ADMIN);
  await furnish(site, desk, sleeves);
  const admin = await desk.storageState();
  const visitor = await caller(site, 2);
  await enter(visitor, MEMBER.email);
  const member = await visitor.storageState();
  const ids = [...(await idsOf(desk, "/api/artists")), ...(await idsOf(desk, "/api/releases"))];
  const { profile } = await (await visitor.get("/api/auth/session")).json();
  return { site, desk, admin, member, guarded: GUARDED, ids: [...ids, profile.id] };
}

async function furnish(site: Site, desk: APIRequestContext, sleeves: Buffer[]): Promise<void> {
  const releases = await (await desk.get("/api/releases?limit=6")).json();
  const covers: string[] = releases.items.map((release: { cover_image_url: string }) =>
    String(release.cover_image_url),
  );
  const products = [
    { title: "Tote, undyed", price: 18, stock_quantity: 0, category: "Goods" },
    { title: "Slipmat, pair", price: 24.5, stock_quantity: 40, category: "Goods", active: false },
    { title: "404-012, test pressing", price: 60, stock_quantity: 3, category: "Vinyl" },
  ];
  for (const [place, product] of products.entries()) {
    await say(desk, "/api/admin/products", { ...product, image_url: covers[place] });
  }
  for (const [place, name] of ["sleeve-front", "sleeve-back", "label-side-a"].entries()) {
    const buffer = sleeves[place] ?? Buffer.alloc(0);
    const file = { name: `${name}.png`, mimeType: "image/png", buffer };
    const answer = await desk.post("/api/admin/media", { multipart: { file } });
    await expect(answer, await answer.text()).toBeOK();
  }
  for (const [place, name] of ["ada", "bela", "cleo", "dov", "edda", "finn", "gus"].entries()) {
    const reader = await caller(site, 10 + place);
    await say(reader, "/api/newsletter", { subscriber_email: `${name}@listeners.example` });
    await reader.dispose();
  }
  for (const [place, artist] of ["Kesto Vann", "Somatic Drift"].entries()) {
    const sender = await caller(site, 30 + place);
    await sendDemo(sender, artist);
    await sender.dispose();
  }
}

async function sendDemo(sender: APIRequestContext, artist: string): Promise<void> {
  const text = (words: string) => Buffer.from(words).toString("base64");
  const tune = makeMp3(40);
  const said = `artist_name ${text(artist)},email ${text("demo@listeners.example")},filename ${text("take-3.mp3")}`;
  const announced = await sender.post("/api/demos", {
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(tune.length),
      "Upload-Metadata": said,
    },
  });
  await expect(announced, await announced.text()).toBeOK();
  const sent = await sender.patch(announced.headers().location ?? "", {
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": "0",
      "Content-Type": "application/offset+octet-stream",
    },
    data: tune,
  });
  await expect(sent, await sent.text()).toBeOK();
}

async function idsOf(desk: APIRequestContext, path: string): Promise<string[]> {
  const { items } = await (await desk.get(`${path}?limit=100`)).json();
  return items.map(({ id }: { id: string }) => id);
}

/** Headers of the same client in every run. */
export function from(client: number): { "X-Forwarded-For": string } {
  return { "X-Forwarded-For": `192.0.2.${client}` };
}

function caller(site: Site, client: number): Promise<APIRequestContext> {
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  return request.newContext({ baseURL: site.url, extraHTTPHeaders: from(client), userAgent });
}

async function enter(browser: APIRequestContext, identifier: string): Promise<void> {
  await say(browser, "/api/auth/sign-in", { identifier, password: PASSWORD });
}

async function say(browser: APIRequestContext, path: string, data: object): Promise<void> {
  const answer = await browser.post(path, { data });
  await expect(answer, await answer.text()).toBeOK();
}
