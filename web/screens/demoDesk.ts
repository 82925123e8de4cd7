// Screens of the demo desk, each with demos sent for it and deleted afterwards.
import { expect, type Page } from "@playwright/test";
import { sendDemo } from "../e2e/admin/sentDemos.ts";
import { makeWave, makeZip } from "../e2e/audio.ts";
import type { Label } from "./label.ts";
import type { Screen } from "./screen.ts";

const ARTIST = "Ferrous";

/** Beats per minute. */
const TEMPO = 132;
const RATE = 8_000;

/** A WAV file with a beat that starts, breaks down and returns, so that its waveform has a shape. */
function makeTrack(seconds: number, loudest = 0.92): Buffer {
  const wave = makeWave(seconds);
  const count = seconds * RATE;
  const beat = (60 / TEMPO) * RATE;
  let noise = 7;
  for (let place = 0; place < count; place += 1) {
    const way = place / count;
    const phase = (place % beat) / beat;
    const isBreak = way > 0.52 && way < 0.64;
    const rise = Math.min(1, way * 6) * Math.min(1, (1 - way) * 9);
    noise = (noise * 16_807) % 2_147_483_647;
    const hiss = (noise / 2_147_483_647 - 0.5) * (phase > 0.5 ? 0.5 : 0.2);
    const kick = isBreak ? 0 : Math.sin(place * 0.045) * Math.max(0, 1 - phase * 2.6);
    const pad = Math.sin(place * 0.02) * 0.3 * (0.4 + 0.6 * Math.abs(Math.sin(way * 23)));
    const value = Math.max(-1, Math.min(1, (kick + pad + hiss) * rise * loudest));
    wave.writeInt16LE(Math.round(value * 32_767), 44 + place * 2);
  }
  return wave;
}

/** Sends the demo shown, as the oldest of those waiting. */
async function send({ site }: Label, sent: Partial<Parameters<typeof sendDemo>[1]>): Promise<void> {
  await sendDemo(site, {
    artist: ARTIST,
    email: "ferrous@listeners.example",
    message:
      "Cut in one night on two machines.\nThe second half is the one we mean; the rest is the way there.",
    name: "held-tone.wav",
    file: makeTrack(192),
    ...sent,
  });
}

async function openDesk(page: Page, { desk }: Label): Promise<string> {
  const answer = await desk.get(`/api/admin/desk/demos?q=${ARTIST}`);
  const { items } = await answer.json();
  const id = String(items[0]?.id);
  await expect
    .poll(async () => (await (await desk.get(`/api/admin/desk/demos/${id}`)).json()).sound.state)
    .toBe("done");
  await page.goto(`/admin/demos?demo=${id}`);
  await expect(page.getByRole("heading", { level: 2, name: ARTIST })).toBeVisible();
  await expect(page.getByText(/LUFS/)).toBeVisible();
  return id;
}

/** Purges what was sent for a screenshot. */
async function clearAway({ desk }: Label): Promise<void> {
  const { items } = await (await desk.get(`/api/admin/desk/demos?q=${ARTIST}`)).json();
  for (const { id } of items) await desk.delete(`/api/admin/demos/${id}`);
}

export const DEMO_DESK: readonly Screen[] = [
  {
    name: "admin-desk",
    title: "the demo desk",
    open: async (page: Page, label: Label) => {
      await send(label, {});
      const id = await openDesk(page, label);
      const path = `/api/admin/desk/demos/${id}`;
      await label.desk.put(`${path}/score`, { data: { score: 4 } });
      await label.desk.put(`${path}/tags`, { data: { tags: ["dub", "long"] } });
      const text = "From the break on. Ask for the version without the voice.";
      await label.desk.post(`${path}/notes`, { data: { text } });
      await page.reload();
      await expect(page.getByText(/LUFS/)).toBeVisible();
      await expect(page.getByText(text)).toBeVisible();
      await expect(page.getByRole("slider")).toBeEnabled();
      await page.keyboard.press("6");
    },
  },
  {
    name: "admin-desk-archive",
    title: "the demo desk with the tracks of an archive",
    open: async (page: Page, label: Label) => {
      const file = makeZip({
        "Side A/01 Needle Down.wav": makeTrack(61),
        "Side A/02 Side Length.wav": makeTrack(94, 3),
        "Side B/03 Locked (No Exit).wav": makeTrack(128, 0.5),
      });
      await send(label, { name: "lead-out.zip", file });
      await openDesk(page, label);
      await expect(page.getByRole("region", { name: "Tracks" })).toBeVisible();
      await page.keyboard.press("t");
      await page.keyboard.press("Space");
      await expect(page.getByText("Track 2 of 3")).toBeVisible();
      await expect(page.getByRole("slider")).toBeEnabled();
      await page.keyboard.press("0");
    },
  },
  {
    name: "admin-desk-letter",
    title: "the demo desk with a letter to be sent",
    open: async (page: Page, label: Label) => {
      await send(label, {});
      await openDesk(page, label);
      await page.keyboard.press("d");
      const letter = page.getByRole("form", { name: "Answer" });
      await expect(letter.getByRole("textbox", { name: "Text" })).toHaveValue(/held-tone/);
      await expect(page.getByText(`Declined, ${ARTIST}`)).toBeVisible();
    },
  },
  {
    name: "admin-desk-letters",
    title: "the words that letters of the demo desk begin with",
    isDialog: true,
    open: async (page: Page, label: Label) => {
      await send(label, {});
      await openDesk(page, label);
      await page.getByRole("button", { name: "Letters" }).click();
      const last = page.getByRole("form", { name: "Accepted" });
      await expect(last.getByRole("textbox", { name: "Subject" })).not.toHaveValue("");
    },
  },
  {
    name: "admin-desk-keys",
    title: "the keys of the demo desk",
    isDialog: true,
    open: async (page: Page, label: Label) => {
      await send(label, {});
      await openDesk(page, label);
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    },
  },
].map((screen) => ({ ...screen, group: "Dashboard", as: "admin", leave: clearAway }));
