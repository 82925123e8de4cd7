// Screens of single releases: their pages, and their history in the dashboard. Each uses a release made for it and
// purged afterwards, so that the lists on other screens do not change.
import { expect, type Page } from "@playwright/test";
import type { Label } from "./label.ts";
import { openTab, type Screen } from "./screen.ts";

const TITLE = "Lead-Out Ritual";

/** Makes a release without random values, with a cover from the sample. */
async function makeRelease(
  desk: Label["desk"],
  changes: object = {},
): Promise<{ id: string; slug: string | null; version: number }> {
  const { items } = await (await desk.get("/api/releases?limit=6")).json();
  const { artist, cover_image_url } = items[4];
  return saved(desk, "POST", "/api/admin/releases", {
    title: TITLE,
    artist_id: artist.id,
    catalog: "404-020",
    release_date: "2026-12-04",
    description: "Four locked grooves, cut at half speed.\nThe last one does not end.",
    cover_image_url,
    format: '12" vinyl, 45 rpm',
    tracks: [
      { title: "Needle Down", duration_seconds: 372 },
      { title: "Side Length", artist: "Somatic Drift", duration_seconds: 460 },
      { title: "Run-Out", duration_seconds: 303 },
      { title: "Locked (No Exit)", duration_seconds: 3730 },
    ],
    credits: [
      { role: "Mastering", name: "Ada Lindqvist" },
      { role: "Lacquer cut", name: "Half Speed Works" },
      { role: "Sleeve", name: "Ines Okafor" },
    ],
    spotify_url: "https://open.spotify.com/album/1DFixLWuPkv3KT3TnV35m3",
    bandcamp_url: "https://404collective.bandcamp.com/album/lead-out-ritual",
    publish: "not_yet",
    ...changes,
  });
}

async function saved(desk: Label["desk"], method: string, path: string, data: object, version = 0) {
  const headers = version > 0 ? { "If-Match": `"${version}"` } : undefined;
  const answer = await desk.fetch(path, { method, data, ...(headers ? { headers } : {}) });
  await expect(answer, await answer.text()).toBeOK();
  return answer.json();
}

/** Purges what was made for a screenshot. */
async function clearAway({ desk }: Label): Promise<void> {
  const found = await (await desk.get(`/api/admin/releases?q=${encodeURI(TITLE)}`)).json();
  for (const { id } of found.items) await desk.delete(`/api/admin/releases/${id}`);
  const trash = await (await desk.get("/api/admin/trash?kind=release")).json();
  for (const { id } of trash.items) await desk.delete(`/api/admin/trash/release/${id}`);
}

const editor = async (page: Page) => {
  await openTab(page, "releases");
  await page.getByRole("button", { name: `Edit ${TITLE}` }).click();
  await expect(page.getByRole("dialog", { name: "Edit Release" })).toBeVisible();
};

const PAGES: Screen[] = [
  {
    name: "release",
    title: "a release",
    group: "Public pages",
    open: async (page, { desk }) => {
      const { slug } = await makeRelease(desk, { publish: "now" });
      await page.goto(`/releases/${slug}`);
      await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
    },
    leave: clearAway,
  },
  {
    name: "release-bare",
    title: "a release of which little is known",
    group: "Public pages",
    open: async (page, { desk }) => {
      const nothing = { artist_id: null, catalog: null, description: null, cover_image_url: null };
      const lists = { format: null, tracks: [], credits: [], spotify_url: null };
      const { slug } = await makeRelease(desk, {
        ...nothing,
        ...lists,
        bandcamp_url: null,
        publish: "now",
      });
      await page.goto(`/releases/${slug}`);
      await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
    },
    leave: clearAway,
  },
  {
    name: "release-private",
    title: "a release that is not out, by its private link",
    group: "Public pages",
    open: async (page, { desk }) => {
      const { id } = await makeRelease(desk);
      const made = await saved(desk, "POST", `/api/admin/releases/${id}/private-link`, {});
      await page.goto(made.private_link);
      await expect(page.getByText("PRIVATE: THIS RELEASE IS NOT OUT YET")).toBeVisible();
    },
    leave: clearAway,
  },
];

/** A catalogue from other programs or typed by hand: a year alone, an invalid day, a row without its title. */
const TABLE = `Catalog#,Artist,Title,Label,Format,Released,release_id
404-001,Kesto Vann,Loss of Signal,404 COLLECTIVE,"12"", 45 RPM",2019-03-12,100001
404-031,Somatic Drift,Held Tone,404 COLLECTIVE,LP,2020,100002
404-032,Nobody We Know,Carrier,404 COLLECTIVE,Cassette,2020-02-31,100003
404-033,Kesto Vann,,404 COLLECTIVE,LP,2021-06-01,100004
404-034,Kesto Vann,Stylus Wear,404 COLLECTIVE,"12""",4 Jun 2021,100005
`;

const DASHBOARD: Screen[] = [
  {
    name: "admin-releases-draft",
    title: "the editor of a draft with a private link",
    open: async (page: Page, { desk }: Label) => {
      const goes_out_at = new Date(Date.now() + 48 * 3_600_000).toISOString();
      const { id } = await makeRelease(desk, { publish: "on_date", goes_out_at });
      await saved(desk, "POST", `/api/admin/releases/${id}/private-link`, {});
      await editor(page);
    },
  },
  {
    name: "admin-library-choice",
    title: "a picture of a form, chosen from the library",
    open: async (page: Page, { desk }: Label) => {
      await makeRelease(desk);
      await editor(page);
      await page.getByRole("button", { name: "Library: choose Cover Image" }).click();
      await expect(page.getByRole("button", { name: /^Choose sleeve-front/ })).toBeVisible();
    },
  },
  {
    name: "admin-history",
    title: "the history of a release",
    open: async (page: Page, { desk }: Label) => {
      const { id, version } = await makeRelease(desk);
      const path = `/api/admin/releases/${id}`;
      const form = { title: TITLE, release_date: "2026-12-11", catalog: "404-020" };
      await saved(desk, "PUT", path, { ...form, description: "Five locked grooves." }, version);
      await saved(desk, "PUT", path, { ...form, featured: true }, version + 1);
      await editor(page);
      await page.getByRole("button", { name: `History of ${TITLE}` }).click();
      await expect(page.getByRole("button", { name: /^Restore this version: 1/ })).toBeVisible();
    },
  },
  {
    name: "admin-trash",
    title: "the trash of the releases tab",
    open: async (page: Page, { desk }: Label) => {
      for (const title of [`${TITLE}, test pressing`, TITLE]) {
        const { id } = await makeRelease(desk, { title });
        await desk.delete(`/api/admin/releases/${id}`);
      }
      await openTab(page, "releases");
      await page.getByRole("button", { name: /^Trash \(2\)/ }).click();
      await page.getByRole("button", { name: `Delete for good: ${TITLE}`, exact: true }).click();
      await expect(page.getByText("This deletes it for good")).toBeVisible();
    },
  },
  {
    name: "admin-undo",
    title: "the way back from a deletion",
    open: async (page: Page, { desk }: Label) => {
      await makeRelease(desk);
      await openTab(page, "releases");
      await page.getByRole("button", { name: `Delete ${TITLE}` }).click();
      await expect(page.getByRole("button", { name: "UNDO" })).toBeVisible();
    },
  },
  {
    name: "admin-import",
    title: "the preview of an import",
    open: async (page: Page) => {
      await openTab(page, "releases");
      await page.getByRole("button", { name: "Import", exact: true }).click();
      const file = { name: "collection.csv", mimeType: "text/csv", buffer: Buffer.from(TABLE) };
      await page.getByLabel("CSV or TSV file").setInputFiles(file);
      await expect(page.getByRole("list", { name: "Rows of the table" })).toBeVisible();
    },
  },
].map((screen) => ({
  ...screen,
  group: "Dashboard",
  as: "admin",
  isDialog: true,
  leave: clearAway,
}));

export const RECORDS: readonly Screen[] = [...PAGES, ...DASHBOARD];
