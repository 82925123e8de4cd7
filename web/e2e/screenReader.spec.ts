// The most important screens as Chromium exposes them to a screen reader: names, roles, states and what is
// announced. The parts that data decides are left open.
import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { editRow, openDashboard } from "./admin/dashboard.ts";
import { makeMp3 } from "./audio.ts";
import { expect, REFUSED, test } from "./test.ts";

test.use({ expectedMessages: REFUSED });

test("the home page has its headings in order, and the newsletter its field", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - img "Grooves of a record running out into the dead wax"
      - heading "404 COLLECTIVE" [level=1]
      - paragraph
      - heading "MANIFESTO" [level=2]
      - heading "JOIN THE TRANSMISSION" [level=2]
      - form "Newsletter":
        - textbox "EMAIL"
        - button "SUBSCRIBE"
  `);
});

test("a release says what it is before it can be played", async ({ page }) => {
  await page.goto("/releases");
  await expect(
    page.getByRole("article", { name: "Dead Air Protocol", exact: true }),
  ).toMatchAriaSnapshot(`
    - article "Dead Air Protocol":
      - img "Artwork of Dead Air Protocol"
      - paragraph: /\\d{3}-\\d{3} \\d{4}\\.\\d{2}\\.\\d{2}/
      - heading "Dead Air Protocol" [level=2]
      - paragraph:
        - link "Kesto Vann"
      - button "PLAY"
      - link "SPOTIFY"
      - link "SOUNDCLOUD"
  `);
});

test("an artist's page is announced by its name once it is there", async ({ page }) => {
  await page.goto("/artists");
  const link = page.getByRole("main").getByRole("link", { name: "Kesto Vann" }).first();
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Kesto Vann" })).toBeFocused();
  await expect(page).toHaveTitle(/^Kesto Vann/);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - article:
        - img "Kesto Vann"
        - link "BACK TO ARTISTS"
        - heading "Kesto Vann" [level=1]
        - region "BIO":
          - heading "BIO" [level=2]
        - region "DISCOGRAPHY":
          - heading "DISCOGRAPHY" [level=2]
          - list:
            - listitem:
              - heading [level=3]
              - button "PLAY"
  `);
  await page.getByRole("link", { name: "BACK TO ARTISTS" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "ARTISTS" })).toBeFocused();
});

test("a refused demo says at each field what is wrong with it", async ({ page }) => {
  await page.goto("/artists?dialog=demo");
  const dialog = page.getByRole("dialog", { name: "SUBMIT A DEMO" });
  const file = dialog.getByRole("button", { name: /^Demo file/ });
  await expect(file).toHaveAccessibleDescription("Required");
  await dialog.getByLabel("Email").fill("mira");
  await dialog.getByRole("button", { name: "SUBMIT DEMO" }).click();
  await expect(dialog).toMatchAriaSnapshot(`
    - dialog "SUBMIT A DEMO":
      - banner:
        - heading "SUBMIT A DEMO" [level=2]
        - button "CLOSE"
      - form "Demo":
        - group:
          - textbox "Artist name" [invalid]
          - alert: Please fill in all required fields and select a demo file.
          - textbox "Email" [invalid]: mira
          - alert: Please enter a valid email address
          - textbox "Message (optional)"
          - button /Demo file Choose a file/
          - alert: Please fill in all required fields and select a demo file.
        - button "SUBMIT DEMO"
  `);
  await expect(file).toHaveAccessibleDescription(/^Required Please fill in all required fields/);
});

test("the login is a dialog with two tabs", async ({ page }) => {
  await page.goto("/store?dialog=login");
  const dialog = page.getByRole("dialog", { name: "TERMINAL ACCESS" });
  await expect(dialog).toMatchAriaSnapshot(`
    - dialog "TERMINAL ACCESS":
      - banner:
        - heading "TERMINAL ACCESS" [level=2]
        - button "CLOSE"
      - tablist "Access":
        - tab "LOGIN" [selected]
        - tab "SIGN UP"
      - tabpanel "LOGIN":
        - form "Login":
          - textbox "Email or username"
          - textbox "Password"
          - button "SHOW PASSWORD"
          - button "LOG IN"
          - button "Forgot password?"
  `);
  await dialog.getByRole("button", { name: "LOG IN" }).click();
  await expect(dialog.getByLabel("Email or username")).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByLabel("Email or username")).toBeFocused();
});

test("a refused release says once in a list what is wrong, and at the field", async ({
  page,
  site,
}) => {
  await openDashboard(page, site, "releases");
  const name = await page.getByRole("article").first().getAttribute("aria-label");
  const dialog = await editRow(page, name ?? "");
  await dialog.getByLabel("Title").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toMatchAriaSnapshot(`
    - dialog "Edit Release":
      - form "Edit Release":
        - textbox "Title" [invalid]
        - paragraph: Title is required
        - combobox "Artist"
        - textbox "Release Date"
        - group "Cover Image":
          - button "Upload Cover Image"
        - switch "Featured"
        - contentinfo:
          - group "Messages":
            - alert:
              - list "What is wrong":
                - listitem: Title is required
          - button "Save"
  `);
  await expect(dialog.getByLabel("Title")).toHaveAccessibleDescription("Title is required");
});

/** Sends a demo in, without the dialog. */
async function sendDemo(page: Page, artist: string): Promise<void> {
  const file = makeMp3(40);
  const metadata = Object.entries({
    artist_name: artist,
    email: "sender@example.org",
    filename: "mix.mp3",
  }).map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`);
  const created = await page.request.post("/api/demos", {
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(file.length),
      "Upload-Metadata": metadata.join(","),
    },
  });
  await expect(created, await created.text()).toBeOK();
  const sent = await page.request.patch(created.headers().location ?? "", {
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": "0",
      "Content-Type": "application/offset+octet-stream",
    },
    data: file,
  });
  await expect(sent, await sent.text()).toBeOK();
}

for (const width of [390, 1440]) {
  test(`what was sent in is a table at ${width} px`, async ({ page, site }) => {
    const artist = `Sender ${randomBytes(4).toString("hex")}`;
    await page.setViewportSize({ width, height: 900 });
    await sendDemo(page, artist);
    await openDashboard(page, site, "media");
    const table = page.getByRole("table", { name: /^Demo Submissions/ });
    await expect(table.getByRole("row", { name: new RegExp(artist) })).toBeVisible();
    await expect(table).toMatchAriaSnapshot(`
      - table "Demo Submissions, the newest first":
        - rowgroup:
          - row:
            - columnheader "Artist"
            - columnheader "File Name"
            - columnheader "Size"
            - columnheader "Submitted"
            - columnheader "Actions"
        - rowgroup:
          - row:
            - cell /${artist}/
            - cell /mix\\.mp3/
            - cell /(KB|MB|Bytes)$/
            - cell /^\\d{4}\\.\\d{2}\\.\\d{2} \\d{2}:\\d{2}$/
            - cell:
              - button "Play ${artist}"
              - link "Download ${artist}"
              - button "Delete ${artist}"
    `);
  });
}
