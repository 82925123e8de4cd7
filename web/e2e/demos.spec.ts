import { statSync } from "node:fs";
import {
  aMixtape,
  aWave,
  DemoDialog,
  inFolder,
  keepDemoFolder,
  LARGEST,
  LINE,
  listen,
  MB,
  makeUp,
  methods,
  OFFLINE,
  sha256,
  storedDemo,
  throttle,
  toast,
} from "./demoDialog.ts";
import { letters, mailViewer } from "./mails.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, expectUncovered, test } from "./test.ts";

keepDemoFolder();

test("a demo reaches the label, which gets a mail", async ({ page, site }) => {
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
  await expect(page.getByRole("button", { name: "Copy Link" })).toBeVisible();
  await expect(page.locator(":focus")).toHaveText("SUBMIT A DEMO");
  await expectAccessible(page);
  // The uploader has the link to the demo's page even if no letter arrives.
  await page.getByRole("link", { name: /\/demos\/[\w-]{43}$/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "YOUR DEMO" })).toBeVisible();
  await expect(page.getByText(sender.artist).first()).toBeVisible();

  const mine = () => letters(site).filter(({ text }) => text.includes(sender.email));
  await expect.poll(() => mine().length).toBe(1);
  expect(mine()[0]?.subject).toContain("new demo");
  expect(mine()[0]?.text).toContain(sender.artist);
  expect(mine()[0]?.text).toContain("Für euch.");
  // The viewer answers requests from this machine, not those that a proxy forwards.
  await page.context().setExtraHTTPHeaders({});
  await page.goto(mailViewer(site));
  await expect(page.getByText(/new demo/).first()).toBeVisible();
  expect(await sha256(storedDemo(site, sender))).toBe(await sha256(inFolder("mix.mp3")));

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
    const line = await throttle(page, 3 * LINE);
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
  const path = aWave(15 * MB);
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
  expect(Number(heard[1]?.headers()["upload-offset"])).toBeGreaterThan(6 * MB);
  expect(await sha256(storedDemo(site, sender))).toBe(await sha256(path));
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
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
  const goOn = page.getByRole("button", { name: "CONTINUE UPLOAD" });
  await expect(goOn).toBeFocused();
  await expectAccessible(page);
  await goOn.click();
  await page.goBack();
  await expect(goOn).toBeFocused();
  await expect(page).toHaveURL(/\?dialog=demo$/);
  const sent = Number(await dialog.progress.getAttribute("value"));
  await dialog.expectSent(sent + 3);
  const question = page.getByRole("alertdialog", { name: "Cancel the upload?" });
  await question.getByRole("button", { name: "CANCEL UPLOAD" }).click();
  await expect(dialog.submit).toBeFocused();
  await expect.poll(() => methods(heard).at(-1)).toBe("DELETE");
  const ended = await heard.at(-1)?.response();
  expect(ended?.status()).toBe(204);
  // By its key too, and the press is no other one's: nothing begins anew.
  await dialog.submit.press("Enter");
  await dialog.expectSent(2);
  await dialog.frame.getByRole("button", { name: "CANCEL UPLOAD" }).click();
  await expect(dialog.submit).toBeFocused();
  await expect.poll(() => methods(heard).at(-1)).toBe("DELETE");
  await page.waitForTimeout(500);
  expect(methods(heard).at(-1)).toBe("DELETE");
  await expect(dialog.submit).toBeVisible();
  await dialog.frame.getByRole("button", { name: "CLOSE" }).click();
  await expect(dialog.frame).toBeHidden();
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
