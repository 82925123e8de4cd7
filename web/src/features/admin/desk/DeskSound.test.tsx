import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { anEditableRelease } from "../../../testing/backOffice.ts";
import { aDeskDemo, anAnalysis, aTrack, keepDesk } from "../../../testing/desk.ts";
import {
  fakePlayers,
  onDesk,
  openDesk as open,
  pathOf,
  players,
  press,
  started,
} from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

beforeEach(fakePlayers);

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  submitted_at: "2026-11-02T10:00:00Z",
});
const archive = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f4",
  artist_name: "Packed",
  content_type: "application/zip",
});

describe("the sound of a demo", () => {
  it("leads to the download of what no browser plays", async () => {
    const sound = {
      state: "failed",
      failure: "unreadable",
      duration_ms: null,
      track_count: null,
    } as const;
    keepDesk({ ...archive, sound });
    await open();
    await onDesk("Packed");
    const link = await screen.findByRole("link", { name: "Download it to hear it." });
    expect(link.getAttribute("href")).toBe(pathOf(archive.id));
    expect(screen.getByText("Not measured: what is in the file cannot be read.")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Play Packed" }).disabled).toBe(
      true,
    );
  });

  it("plays the tracks of an archive one after the other, and counts it as heard at the end", async () => {
    const tracks = [0, 1, 2].map((index) => aTrack({ index }));
    const broken = { state: "failed", failure: "empty", duration_ms: null, track_count: null };
    Object.assign(tracks[1] ?? {}, { sound: broken, analysis: null });
    const kept = keepDesk({ ...archive, tracks }, second);
    const { user } = await open();
    await onDesk("Packed");
    await screen.findByRole("region", { name: "Tracks" });
    press(" ");
    const trackPath = (index: number) => `/api/admin/demos/${archive.id}/tracks/${index}/file`;
    await waitFor(() => expect(started.at(-1)).toBe(trackPath(0)));
    expect(screen.getByText("Not measured: there is no sound in it.")).toBeTruthy();
    press("t");
    expect(started.at(-1)).toBe(trackPath(2));
    press("T", { shiftKey: true });
    expect(started.at(-1)).toBe(trackPath(0));
    players.at(-1)?.dispatchEvent(new Event("ended"));
    expect(started.at(-1)).toBe(trackPath(2));
    expect(kept.sent).toEqual([]);
    expect(await screen.findByText("Track 3 of 3")).toBeTruthy();
    players.at(-1)?.dispatchEvent(new Event("ended"));
    const heard = { state: "heard", from: "new" };
    await waitFor(() => expect(kept.sent.map(({ body }) => body)).toEqual([heard]));
    await user.click(within(screen.getByRole("region", { name: "Tracks" })).getByText(/^01 /));
    expect(started.at(-1)).toBe(trackPath(0));
  });

  it("shows a track that is not unpacked, and leads to the archive", async () => {
    const tracks = [0, 1].map((index) => aTrack({ index }));
    const packed = { state: "failed", failure: "packed", duration_ms: null, track_count: null };
    Object.assign(tracks[1] ?? {}, { sound: packed, analysis: null });
    keepDesk({ ...archive, tracks });
    const { user } = await open();
    await onDesk("Packed");
    const list = await screen.findByRole("region", { name: "Tracks" });
    expect(within(list).getByText(/packed in a way that cannot be played here/)).toBeTruthy();
    await user.click(within(list).getByText(/^02 /));
    const link = await screen.findByRole("link", { name: "Download it to hear it." });
    expect(link.getAttribute("href")).toBe(pathOf(archive.id));
    expect(started).toEqual([]);
  });

  it("says what was measured that the browser does not play", async () => {
    server.use(
      http.get("*/api/admin/demos/:id/file", () => new HttpResponse("x", { status: 206 })),
    );
    const analysis = anAnalysis();
    const done = { state: "done", failure: null, duration_ms: 192_400, track_count: null } as const;
    keepDesk({ ...first, file_name: "take.m4a", sound: done, analysis });
    await open();
    await onDesk("Rhythm & Sound");
    await screen.findByText("−9.8 LUFS");
    press(" ");
    players[0]?.dispatchEvent(new Event("error"));
    expect(await screen.findByText(/cannot play Apple Lossless \(ALAC\)/)).toBeTruthy();
  });

  it("jumps to tenths of the measured length, not of the browser's guess", async () => {
    const done = { state: "done", failure: null, duration_ms: 192_400, track_count: null } as const;
    keepDesk({ ...first, sound: done, analysis: anAnalysis() });
    await open();
    await onDesk("Rhythm & Sound");
    await screen.findByText("−9.8 LUFS");
    press(" ");
    const player = players[0] as HTMLAudioElement;
    Object.defineProperty(player, "duration", { value: 400 });
    Object.defineProperty(player, "currentTime", { value: 0, writable: true });
    player.dispatchEvent(new Event("durationchange"));
    press("5", { code: "Digit5" });
    expect(player.currentTime).toBe(96.2);
  });

  it("is the new one where the sender has put another file in its place, and begins it only while it plays", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    await waitFor(() => expect(started).toHaveLength(1));
    press(" ");
    const replace = async (file_name: string, event: string) => {
      kept.demos = [{ ...first, file_name, original_name: file_name }, second];
      FakeEventSource.current.say("change", { table: "demos", op: "update", key: first.id }, event);
      await screen.findAllByText(file_name);
    };
    FakeEventSource.current.open();
    await replace("take-2.mp3", "7");
    expect(started).toHaveLength(1);
    press(" ");
    await waitFor(() => expect(started).toHaveLength(2));
    expect(players.at(-1)?.src).toContain("#take-2.mp3");
    await replace("take-3.mp3", "8");
    await waitFor(() => expect(started).toHaveLength(3));
    expect(players.at(-1)?.src).toContain("#take-3.mp3");
  });

  it("says what was measured, what waits for it, and what is wrong with it", async () => {
    const analysis = anAnalysis({ clipped_samples: 124, true_peak_dbtp: 0.4 });
    const done = { state: "done", failure: null, duration_ms: 192_400, track_count: null } as const;
    keepDesk({ ...first, sound: done, analysis }, second);
    await open();
    await onDesk("Rhythm & Sound");
    expect(await screen.findByText("CLIPPED, 124 samples")).toBeTruthy();
    expect(screen.getByText("0.4 dBTP").className).toContain("text-signal");
    expect(screen.getByText("−9.8 LUFS")).toBeTruthy();
    press("n");
    await onDesk("Zoë");
    expect(await screen.findByText("Its sound is being measured.")).toBeTruthy();
  });

  it("makes one draft of an accepted demo, and leads to its form", async () => {
    const kept = keepDesk({ ...first, state: "accepted" });
    const draft = anEditableRelease({ state: "draft", title: "Two takes" });
    server.use(http.get("*/api/admin/releases/:id", () => HttpResponse.json({ ...draft })));
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    kept.refuseNext(500);
    await user.click(await screen.findByRole("button", { name: "DRAFT A RELEASE" }));
    expect(await screen.findByText(/^Not done:/)).toBeTruthy();
    await user.dblClick(await screen.findByRole("button", { name: "DRAFT A RELEASE" }));
    const form = await screen.findByRole("dialog", { name: "Edit Release" });
    expect(within(form).getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe(
      "Two takes",
    );
    await user.click(within(form).getByRole("button", { name: "CLOSE" }));
    await user.click(await screen.findByRole("button", { name: "OPEN THE DRAFT" }));
    expect(await screen.findByRole("dialog", { name: "Edit Release" })).toBeTruthy();
    expect(kept.sent.map(({ call }) => call)).toEqual(Array(3).fill("POST release"));
  });

  it("offers no draft of what is not accepted", async () => {
    keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    expect(screen.queryByRole("button", { name: "DRAFT A RELEASE" })).toBeNull();
  });

  it("is shown in the queue, and nothing of it while it waits", async () => {
    const sound = {
      state: "done",
      failure: null,
      duration_ms: 192_400,
      track_count: null,
    } as const;
    keepDesk(
      { ...first, sound },
      { ...second, sound: { ...sound, state: "failed", failure: "empty", duration_ms: null } },
      { ...archive, sound: { ...sound, duration_ms: 1_120_000, track_count: 4 } },
      aDeskDemo({ id: "019aa000-0000-7000-8000-0000000000f5", artist_name: "Waits" }),
    );
    await open();
    await onDesk("Rhythm & Sound");
    const rows = within(screen.getByRole("list", { name: "Demos" }));
    const rowOf = (name: string) =>
      rows.getAllByRole("listitem").find((row) => row.textContent?.includes(name))?.textContent;
    expect(rowOf("Rhythm & Sound")).toContain("3:12");
    expect(rowOf("Zoë")).toContain("× Not measured");
    expect(rowOf("Packed")).toContain("4 tracks, 18:40");
    expect(rowOf("Waits")).not.toMatch(/\d:\d|measured/);
  });
});
