import { screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { anEditableRelease, keepRows, openTab } from "../../../testing/backOffice.ts";
import { breakCall, holdCall } from "../../../testing/calls.ts";
import { answer, server } from "../../../testing/fakeApi.ts";
import type { ImportPreview, ImportRow, ImportView } from "./useImport.ts";

const PREVIEW = "*/api/admin/imports/preview";
const IMPORTS = "*/api/admin/imports";

function aRow(line: number, changes: Partial<ImportRow> = {}): ImportRow {
  return {
    line,
    verdict: "add",
    title: `Signal ${line}`,
    artist: "Kesto Vann",
    artist_is_new: false,
    catalog: `404-00${line}`,
    release_date: "2026-01-01",
    repeats_number: false,
    problems: {},
    ...changes,
  };
}

function aPreview(rows: ImportRow[], changes: Partial<ImportPreview> = {}): ImportPreview {
  const count = (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
  return {
    file_name: "catalogue.csv",
    encoding: "utf-8",
    columns: [
      { header: "Title", field: "title", samples: ["Signal 2"] },
      { header: "Year", field: "release_date", samples: ["2026"] },
      { header: "Other", field: null, samples: [] },
    ],
    fields: ["title", "catalog", "release_date"],
    counts: {
      add: count("add"),
      change: count("change"),
      unchanged: count("unchanged"),
      asks_for_day: count("asks_for_day"),
      asks_for_order: count("asks_for_order"),
      left_out: count("left_out"),
      refused: count("refused"),
      new_artists: 0,
    },
    rows,
    refusal: null,
    ...changes,
  };
}

const IMPORTED: ImportView = {
  id: "019aa000-0000-7000-8000-000000000099",
  file_name: "catalogue.csv",
  created_at: "2026-11-20T12:00:00Z",
  added: 2,
  changed: 0,
  artists: 1,
  undone_at: null,
  can_be_undone: true,
};

/** Answers previews with `look` of the choices; returns the choices received. */
function answerPreviews(look: (choices: FormData) => ImportPreview): FormData[] {
  const sent: FormData[] = [];
  server.use(
    http.post(PREVIEW, async ({ request }) => {
      const choices = await request.formData();
      sent.push(choices);
      return HttpResponse.json(look(choices));
    }),
  );
  return sent;
}

async function openDialog() {
  const { user } = openTab("releases");
  await user.click(await screen.findByRole("button", { name: "Import" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Import Releases" }));
  const choose = (name = "catalogue.csv") =>
    user.upload(dialog.getByLabelText("CSV or TSV file"), new File(["title\nx"], name));
  return { user, dialog, choose };
}

beforeEach(() => {
  keepRows("/api/admin/releases", anEditableRelease());
  answer("/api/admin/imports", { items: [], next_cursor: null });
});

const SILENT = "The server did not answer. Please try again.";
const MAY_BE_DONE = "The server did not answer. It may have been done: look before you try again.";
const MOVED = "The file has changed or moved since it was chosen. Choose it again.";

/** Makes the file unreadable. */
const move = (file: File) => Object.assign(file, { slice: null });

describe("an import", () => {
  it("shows every row before it imports, and can be undone", async () => {
    answerPreviews(() => aPreview([aRow(2), aRow(3)]));
    const imported: FormData[] = [];
    server.use(
      http.post(IMPORTS, async ({ request }) => {
        imported.push(await request.formData());
        return HttpResponse.json(IMPORTED, { status: 201 });
      }),
      http.post(`${IMPORTS}/:id/undo`, () =>
        HttpResponse.json({
          undone: 2,
          left: [{ kind: "release", id: "x", name: "Edited since" }],
        }),
      ),
    );
    const { user, dialog, choose } = await openDialog();
    await choose();
    const list = await dialog.findByRole("list", { name: "Rows of the table" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(2);
    await user.click(await dialog.findByRole("button", { name: "Import 2 releases" }));
    expect(await dialog.findByText("Imported: 2 new, 0 changed, 1 new artist.")).toBeTruthy();
    expect(imported).toHaveLength(1);
    await user.click(dialog.getByRole("button", { name: "Undo Import" }));
    expect(await dialog.findByText("The import is undone.")).toBeTruthy();
    expect(dialog.getByText("Edited since")).toBeTruthy();
  });

  it("keeps what was chosen while it is under way, and says that leaving does not stop it", async () => {
    answerPreviews(() => aPreview([aRow(2), aRow(3)]));
    server.use(http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })));
    const release = holdCall("post", "/api/admin/imports");
    const { user, dialog, choose } = await openDialog();
    await choose();
    await user.click(await dialog.findByRole("button", { name: "Import 2 releases" }));
    await dialog.findByRole("button", { name: "Importing..." });
    const isFree = (control: HTMLElement) => control.closest(":disabled") === null;
    expect(isFree(dialog.getByLabelText("CSV or TSV file"))).toBe(false);
    expect(isFree(dialog.getByLabelText("Field of Year"))).toBe(false);
    expect(isFree(dialog.getByLabelText("Import new releases as drafts"))).toBe(false);
    await user.keyboard("{Escape}");
    expect(await screen.findByText(/This table is being imported/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Keep Editing" }));
    release();
    expect(await dialog.findByText("Imported: 2 new, 0 changed, 1 new artist.")).toBeTruthy();
  });

  it("waits minutes for its undo", async () => {
    answerPreviews(() => aPreview([aRow(2)]));
    server.use(
      http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })),
      http.post(`${IMPORTS}/:id/undo`, async () => {
        await delay(150);
        return HttpResponse.json({ undone: 2, left: [] });
      }),
    );
    const { user, dialog, choose } = await openDialog();
    await choose();
    await user.click(await dialog.findByRole("button", { name: "Import 1 release" }));
    const undo = await dialog.findByRole("button", { name: "Undo Import" });
    // A second of the app is a millisecond here.
    const inTime = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, "timeout").mockImplementationOnce((ms) => inTime(ms / 1000));
    await user.click(undo);
    expect(await dialog.findByText("The import is undone.")).toBeTruthy();
  });

  it("asks before its dialog is left while it is undone", async () => {
    answerPreviews(() => aPreview([aRow(2)]));
    server.use(
      http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })),
      http.post(`${IMPORTS}/:id/undo`, () => HttpResponse.json({ undone: 2, left: [] })),
    );
    const letGo = holdCall("post", "/api/admin/imports/:id/undo");
    const { user, dialog, choose } = await openDialog();
    await choose();
    await user.click(await dialog.findByRole("button", { name: "Import 1 release" }));
    await user.click(await dialog.findByRole("button", { name: "Undo Import" }));
    await dialog.findByRole("button", { name: "Undoing..." });
    await user.click(dialog.getByRole("button", { name: "Done" }));
    expect(await screen.findByText(/^This import is being undone/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Keep Editing" }));
    letGo();
    expect(await dialog.findByText("The import is undone.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Done" }));
    await waitFor(() =>
      expect(screen.queryByRole("dialog", { name: "Import Releases" })).toBeNull(),
    );
  });

  it("asks once about rows without a day, and about rows that are refused", async () => {
    const sent = answerPreviews((choices) => {
      const year = choices.get("year_alone") ? "add" : "asks_for_day";
      const refused = aRow(3, { verdict: "refused", problems: { title: "Title is required" } });
      return aPreview([aRow(2, { verdict: year }), refused], {
        refusal:
          choices.get("leave_out_refused") === "true" ? null : "Some rows cannot be imported",
      });
    });
    const { user, dialog, choose } = await openDialog();
    await choose();
    expect(await dialog.findByText("Title: Title is required")).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: /^Import \d/ }).disabled).toBe(
      true,
    );
    await user.click(dialog.getByRole("radio", { name: "Use the first day" }));
    await waitFor(() => expect(sent.at(-1)?.get("year_alone")).toBe("first_day"));
    await user.click(
      await dialog.findByRole("switch", { name: "Leave out 1 row that cannot be imported" }),
    );
    await waitFor(() =>
      expect(
        dialog.getByRole<HTMLButtonElement>("button", { name: "Import 1 release" }).disabled,
      ).toBe(false),
    );
    await user.click(dialog.getByRole("switch", { name: "Only rows with problems" }));
    const list = within(dialog.getByRole("list", { name: "Rows of the table" }));
    expect(list.queryByText("Signal 2")).toBeNull();
    expect(list.getByText("Signal 3")).toBeTruthy();
  });

  it("names the chosen table, also after the picker was left without a choice", async () => {
    answerPreviews(() => aPreview([aRow(2)]));
    const { user, dialog, choose } = await openDialog();
    expect(dialog.getByText("No file chosen")).toBeTruthy();
    await choose();
    await dialog.findByRole("button", { name: "Import 1 release" });
    // Browsers clear the field after a cancelled choice.
    const input = dialog.getByLabelText<HTMLInputElement>("CSV or TSV file");
    await user.click(dialog.getByRole("button", { name: "Choose Another File" }));
    expect(input.value).toBe("");
    expect(dialog.getByText("catalogue.csv")).toBeTruthy();
    expect(dialog.queryByText("No file chosen")).toBeNull();
  });

  it("asks once which number of a date is the month", async () => {
    const sent = answerPreviews((choices) => {
      const verdict = choices.get("date_order") ? "add" : "asks_for_order";
      return aPreview([aRow(2, { verdict, release_date: "03/12/2019" }), aRow(3)], {
        refusal: choices.get("date_order") ? null : "Some dates can be read in two ways",
      });
    });
    const { user, dialog, choose } = await openDialog();
    await choose();
    expect(await dialog.findByText("1 row with a date that can be read in two ways.")).toBeTruthy();
    expect(dialog.getByText("03/12/2019 can be two days")).toBeTruthy();
    expect(sent.at(-1)?.get("date_order")).toBeNull();
    await user.click(dialog.getByRole("radio", { name: /^Day first/ }));
    await waitFor(() => expect(sent.at(-1)?.get("date_order")).toBe("day_first"));
    await waitFor(() =>
      expect(
        dialog.getByRole<HTMLButtonElement>("button", { name: "Import 2 releases" }).disabled,
      ).toBe(false),
    );
    await user.click(dialog.getByRole("radio", { name: /^Month first/ }));
    await waitFor(() => expect(sent.at(-1)?.get("date_order")).toBe("month_first"));
  });

  it("says when the letters of a table were guessed", async () => {
    answerPreviews(() => aPreview([aRow(2)], { encoding: "windows-1252" }));
    const { dialog, choose } = await openDialog();
    await choose();
    expect(
      await dialog.findByText(/^The file is not UTF-8 and was read as Windows-1252/),
    ).toBeTruthy();
  });

  it("says that a table has changed or moved since it was chosen", async () => {
    breakCall("post", "/api/admin/imports/preview");
    const { user, dialog } = await openDialog();
    const moved = new File(["title\nx"], "a.csv");
    move(moved);
    await user.upload(dialog.getByLabelText("CSV or TSV file"), moved);
    expect(await dialog.findByText(MOVED)).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Try Again" })).toBeNull();
  });

  it("says at the import too that the table has changed or moved", async () => {
    answerPreviews(() => aPreview([aRow(2)]));
    breakCall("post", "/api/admin/imports");
    const { user, dialog } = await openDialog();
    const table = new File(["title\nx"], "a.csv");
    await user.upload(dialog.getByLabelText("CSV or TSV file"), table);
    const importIt = await dialog.findByRole("button", { name: "Import 1 release" });
    await user.click(importIt);
    expect(await dialog.findByText(MAY_BE_DONE)).toBeTruthy();
    move(table);
    await user.click(importIt);
    expect(await dialog.findByText(MOVED)).toBeTruthy();
  });

  it("says of an import without an answer that it may be done, also where the next check fails too", async () => {
    answerPreviews(() => aPreview([aRow(2)]));
    breakCall("post", "/api/admin/imports");
    const { user, dialog, choose } = await openDialog();
    await choose();
    const importIt = await dialog.findByRole("button", { name: "Import 1 release" });
    breakCall("post", "/api/admin/imports/preview");
    await user.click(importIt);
    await dialog.findByRole("button", { name: "Try Again" });
    expect(dialog.getByText(MAY_BE_DONE)).toBeTruthy();
    expect(dialog.queryByText(SILENT)).toBeNull();
    await user.click(dialog.getByRole("button", { name: "CLOSE" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("says that nothing answered, which is not the table's fault", async () => {
    breakCall("post", "/api/admin/imports/preview");
    const { dialog, choose } = await openDialog();
    await choose();
    expect(await dialog.findByText(SILENT)).toBeTruthy();
  });

  it("asks before it throws a chosen table away", async () => {
    answerPreviews(() => {
      const problems = { "tracks[1].title": "Invalid characters" };
      return aPreview([aRow(2), aRow(3, { verdict: "refused", problems })]);
    });
    const { user, dialog, choose } = await openDialog();
    await choose();
    expect(await dialog.findByText("Tracks, line 2: Invalid characters")).toBeTruthy();
    for (const key of ["Cancel", "CLOSE"]) {
      await user.click(dialog.getByRole("button", { name: key }));
      const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
      await user.click(question.getByRole("button", { name: "Keep Editing" }));
      expect(dialog.getByText("Tracks, line 2: Invalid characters")).toBeTruthy();
    }
    await user.keyboard("{Escape}");
    const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
    await user.click(question.getByRole("button", { name: "Leave Without Saving" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("closes at once while nothing is chosen, and after the import", async () => {
    answerPreviews(() => aPreview([aRow(2)]));
    server.use(http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })));
    const first = await openDialog();
    await first.user.click(first.dialog.getByRole("button", { name: "CLOSE" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await first.user.click(screen.getByRole("button", { name: "Import" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Import Releases" }));
    const file = new File(["title\nx"], "catalogue.csv");
    await first.user.upload(dialog.getByLabelText("CSV or TSV file"), file);
    await first.user.click(await dialog.findByRole("button", { name: "Import 1 release" }));
    await dialog.findByText(/^Imported: 2 new/);
    await first.user.click(dialog.getByRole("button", { name: "CLOSE" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("takes a field from one column alone", async () => {
    const sent = answerPreviews(() => aPreview([aRow(2)]));
    const { user, dialog, choose } = await openDialog();
    await choose();
    await user.selectOptions(await dialog.findByLabelText("Field of Other"), "Title");
    await waitFor(() =>
      expect(sent.at(-1)?.get("columns")).toBe(JSON.stringify([null, "release_date", "title"])),
    );
  });

  it("keeps what was chosen before the table was read again", async () => {
    const sent = answerPreviews(() => aPreview([aRow(2)]));
    const { user, dialog, choose } = await openDialog();
    await choose();
    const other = await dialog.findByLabelText<HTMLSelectElement>("Field of Other");
    server.use(http.post(PREVIEW, () => new Promise<never>(() => undefined)));
    await user.selectOptions(other, "Catalog");
    expect(other.value).toBe("catalog");
    answerPreviews((choices) => {
      sent.push(choices);
      return aPreview([aRow(2)]);
    });
    await user.selectOptions(dialog.getByLabelText("Field of Year"), "Not imported");
    await waitFor(() =>
      expect(sent.at(-1)?.get("columns")).toBe(JSON.stringify(["title", null, "catalog"])),
    );
  });

  it("says why a file is no table", async () => {
    server.use(
      http.post(PREVIEW, () =>
        HttpResponse.json(
          { title: "Refused", status: 422, code: "import_not_text", detail: "This is no text" },
          { status: 422 },
        ),
      ),
    );
    const { dialog, choose } = await openDialog();
    await choose("picture.csv");
    expect(await dialog.findByText("This is no text")).toBeTruthy();
    expect(dialog.queryByRole("button", { name: /^Import \d/ })).toBeNull();
  });
});

describe("catalogue numbers", () => {
  it("offers the next one to a new release, and tells what is odd", async () => {
    answer("/api/admin/catalog-numbers", {
      next: "404-020",
      repeated: [{ catalog: "404-019", times: 2, spellings: ["404 19", "404-019"] }],
      repeated_total: 1,
      gaps: [{ first: "404-003", last: "404-005", count: 3 }],
      gaps_total: 1,
    });
    const { user } = openTab("releases");
    await user.click(await screen.findByText("Catalogue numbers: 1 used more than once, 1 gap"));
    expect(screen.getByText("404-003 to 404-005 are not used (3).")).toBeTruthy();
    for (const spelling of ["404 19", "404-019"]) {
      await user.click(screen.getByRole("button", { name: `Show releases with ${spelling}` }));
      expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe(spelling);
    }
    await user.click(screen.getByRole("button", { name: "Add Release" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
    await user.click(
      await form.findByRole("button", { name: "Use the next free number, 404-020" }),
    );
    expect(form.getByLabelText<HTMLInputElement>("Catalog").value).toBe("404-020");
  });
});
