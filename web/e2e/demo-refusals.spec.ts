// Demos that are not taken, in the browser and at the server.
import { writeFileSync } from "node:fs";
import { makeMp3, makeZip } from "./audio.ts";
import {
  aMixtape,
  aWave,
  DemoDialog,
  inFolder,
  keepDemoFolder,
  LARGEST,
  listen,
  makeUp,
  sha256,
  storedDemo,
  toast,
} from "./demoDialog.ts";
import { letters } from "./mails.ts";
import { makePng } from "./png.ts";
import { expect, expectAccessible, REFUSED, test } from "./test.ts";

keepDemoFolder();

test.describe("refused by the server alone", () => {
  test.use({
    expectedMessages: new RegExp(`${REFUSED.source}|status of 502|files cannot be inspected`),
  });

  test("a picture that calls itself music keeps words and file, and leaves nothing", async ({
    page,
    site,
  }) => {
    const sender = makeUp(site);
    const path = inFolder("cover.mp3");
    writeFileSync(path, makePng(64, 64));
    const dialog = new DemoDialog(page);
    // Where the look at it cannot be had, it travels.
    await page.route(/audio_wasm/, (route) => route.fulfill({ status: 502 }));
    await dialog.open();
    await dialog.fill(sender);
    await dialog.choose(path);
    await dialog.submit.click();
    const text =
      "This file is not what its name says. Please export it again as .zip, .mp3, .wav, .flac or .m4a.";
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

  test("the fourth demo within an hour is refused with the time to wait", async ({
    page,
    site,
  }) => {
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

  const text = inFolder("letter.wav");
  writeFileSync(text, "Dear label, here is my track.");
  await dialog.choose(text);
  const refusal =
    "This file is not what its name says. Please export it again as .zip, .mp3, .wav, .flac or .m4a.";
  await expect(dialog.frame.getByText(refusal)).toBeVisible();
  await expect(toast(page, "Invalid file type")).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.frame.getByLabel("Artist name")).toHaveValue(sender.artist);
  await dialog.submit.click();
  await expect(key).toBeFocused();
  expect(heard).toEqual([]);

  const set = inFolder("set.zip");
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
