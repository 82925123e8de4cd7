// The sender of a demo: the letter that confirms it, the page behind its link, another file, and everything erased.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMp3, writeWave } from "./audio.ts";
import { letters, lettersTo, letterTo } from "./mails.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test.ts";

let folder = "";
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deadwax-sender-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a sender follows the letter's link, sends another file and has everything erased", async ({
  page,
  site,
  openBrowser,
}) => {
  const mark = randomBytes(4).toString("hex");
  const [artist, email] = [`Zoë ${mark}`, `zoe-${mark}@example.org`];
  site.keepSecret(email);
  const [first, second] = [join(folder, "mix.mp3"), join(folder, "master.wav")];
  writeFileSync(first, makeMp3(40));
  writeWave(second, 400_000);

  await page.goto("/artists?dialog=demo");
  const dialog = page.getByRole("dialog", { name: "SUBMIT A DEMO" });
  await dialog.getByLabel("Artist name").fill(artist);
  await dialog.getByLabel("Email").fill(email);
  await dialog.locator("input[type=file]").setInputFiles(first);
  await dialog.getByRole("button", { name: "SUBMIT DEMO" }).click();
  await expect(dialog).toBeHidden();

  const letter = await letterTo(site, email, /your demo has arrived/);
  expect(letter.text).toContain(`${artist},`);
  expect(letter.text).toContain("we have mix.mp3.");
  const link = /https?:\/\/\S+\/demos\/([\w-]{43})/.exec(letter.text);
  if (!link) throw new Error(`no link in:\n${letter.text}`);
  const [address, token] = link as unknown as [string, string];
  site.keepSecret(token);

  // On another machine, as mail is read anywhere.
  const phone = await openBrowser();
  const asked: string[] = [];
  phone.on("request", (request) => {
    const { referer } = request.headers();
    if (referer?.includes(token)) asked.push(request.url());
  });
  await phone.goto(address);
  const main = phone.getByRole("main");
  await expect(main.getByRole("heading", { name: "RECEIVED" })).toBeVisible();
  await expect(main).toContainText(artist);
  await expect(main).toContainText("mix.mp3");
  await expect(phone.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  for (const width of [1440, 360]) {
    await phone.setViewportSize({ width, height: 800 });
    await expectAccessible(phone);
    await expectNoSidewaysScroll(phone);
  }

  await main.locator("input[type=file]").setInputFiles(second);
  await expect(main.getByText("The new file is here.")).toBeVisible();
  await expect(main).toContainText("master.wav");
  const demos = join(site.mediaFolder, "demos");
  const stored = () => readdirSync(demos).filter((name) => name.includes(mark));
  await expect.poll(stored).toHaveLength(1);
  expect(readFileSync(join(demos, stored()[0] ?? "")).equals(readFileSync(second))).toBe(true);
  expect(lettersTo(site, email)).toHaveLength(1);

  await main.getByRole("button", { name: "WITHDRAW AND ERASE" }).click();
  await expect(phone.getByRole("button", { name: "KEEP IT" })).toBeFocused();
  await expectAccessible(phone);
  await phone.getByRole("button", { name: "ERASE EVERYTHING" }).click();
  await expect(main.getByRole("heading", { name: "ERASED" })).toBeVisible();
  await expect.poll(stored).toEqual([]);
  expect(letters(site).filter(({ text, to }) => text.includes(email) || to === email)).toEqual([]);
  expect(asked).toEqual([]);
});

test.describe("a link that leads nowhere", () => {
  test.use({ expectedMessages: /404/ });

  test("is a page that is not there", async ({ page }) => {
    const answer = await page.goto(`/demos/${"A".repeat(43)}`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
  });
});
