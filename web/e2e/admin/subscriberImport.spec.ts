// Importing subscribers: the ZIP that Mailchimp exports, checked, written, and undone.
import { makeZip } from "../audio.ts";
import { WIDTHS } from "../routes.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../test.ts";
import { openDashboard } from "./dashboard.ts";

const AT = "2024-01-31 12:34:56";
const SUBSCRIBED = Array.from({ length: 2000 }, (_, n) => {
  const confirmed = n % 4 === 0 ? "" : AT;
  return `listener-with-a-rather-long-name-${n}@example.org,Fan ${n},${AT},${confirmed},${n}`;
});
const ZIP = makeZip({
  "subscribed_email_audience_export_1a2b.csv": Buffer.from(
    ["Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LEID", ...SUBSCRIBED, "no address,,,,"].join(
      "\n",
    ),
  ),
  "unsubscribed_email_audience_export_1a2b.csv": Buffer.from(
    `Email Address,UNSUB_TIME\nleft@example.org,${AT}\nstranger@example.org,${AT}\n`,
  ),
  "cleaned_email_audience_export_1a2b.csv": Buffer.from("Email Address,CLEAN_TIME\n"),
  "granular_activity.json": Buffer.from("{}"),
});

test("a list of another program is checked, imported by keyboard and undone", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "newsletter");
  const left = await page.request.post(`${site.url}/api/newsletter`, {
    data: { subscriber_email: "left@example.org" },
  });
  await expect(left).toBeOK();
  await page.getByRole("button", { name: "Import", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Import Subscribers" });
  const file = { name: "audience.zip", mimeType: "application/zip", buffer: ZIP };
  await dialog.getByLabel("CSV, TSV or ZIP file").setInputFiles(file);
  const verdicts = dialog.getByRole("list", { name: "Verdicts" });
  await expect(verdicts).toContainText("New, confirmed: 1500");
  await expect(verdicts).toContainText("Left: 1");
  await expect(dialog.getByText("Not read: granular_activity.json")).toBeVisible();
  await expect(dialog.getByText("The first 1503 of 2003.")).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }

  await dialog.getByLabel("Rows to show").selectOption("refused");
  // Rows are drawn when they come near.
  await dialog.getByRole("list", { name: "Rows of the list" }).hover();
  await expect(dialog.getByText("This is no email address")).toBeVisible();
  await dialog.getByRole("button", { name: "Import 2002 addresses" }).focus();
  await page.keyboard.press("Enter");
  await expect(
    dialog.getByText("Imported: 1500 confirmed, 500 unconfirmed, 1 made inactive, 2 kept out."),
  ).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("definition")).toHaveText("2000");

  await page.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByRole("button", { name: "Undo import of audience.zip" }).click();
  await expect(dialog.getByText("2000 deleted, 1 active again.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("definition")).toHaveText("1");
});

test("a CSV in other words is read once its column is named, and undone at the end", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "newsletter");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import Subscribers" });
  const lines = ["Adres;Imię", "łucja@example.org;Łucja", "anna@example.org;Anna", "anna@;Anna"];
  const file = { name: "fani.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) };
  await dialog.getByLabel("CSV, TSV or ZIP file").setInputFiles(file);
  await expect(dialog.getByText("Please say which column is the email address.")).toBeVisible();
  await dialog.getByLabel("Field of Adres").selectOption("Email address");
  await expect(dialog.getByRole("list", { name: "Verdicts" })).toContainText("Problem: ");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^Import \d/ }).click();
  await dialog.getByRole("button", { name: "Undo Import" }).click();
  await expect(dialog.getByText("The import is undone.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("No subscribers yet")).toBeVisible();
});
