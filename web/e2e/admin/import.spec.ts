// Importing a catalogue: the label's export, a collection as other websites export it, and a custom sheet.
import type { Locator, Page, Route } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { expect, FAILED_RESOURCE, test } from "../test.ts";
import { editRow, openDashboard } from "./dashboard.ts";

const ROWS = 50;

/** Opens the import with a table. */
async function choose(page: Page, name: string, table: string | Buffer): Promise<Locator> {
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import Releases" });
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(table) };
  await dialog.getByLabel("CSV or TSV file").setInputFiles(file);
  await expect(dialog.getByRole("list", { name: "Rows of the table" })).toBeVisible();
  return dialog;
}

const said = (dialog: Locator, counts: string) =>
  expect(dialog.getByText(counts, { exact: true }).last()).toBeVisible();

test.describe("an own export", () => {
  // The pictures of the other label are not here.
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("is a whole catalogue elsewhere, changes nothing twice, and goes again", async ({
    page,
    startSite,
    openBrowser,
  }) => {
    const from = await startSite({ sample: true });
    const owner = await openBrowser();
    await openDashboard(owner, from, "releases");
    const path = `${from.url}/api/admin/releases`;
    // Some of the sample have no day, which only an own export may say.
    const { items } = await (await owner.request.get(`${path}?limit=100`)).json();
    expect(items.some(({ release_date }: { release_date: string }) => !release_date)).toBe(true);
    for (let number = items.length; number < ROWS; number += 1) {
      const data = { title: `=Formula ${number}`, release_date: "2031-02-03" };
      await expect(await owner.request.post(path, { data })).toBeOK();
    }
    const downloaded = owner.waitForEvent("download");
    await owner.getByRole("button", { name: "Export releases as CSV" }).click();
    const stream = await (await downloaded).createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const table = Buffer.concat(parts);
    expect(table.toString()).toContain("'=Formula");

    const site = await startSite({ sample: false, engine: "postgres" });
    await openDashboard(page, site, "releases");
    let dialog = await choose(page, "releases.csv", table);
    await dialog.getByRole("button", { name: `Import ${ROWS} releases` }).click();
    await expect(dialog.getByText(new RegExp(`^Imported: ${ROWS} new, 0 changed`))).toBeVisible();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("heading", { name: `Releases (${ROWS})` })).toBeVisible();
    const visitor = await openBrowser();
    await visitor.goto(`${site.url}/releases/404-001`);
    await expect(visitor.getByRole("heading", { level: 1 })).toBeVisible();

    dialog = await choose(page, "releases.csv", table);
    await said(dialog, `0 new, 0 changed, ${ROWS} unchanged.`);
    await expect(dialog.getByText("There is nothing to import.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Import 0 releases" })).toBeDisabled();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page
      .getByRole("alertdialog", { name: "Unsaved changes" })
      .getByRole("button", { name: "Leave Without Saving" })
      .click();
    const back = await choose(owner, "releases.csv", table);
    await said(back, `0 new, 0 changed, ${ROWS} unchanged.`);

    await page.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByRole("button", { name: "Undo import of releases.csv" }).click();
    await expect(dialog.getByText(/rows are as before/)).toBeVisible();
    await dialog.getByRole("button", { name: "CLOSE" }).click();
    await expect(page.getByText("No releases yet")).toBeVisible();
    expect((await visitor.request.get(`${site.url}/releases/404-001`)).status()).toBe(404);
  });
});

/** As collections are exported: tabs or commas, a year alone where the day is not known, and what is broken in old ones. */
function collection(separator: string): string {
  const cell = (text: string) =>
    /["\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  const header = ["Catalog#", "Artist", "Title", "Label", "Format", "Released", "release_id"];
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const number = String(index + 1).padStart(3, "0");
    const day = `20${10 + (index % 10)}-0${1 + (index % 9)}-11`;
    return [
      `DW-${number}`,
      index % 2 ? "Kesto Vann" : "Somatic Drift",
      `Side ${number}`,
      "Deadwax, Records",
      '12", 45 RPM',
      index % 5 === 0 ? `20${10 + (index % 10)}` : day,
      `${100_000 + index}`,
    ];
  });
  rows[1] = [...(rows[1] ?? [])].with(5, "2020-02-31");
  rows[2] = [...(rows[2] ?? [])].with(2, "");
  rows[3] = [...(rows[3] ?? [])].with(2, "x".repeat(201));
  return [header, ...rows].map((row) => row.map(cell).join(separator)).join("\r\n");
}

for (const [kind, separator] of [
  ["commas", ","],
  ["tabs", "\t"],
] as const) {
  test(`a collection with ${kind} is imported without its broken rows, and undone but for what was edited`, async ({
    page,
    startSite,
  }) => {
    const engine = separator === "," ? "sqlite" : "postgres";
    const site = await startSite({ sample: false, engine });
    await openDashboard(page, site, "releases");
    const dialog = await choose(page, "collection.csv", collection(separator));
    await said(dialog, "37 new, 0 changed, 2 new artists, 3 that cannot be imported.");
    await dialog.getByRole("switch", { name: "Only rows with problems" }).check();
    for (const problem of [
      "Release Date: Please enter a valid release date",
      "Title: Title is required",
      "Title: Title must be less than 200 characters",
    ]) {
      await expect(dialog.getByText(problem)).toBeVisible();
    }
    const importNow = dialog.getByRole("button", { name: /^Import \d+ releases$/ });
    await expect(importNow).toBeDisabled();
    await expect(dialog.getByText("10 rows with a year or a month, but no day.")).toBeVisible();
    await dialog.getByRole("radio", { name: "Use the last day" }).check();
    await dialog.getByRole("switch", { name: "Leave out 3 rows that cannot be imported" }).check();
    await dialog.getByRole("switch", { name: "Import new releases as drafts" }).check();
    await dialog.getByRole("button", { name: "Import 47 releases" }).click();
    await expect(dialog.getByText("Imported: 47 new, 0 changed, 2 new artists.")).toBeVisible();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("heading", { name: "Releases (47)" })).toBeVisible();
    const all = await (await page.request.get(`${site.url}/api/releases`)).json();
    expect(all.items, "drafts").toEqual([]);

    await page.getByRole("searchbox").fill("DW-001");
    await expect(page.getByText("1 found")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Releases (47)" })).toBeVisible();
    const edit = await editRow(page, "Side 001");
    await expect(edit.getByLabel("Release Date")).toHaveValue("2010-12-31");
    await edit.getByLabel("Title", { exact: true }).fill("Side One, as it is called");
    await edit.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Release updated successfully");
    await page.getByRole("searchbox").fill("");

    await page.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByRole("button", { name: "Undo import of collection.csv" }).click();
    const left = dialog.getByRole("list", { name: "Left as they are" });
    await expect(left).toContainText("Side One, as it is called");
    await dialog.getByRole("button", { name: "CLOSE" }).click();
    await expect(page.getByRole("heading", { name: "Releases (1)" })).toBeVisible();
    await expect(page.getByRole("article", { name: "Side One, as it is called" })).toBeVisible();
  });
}

test("what can be pressed stays where it is while the table is checked again", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  const dialog = await choose(page, "collection.csv", collection(","));
  const held: Route[] = [];
  await page.route("**/api/admin/imports/preview", (route) => void held.push(route));
  const drafts = dialog.getByRole("switch", { name: "Import new releases as drafts" });
  await drafts.scrollIntoViewIfNeeded();
  const before = await drafts.boundingBox();
  await dialog.getByRole("radio", { name: "Use the last day" }).check();
  await expect(dialog.getByText("Reading the table...")).toBeAttached();
  expect(await drafts.boundingBox()).toEqual(before);
  // The question is shown before the browser has sent it.
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
  await said(dialog, "47 new, 0 changed, 2 new artists, 3 that cannot be imported.");
  expect(await drafts.boundingBox()).toEqual(before);
});

test("a sheet with other headers is read once each column is named", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  const sheet = [
    "Nr;Wer;Was;Jahr;Notiz",
    "DW 1;Kesto Vann;Loss of Signal;2019;Erste",
    "DW 2;Øre;Carrier;2020;+49 30",
  ].join("\n");
  const dialog = await choose(page, "katalog.csv", sheet);
  await expect(dialog.getByText("Please say which column is the title.")).toBeVisible();
  for (const [header, field] of [
    ["Nr", "Catalog"],
    ["Wer", "Artist"],
    ["Was", "Title"],
    ["Jahr", "Release Date"],
    ["Notiz", "Description"],
  ] as const) {
    await dialog.getByLabel(`Field of ${header}`).selectOption({ label: field });
  }
  await dialog.getByRole("radio", { name: "Use the first day" }).check();
  await said(dialog, "2 new, 0 changed, 2 new artists.");
  await dialog.getByRole("button", { name: "Import 2 releases" }).click();
  await expect(dialog.getByText("Imported: 2 new, 0 changed, 2 new artists.")).toBeVisible();
  const { items } = await (await page.request.get(`${site.url}/api/releases`)).json();
  expect(
    items.map(({ title, catalog, release_date, description, artist }: Record<string, unknown>) => ({
      title,
      catalog,
      release_date,
      description,
      artist: (artist as { name: string }).name,
    })),
  ).toEqual([
    {
      title: "Carrier",
      catalog: "DW 2",
      release_date: "2020-01-01",
      description: "+49 30",
      artist: "Øre",
    },
    {
      title: "Loss of Signal",
      catalog: "DW 1",
      release_date: "2019-01-01",
      description: "Erste",
      artist: "Kesto Vann",
    },
  ]);
});

test("a table of a French spreadsheet is asked about once, and its correction gets the same addresses", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  const sheet = (title: string) =>
    Buffer.from(
      `sep=;\r\nTitre;Artiste;Numéro de catalogue;Date de sortie;Mis en avant;Pistes\r\n${title};Élise Noël;DW-001;03/12/2019;VRAI;[A1] Un 6:12\r\n`,
      "latin1",
    );
  let dialog = await choose(page, "catalogue.csv", sheet("Éte"));
  await expect(dialog.getByText(/was read as Windows-1252/)).toBeVisible();
  await dialog.getByRole("switch", { name: "Only rows with problems" }).check();
  await expect(dialog.getByText("03/12/2019 can be two days")).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Import \d/ })).toBeDisabled();
  await dialog.getByRole("radio", { name: /^Day first/ }).check();
  await dialog.getByRole("button", { name: "Import 1 release" }).click();
  await dialog.getByRole("button", { name: "Undo Import" }).click();
  await expect(dialog.getByText("The import is undone.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  dialog = await choose(page, "catalogue.csv", sheet("Été"));
  await dialog.getByRole("radio", { name: /^Day first/ }).check();
  await dialog.getByRole("button", { name: "Import 1 release" }).click();
  await expect(dialog.getByText(/^Imported: 1 new/)).toBeVisible();
  await page.goto(`${site.url}/releases/dw-001`);
  await expect(page.getByRole("heading", { level: 1, name: "Été" })).toBeVisible();
  await expect(page.getByText("2019.12.03")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Un" })).toContainText("A1");
});
