import { act, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openTab } from "../../../testing/backOffice.ts";
import { answerCall, breakCall, refuseCall } from "../../../testing/calls.ts";
import { answer, page, server } from "../../../testing/fakeApi.ts";
import { aProfile } from "../../../testing/profile.ts";
import type { BackupsView } from "./Backups.tsx";

const PATH = "/api/admin/backups";
const RUN = "/api/admin/backups/run";
const SETTINGS = "/api/admin/backups/settings";

type Run = BackupsView["runs"][number];

function aRun(changes: Partial<Run> = {}): Run {
  return {
    id: "019aa000-0000-7000-8000-0000000000f1",
    kind: "backup",
    failure: null,
    warning: null,
    began_at: "2026-11-26T03:30:00Z",
    ended_at: "2026-11-26T03:41:00Z",
    backup_at: "2026-11-26T03:30:00Z",
    written_at: "2026-11-26T03:40:00Z",
    proven_at: "2026-11-26T03:41:00Z",
    rows: 48_211,
    files: 1_204,
    total_bytes: 3_435_973_837,
    new_bytes: 1_048_576,
    files_read: 0,
    is_sealed: true,
    program: "1.3.0",
    ...changes,
  };
}

function aView(changes: Partial<BackupsView> = {}): BackupsView {
  return {
    status: "pass",
    sentences: ["Proven 26 Nov, 03:41: 48 211 rows, 1 204 files, 3.2 GB"],
    time_zone: "UTC",
    last_backup_at: "2026-11-26T03:30:00Z",
    last_proof_at: "2026-11-26T03:41:00Z",
    last_proof_of: "2026-11-26T03:30:00Z",
    files_read_at: "2026-11-22T03:41:00Z",
    next_backup_at: "2026-11-27T03:30:00Z",
    next_proof_at: "2026-11-29T03:41:00Z",
    running: null,
    is_waiting: false,
    place: { name: "/mnt/backup", is_sealed: true, is_beside_the_data: false },
    settings: { interval_hours: 24, keep_days: 7, keep_weeks: 4, keep_months: 12, version: 3 },
    runs: [aRun()],
    ...changes,
  };
}

const part = async () =>
  within(
    (await screen.findByRole("heading", { name: "Backups" })).closest("section") as HTMLElement,
  );

/** How soon a run under way is looked at again. */
const RUNNING_LOOK_MS = 3_000;
const SOON = { timeout: 2_000 };

async function lookAgain(): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(RUNNING_LOOK_MS));
}

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(() => {
  answerCall("get", "/api/profile", aProfile());
  answerCall("get", "/api/admin/security/checklist", { items: [] });
});

describe("the backups", () => {
  it("say whether they hold, with three facts apart", async () => {
    answer(PATH, aView());
    openTab("security");
    const list = await screen.findByRole("list", { name: "State of the backups" });
    expect(list.textContent).toBe("Proven 26 Nov, 03:41: 48 211 rows, 1 204 files, 3.2 GB");
    const card = await part();
    expect(card.getByText("Pass")).toBeTruthy();
    const facts = ["Last backup", "Last proof", "Next run"].map(
      (name) => card.getByText(name).nextElementSibling?.textContent,
    );
    expect(facts).toEqual(["2026.11.26 03:30", "2026.11.26 03:41", "2026.11.27 03:30"]);
    expect(card.getByText(/^In/).textContent).toBe(
      "In /mnt/backup, encrypted. Every day; the last of 7 days, 4 weeks and 12 months is kept. Times are in UTC.",
    );
    const run = within(card.getByRole("list", { name: "Runs of backups" })).getByRole("listitem");
    expect(run.textContent).toContain("Backup proven");
    expect(run.textContent).toContain("48 211 rows, 1 204 files, ");
  });

  it("have the times of the label's clock", async () => {
    answer(PATH, aView({ time_zone: "America/New_York" }));
    openTab("security");
    const card = await part();
    expect(await card.findByText(/Times are in America\/New_York\.$/)).toBeTruthy();
    expect(card.getByText("Next run").nextElementSibling?.textContent).toBe("2026.11.26 22:30");
    const run = within(card.getByRole("list", { name: "Runs of backups" })).getByRole("listitem");
    expect(run.textContent).toContain("2026.11.25 22:41");
  });

  it("are in UTC where the browser does not know the label's zone", async () => {
    answer(PATH, aView({ time_zone: "Europe/Atlantis" }));
    openTab("security");
    expect(await (await part()).findByText(/Times are in UTC\.$/)).toBeTruthy();
  });

  it("cannot be begun without a place", async () => {
    openTab("security");
    const card = await part();
    expect(await card.findByText("Nothing is backed up yet.")).toBeTruthy();
    for (const name of ["BACK UP NOW", "PROVE IT NOW"]) {
      expect(card.getByRole("button", { name })).toHaveProperty("disabled", true);
    }
    expect(card.queryByRole("list", { name: "Runs of backups" })).toBeNull();
  });

  it("begin once for two presses, and are followed until they end", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    answer(PATH, aView());
    const { user } = openTab("security");
    const card = await part();
    const running = { kind: "backup", since: "2026-11-26T12:00:07Z" };
    let heard = 0;
    server.use(
      http.post(`*${RUN}`, async () => {
        heard += 1;
        await delay(100);
        return HttpResponse.json(aView({ running, next_backup_at: null }), { status: 202 });
      }),
    );
    await user.dblClick(await card.findByRole("button", { name: "BACK UP NOW" }));
    const other = card.getByRole("button", { name: "PROVE IT NOW" });
    expect(other.getAttribute("aria-disabled")).toBe("true");
    expect(await card.findByText("A backup is under way since 2026.11.26 12:00:07.")).toBeTruthy();
    expect(heard).toBe(1);
    const button = card.getByRole("button", { name: "Backing up..." });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await user.click(button);
    expect(heard).toBe(1);
    answer(PATH, aView({ sentences: ["Proven 26 Nov, 12:01: 1 row, 1 file, 1 KB"] }));
    await lookAgain();
    expect(await card.findByText(/12:01/, {}, SOON)).toBeTruthy();
    expect(card.getByRole("button", { name: "BACK UP NOW" })).toBe(button);
  });

  it("tick the first step once there is one", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const steps = (done: boolean) =>
      answer("/api/admin/first-steps", {
        ...page([
          { step: "backup", done },
          { step: "mail", done: false },
        ]),
        texts: { unchanged: 14, total: 14, first: null },
      });
    steps(false);
    answer(PATH, aView({ last_backup_at: null, is_waiting: true }));
    openTab("security");
    expect(await screen.findByText("0 of 2 done")).toBeTruthy();
    await (await part()).findByText("A run begins in a moment.");
    steps(true);
    answer(PATH, aView());
    await lookAgain();
    expect(await screen.findByText("1 of 2 done", {}, SOON)).toBeTruthy();
  });

  it("say why one cannot begin, and why one failed", async () => {
    const failure = "BACKUP_URL: there is no folder /mnt/backup; make it, or mount its disk";
    const failed = aRun({ failure, backup_at: null, written_at: null, proven_at: null });
    answer(PATH, aView({ status: "fail", sentences: [`Failed: ${failure}`], runs: [failed] }));
    const { user } = openTab("security");
    const card = await part();
    expect(await card.findByText("Fail")).toBeTruthy();
    expect(card.getByText("Backup failed").className).toContain("text-signal");
    const detail = "Nothing can be backed up yet";
    refuseCall("post", "/api/admin/backups/proof", 409, { code: "no_backup_place", detail });
    await user.click(card.getByRole("button", { name: "PROVE IT NOW" }));
    expect((await screen.findAllByText(detail)).length).toBeGreaterThan(0);
    expect(card.getByRole("button", { name: "PROVE IT NOW" })).toBeTruthy();
  });

  it("are read again where no answer came", async () => {
    answer(PATH, aView());
    const { user } = openTab("security");
    const card = await part();
    await user.click(await card.findByRole("button", { name: "HOW OFTEN, AND HOW MANY" }));
    answer(PATH, aView({ settings: { ...aView().settings, interval_hours: 1 } }));
    breakCall("put", SETTINGS);
    await user.click(card.getByRole("button", { name: "SAVE" }));
    expect(await card.findByText(/Every hour;/, {}, SOON)).toBeTruthy();
    answer(PATH, aView({ is_waiting: true }));
    breakCall("post", RUN);
    await user.click(card.getByRole("button", { name: "BACK UP NOW" }));
    expect(await card.findByText("A run begins in a moment.", {}, SOON)).toBeTruthy();
  });

  it("show their earlier runs on demand", async () => {
    const runs = Array.from({ length: 7 }, (_, index) => aRun({ id: `run-${index}` }));
    answer(PATH, aView({ runs }));
    const { user } = openTab("security");
    const card = await part();
    const list = await card.findByRole("list", { name: "Runs of backups" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(5);
    await user.click(card.getByRole("button", { name: "Earlier runs" }));
    const items = within(list).getAllByRole("listitem");
    expect(items).toHaveLength(7);
    expect(document.activeElement).toBe(items[5]);
  });

  it("say that they are on their way", async () => {
    server.use(http.get(`*${PATH}`, () => delay("infinite")));
    openTab("security");
    expect(await screen.findByText("Loading the backups...")).toBeTruthy();
  });
});

describe("the settings of backups", () => {
  it("are saved onto the version that was read", async () => {
    answer(PATH, aView());
    const sent: unknown[] = [];
    server.use(
      http.put(`*${SETTINGS}`, async ({ request }) => {
        sent.push(request.headers.get("if-match"), await request.json());
        const settings = {
          interval_hours: 6,
          keep_days: 1,
          keep_weeks: 0,
          keep_months: 0,
          version: 4,
        };
        return HttpResponse.json(aView({ settings }));
      }),
    );
    const { user } = openTab("security");
    const card = await part();
    await user.click(await card.findByRole("button", { name: "HOW OFTEN, AND HOW MANY" }));
    await user.selectOptions(card.getByLabelText("How often"), "Every 6 hours");
    for (const [label, typed] of [
      ["Days", "1"],
      ["Weeks", "0"],
      ["Months", "0"],
    ] as const) {
      await user.clear(card.getByLabelText(label));
      await user.type(card.getByLabelText(label), typed);
    }
    await user.click(card.getByRole("button", { name: "SAVE" }));
    expect(await card.findByText(/Every 6 hours; the last of 1 day is kept\./)).toBeTruthy();
    const body = { interval_hours: 6, keep_days: 1, keep_weeks: 0, keep_months: 0 };
    expect(sent).toEqual(['"3"', body]);
    expect(card.queryByRole("button", { name: "SAVE" })).toBeNull();
    const button = card.getByRole("button", { name: "HOW OFTEN, AND HOW MANY" });
    expect(document.activeElement).toBe(button);
  });

  it("leave the fields that were not touched as someone else saved them", async () => {
    answer(PATH, aView());
    const { user } = openTab("security");
    const card = await part();
    await user.click(await card.findByRole("button", { name: "HOW OFTEN, AND HOW MANY" }));
    await user.clear(card.getByLabelText("Days"));
    await user.type(card.getByLabelText("Days"), "5");
    const settings = {
      interval_hours: 6,
      keep_days: 9,
      keep_weeks: 2,
      keep_months: 3,
      version: 4,
    };
    answerCall("post", RUN, aView({ settings }));
    await user.click(card.getByRole("button", { name: "BACK UP NOW" }));
    await waitFor(() => expect(card.getByLabelText<HTMLInputElement>("Weeks").value).toBe("2"));
    const sent: unknown[] = [];
    server.use(
      http.put(`*${SETTINGS}`, async ({ request }) => {
        sent.push(request.headers.get("if-match"), await request.json());
        return HttpResponse.json(aView());
      }),
    );
    await user.click(card.getByRole("button", { name: "SAVE" }));
    const body = { interval_hours: 6, keep_days: 5, keep_weeks: 2, keep_months: 3 };
    await waitFor(() => expect(sent).toEqual(['"4"', body]));
  });

  it("keep what was typed when they are refused or someone else was faster", async () => {
    answer(PATH, aView());
    const { user } = openTab("security");
    const card = await part();
    await user.click(await card.findByRole("button", { name: "HOW OFTEN, AND HOW MANY" }));
    const days = card.getByLabelText("Days");
    await user.clear(days);
    await user.type(days, "a few");
    const words = "The backups of 1 to 31 days are kept.";
    const refused = { code: "invalid_keep_days", detail: words, fields: { keep_days: words } };
    const heard = refuseCall("put", SETTINGS, 422, refused);
    await user.click(card.getByRole("button", { name: "SAVE" }));
    expect(await card.findByText(words)).toBeTruthy();
    expect(heard[0]?.body).toMatchObject({ keep_days: -1 });
    expect((days as HTMLInputElement).value).toBe("a few");
    const detail = "Your text is still here: load the newest version and compare.";
    refuseCall("put", SETTINGS, 412, { code: "stale_version", detail });
    const settings = {
      interval_hours: 1,
      keep_days: 2,
      keep_weeks: 2,
      keep_months: 2,
      version: 9,
    };
    answer(PATH, aView({ settings }));
    await user.click(card.getByRole("button", { name: "SAVE" }));
    expect(await screen.findAllByText(/^Someone else has saved these settings/)).not.toEqual([]);
    expect(screen.queryByText(detail)).toBeNull();
    expect(await card.findByText(/Every hour; the last of 2 days, 2 weeks/)).toBeTruthy();
    expect((days as HTMLInputElement).value).toBe("a few");
  });
});
