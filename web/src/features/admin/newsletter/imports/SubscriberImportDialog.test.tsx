import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { answerConsent, openTab } from "../../../../testing/backOffice.ts";
import { breakCall, holdCall, refuseCall } from "../../../../testing/calls.ts";
import { answer, server } from "../../../../testing/fakeApi.ts";
import type { SubscriberCheck, SubscriberImport, SubscriberRow } from "./useSubscriberImport.ts";

const CHECK = "*/api/admin/newsletter/imports/check";
const IMPORTS = "*/api/admin/newsletter/imports";
const FILE = "CSV, TSV or ZIP file";

function aRow(line: number, changes: Partial<SubscriberRow> = {}): SubscriberRow {
  return {
    file: "fans.csv",
    line,
    email: `fan-${line}@example.org`,
    verdict: "add_confirmed",
    problem: null,
    ...changes,
  };
}

function aCheck(rows: SubscriberRow[], changes: Partial<SubscriberCheck> = {}): SubscriberCheck {
  const count = (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
  return {
    file_name: "fans.csv",
    files: [{ name: "fans.csv", list: null, encoding: "utf-8", rows: rows.length }],
    passed_over: [],
    columns: [
      { header: "Email Address", field: "email", samples: ["fan-2@example.org"] },
      { header: "CONFIRM_TIME", field: "confirmed_at", samples: [] },
      { header: "First Name", field: null, samples: ["Fan"] },
    ],
    fields: ["email", "status", "confirmed_at"],
    counts: {
      add_confirmed: count("add_confirmed"),
      add_unconfirmed: count("add_unconfirmed"),
      end: count("end"),
      suppress: count("suppress"),
      known: count("known"),
      suppressed: count("suppressed"),
      never_subscribed: count("never_subscribed"),
      repeated: count("repeated"),
      refused: count("refused"),
    },
    rows,
    refusal: null,
    ...changes,
  };
}

const IMPORTED: SubscriberImport = {
  id: "019aa000-0000-7000-8000-000000000098",
  file_name: "fans.csv",
  created_at: "2026-11-20T12:00:00Z",
  confirmed: 1,
  unconfirmed: 1,
  ended: 0,
  suppressed: 0,
  finished_at: "2026-11-20T12:00:01Z",
  undone_at: null,
  can_be_undone: true,
};

const NEW = [aRow(2), aRow(3, { verdict: "add_unconfirmed" })];

/** Answers checks with `look` of the choices; returns the choices received. */
function answerChecks(look: (choices: FormData) => SubscriberCheck): FormData[] {
  const sent: FormData[] = [];
  server.use(
    http.post(CHECK, async ({ request }) => {
      const choices = await request.formData();
      sent.push(choices);
      return HttpResponse.json(look(choices));
    }),
  );
  return sent;
}

async function openDialog() {
  const { user } = openTab("newsletter");
  await user.click(await screen.findByRole("button", { name: "Import" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Import Subscribers" }));
  const choose = (name = "fans.csv") =>
    user.upload(dialog.getByLabelText(FILE), new File(["email\nx"], name));
  return { user, dialog, choose };
}

beforeEach(() => {
  answerConsent();
  const none = { items: [], next_cursor: null, total: 0, active_count: 0 };
  answer("/api/admin/newsletter", none);
  answer("/api/admin/newsletter/imports", { items: [], next_cursor: null });
});

describe("an import of subscribers", () => {
  it("shows the verdict on each row before it imports, and can be undone", async () => {
    answerChecks(() => aCheck(NEW));
    const imported: FormData[] = [];
    server.use(
      http.post(IMPORTS, async ({ request }) => {
        imported.push(await request.formData());
        return HttpResponse.json(IMPORTED, { status: 201 });
      }),
      http.post(`${IMPORTS}/:id/undo`, () =>
        HttpResponse.json({ deleted: 1, restored: 0, left: 1 }),
      ),
    );
    const { user, dialog, choose } = await openDialog();
    await choose();
    const list = within(await dialog.findByRole("list", { name: "Rows of the list" }));
    expect(list.getByText("fan-2@example.org")).toBeTruthy();
    expect(list.getByText("New, unconfirmed")).toBeTruthy();
    await user.click(await dialog.findByRole("button", { name: "Import 2 addresses" }));
    expect(await dialog.findByText("Imported: 1 confirmed, 1 unconfirmed.")).toBeTruthy();
    expect(dialog.getByText(/^SEND CONFIRMATIONS asks/)).toBeTruthy();
    expect(imported).toHaveLength(1);
    await user.click(dialog.getByRole("button", { name: "Undo Import" }));
    expect(await dialog.findByText("The import is undone.")).toBeTruthy();
    expect(dialog.getByText(/^1 left as they are/)).toBeTruthy();
  });

  it("offers no undo once another admin has undone it", async () => {
    answerChecks(() => aCheck(NEW));
    const detail = "This import is undone already";
    const body = { title: "Conflict", status: 409, code: "import_already_undone", detail };
    server.use(
      http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })),
      http.post(`${IMPORTS}/:id/undo`, () => HttpResponse.json(body, { status: 409 })),
    );
    const { user, dialog, choose } = await openDialog();
    await choose();
    await user.click(await dialog.findByRole("button", { name: "Import 2 addresses" }));
    const undo = await dialog.findByRole("button", { name: "Undo Import" });
    const undone = { undone_at: "2026-11-20T12:01:00Z", can_be_undone: false };
    answer("/api/admin/newsletter/imports", {
      items: [{ ...IMPORTED, ...undone }],
      next_cursor: null,
    });
    await user.click(undo);
    expect(await dialog.findByText(detail)).toBeTruthy();
    expect(await dialog.findByText("The import is undone.")).toBeTruthy();
    expect(dialog.queryByText(/It can be undone|SEND CONFIRMATIONS asks/)).toBeNull();
    expect(dialog.queryByRole("button", { name: "Undo Import" })).toBeNull();
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Done" }));
  });

  it("narrows the rows to those with problems, and says how many are not listed", async () => {
    const refused = aRow(4, {
      verdict: "refused",
      email: "x",
      problem: "This is no email address",
    });
    const check = aCheck([...NEW, refused]);
    answerChecks(() => ({ ...check, counts: { ...check.counts, add_confirmed: 1200 } }));
    const { user, dialog, choose } = await openDialog();
    await choose();
    expect(await dialog.findByText("The first 3 of 1202.")).toBeTruthy();
    await user.selectOptions(dialog.getByLabelText("Rows to show"), "Problem (1)");
    const list = within(dialog.getByRole("list", { name: "Rows of the list" }));
    expect(list.getAllByRole("listitem")).toHaveLength(1);
    expect(list.getByText("This is no email address")).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Import 1201 addresses" })).toBeTruthy();
  });

  it("assigns columns anew, and imports nothing without addresses", async () => {
    const sent = answerChecks((choices) => {
      const refusal = "Please say which column is the email address";
      return aCheck(NEW, { refusal: choices.get("columns") ? null : refusal });
    });
    const { user, dialog, choose } = await openDialog();
    await choose();
    expect(await dialog.findByText("Please say which column is the email address.")).toBeTruthy();
    const button = () => dialog.getByRole<HTMLButtonElement>("button", { name: /^Import \d/ });
    expect(button().disabled).toBe(true);
    await user.selectOptions(dialog.getByLabelText("Field of First Name"), "Email address");
    await waitFor(() =>
      expect(sent.at(-1)?.get("columns")).toBe(JSON.stringify([null, "confirmed_at", "email"])),
    );
    await waitFor(() => expect(button().disabled).toBe(false));
  });

  it("names the lists of a ZIP and what was not read", async () => {
    answerChecks(() =>
      aCheck(
        [aRow(2, { file: "subscribed_1.csv" }), aRow(2, { file: "cleaned_1.csv", verdict: "end" })],
        {
          files: [
            { name: "subscribed_1.csv", list: "subscribed", encoding: "utf-8", rows: 1 },
            { name: "cleaned_1.csv", list: "cleaned", encoding: "windows-1252", rows: 1 },
          ],
          passed_over: ["notes.json"],
        },
      ),
    );
    const { dialog, choose } = await openDialog();
    await choose("mailchimp.zip");
    const files = within(await dialog.findByRole("list", { name: "Files" }));
    expect(files.getByText("Not read: notes.json")).toBeTruthy();
    expect(dialog.getByText(/^The file is not UTF-8 and was read as Windows-1252/)).toBeTruthy();
    expect(dialog.getByText(/made inactive/)).toBeTruthy();
  });

  it("keeps the file and the columns when the import fails, and imports at the next press", async () => {
    answerChecks(() => aCheck(NEW));
    breakCall("post", "/api/admin/newsletter/imports");
    const { user, dialog, choose } = await openDialog();
    await choose();
    await user.selectOptions(await dialog.findByLabelText("Field of First Name"), "Status");
    await user.click(await dialog.findByRole("button", { name: "Import 2 addresses" }));
    await waitFor(() =>
      expect(dialog.getAllByRole("alert").some((alert) => alert.textContent !== "")).toBe(true),
    );
    expect(dialog.getByText("fans.csv")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLSelectElement>("Field of First Name").value).toBe("status");
    server.use(http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })));
    await user.click(dialog.getByRole("button", { name: "Import 2 addresses" }));
    expect(await dialog.findByText(/^Imported: 1 confirmed/)).toBeTruthy();
  });

  it("is checked again when it is refused, and shows why", async () => {
    let rows = NEW;
    answerChecks(() => aCheck(rows));
    refuseCall("post", "/api/admin/newsletter/imports", 422, { code: "import_refused" });
    const { user, dialog, choose } = await openDialog();
    await choose();
    const importIt = await dialog.findByRole("button", { name: "Import 2 addresses" });
    rows = [aRow(2, { verdict: "refused", problem: "It was erased since." })];
    await user.click(importIt);
    expect(await dialog.findByText("It was erased since.")).toBeTruthy();
  });

  it("keeps the columns when a check fails, and checks again on demand", async () => {
    answerChecks(() => aCheck(NEW));
    const { user, dialog, choose } = await openDialog();
    await choose();
    const field = await dialog.findByLabelText("Field of First Name");
    breakCall("post", "/api/admin/newsletter/imports/check");
    await user.selectOptions(field, "Status");
    expect(await dialog.findByText("The server did not answer. Please try again.")).toBeTruthy();
    const checks = answerChecks(() => aCheck(NEW));
    await user.click(dialog.getByRole("button", { name: "Try Again" }));
    expect(await dialog.findByRole("button", { name: "Import 2 addresses" })).toBeTruthy();
    expect(dialog.getByLabelText<HTMLSelectElement>("Field of First Name").value).toBe("status");
    expect(checks.at(-1)?.get("columns")).toContain("status");
  });

  it("asks before it throws a chosen list away, also while it is being imported", async () => {
    answerChecks(() => aCheck(NEW));
    server.use(http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })));
    const release = holdCall("post", "/api/admin/newsletter/imports");
    const { user, dialog, choose } = await openDialog();
    await choose();
    await user.click(await dialog.findByRole("button", { name: "Import 2 addresses" }));
    await dialog.findByRole("button", { name: "Importing..." });
    await user.keyboard("{Escape}");
    expect(await screen.findByText(/This list is being imported/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Keep Editing" }));
    release();
    expect(await dialog.findByText(/^Imported: 1 confirmed/)).toBeTruthy();
  });

  it("says why a file is no list", async () => {
    const detail = "This ZIP is damaged or locked. Unpack it and import its files one by one";
    const body = { title: "Refused", status: 422, code: "subscribers_zip_broken", detail };
    server.use(http.post(CHECK, () => HttpResponse.json(body, { status: 422 })));
    const { dialog, choose } = await openDialog();
    await choose("mailchimp.zip");
    expect(await dialog.findByText(detail)).toBeTruthy();
    expect(dialog.getByText("mailchimp.zip")).toBeTruthy();
    expect(dialog.queryByRole("button", { name: /^Import \d/ })).toBeNull();
  });

  it("lists recent imports and undoes one, or says why not", async () => {
    answer("/api/admin/newsletter/imports", { items: [IMPORTED], next_cursor: null });
    const detail = "Undo the newer import first";
    const body = { title: "Conflict", status: 409, code: "subscribers_undo_newer_first", detail };
    server.use(http.post(`${IMPORTS}/:id/undo`, () => HttpResponse.json(body, { status: 409 })));
    const { user, dialog } = await openDialog();
    const undo = await dialog.findByRole("button", { name: "Undo import of fans.csv" });
    await user.click(undo);
    expect(await dialog.findByText(detail)).toBeTruthy();
    server.use(
      http.post(`${IMPORTS}/:id/undo`, () =>
        HttpResponse.json({ deleted: 2, restored: 0, left: 0 }),
      ),
    );
    const undone = { ...IMPORTED, undone_at: "2026-11-20T13:00:00Z", can_be_undone: false };
    answer("/api/admin/newsletter/imports", { items: [undone], next_cursor: null });
    await user.click(undo);
    expect(await dialog.findByText("2 deleted, 0 active again.")).toBeTruthy();
    await dialog.findByText("Undone");
    expect(document.activeElement).toBe(dialog.getByText(/^fans\.csv/));
  });

  it("begins anew after the undo of a recent import, which ends before a list is chosen", async () => {
    answer("/api/admin/newsletter/imports", { items: [IMPORTED], next_cursor: null });
    answerChecks(() => aCheck(NEW));
    server.use(
      http.post(IMPORTS, () => HttpResponse.json(IMPORTED, { status: 201 })),
      http.post(`${IMPORTS}/:id/undo`, () =>
        HttpResponse.json({ deleted: 2, restored: 0, left: 0 }),
      ),
    );
    const answerNow = holdCall("post", "/api/admin/newsletter/imports/:id/undo");
    const { user, dialog, choose } = await openDialog();
    const undo = await dialog.findByRole("button", { name: "Undo import of fans.csv" });
    // Only a region that was there before is announced.
    const regions = dialog.getAllByRole("status");
    const isAnnounced = (line: HTMLElement) => regions.some((region) => region.contains(line));
    await user.click(undo);
    const isFree = () => dialog.getByLabelText(FILE).closest(":disabled") === null;
    await waitFor(() => expect(isFree()).toBe(false));
    answerNow();
    expect(await dialog.findByText("2 deleted, 0 active again.")).toSatisfy(isAnnounced);
    expect(isFree()).toBe(true);
    await choose();
    await user.click(await dialog.findByRole("button", { name: "Import 2 addresses" }));
    const imported = await dialog.findByText("Imported: 1 confirmed, 1 unconfirmed.");
    expect(imported).toSatisfy(isAnnounced);
    await user.click(dialog.getByRole("button", { name: "Undo Import" }));
    expect(await dialog.findByText("2 deleted, 0 active again.")).toSatisfy(isAnnounced);
  });
});
