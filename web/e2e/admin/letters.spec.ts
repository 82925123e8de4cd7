// Letters to the subscribers: written, announced, sent through a real mail server, read in the archive, and left.
import { request } from "node:http";
import type { Locator, Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { DnsServer } from "../dnsServer.ts";
import { MailServer } from "../mailServer.ts";
import { OTHER_WIDTHS, WIDTHS } from "../routes.ts";
import type { Site } from "../site.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../test.ts";
import { AT_ONCE, editRow, openDashboard } from "./dashboard.ts";

/** Makes these the only subscribers. */
function subscribe(site: Site, count: number): void {
  site.sql("DELETE FROM newsletter_subscriptions");
  site.sql(
    `INSERT INTO newsletter_subscriptions (id, email, consent, leave_token, subscribed_at, created_at, updated_at)
     SELECT gen_random_uuid(), 'fan-' || n || '@example.org', 'confirmed', md5(n::text), n, 1, 1
     FROM generate_series(1, ${count}) n`,
  );
}

async function expectLook(page: Page): Promise<void> {
  for (const width of [...WIDTHS, ...OTHER_WIDTHS]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessible(page);
}

async function addPart(editor: Locator, kind: string): Promise<Locator> {
  await editor.getByRole("button", { name: `Add + ${kind}` }).click();
  return editor.getByRole("group", { name: new RegExp(`^Part \\d+: ${kind}$`) }).last();
}

const LONG_ADDRESS = "https://label.example/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf";

test("a letter is written part by part, previewed in five ways, sent and taken back", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: true, engine: "postgres" });
  subscribe(site, 3);
  await openDashboard(page, site, "newsletter");
  await page.getByRole("button", { name: "NEW LETTER" }).click();
  const editor = page.getByRole("dialog", { name: "Edit Letter" });
  await editor.getByLabel("Subject").fill("Four sides of static");
  await editor.getByLabel("Preview Line").fill("Pressed in Łódź 📀");
  const heading = await addPart(editor, "Heading");
  await heading.getByLabel("Heading").fill("Out <now>");
  const words = await addPart(editor, "Text");
  await words
    .getByLabel("Text")
    .fill(`Cut **loud**, and [listed](https://label.example/list). ${LONG_ADDRESS}`);
  const button = await addPart(editor, "Button");
  await button.getByLabel("Words").fill("Hear it");
  await button.getByLabel("Link").fill("https://label.example/hear");
  const release = await addPart(editor, "Release");
  await release.getByRole("button", { name: "Choose Release" }).click();
  const choice = page.getByRole("dialog", { name: "Choose a Release" });
  await choice.getByRole("listitem").first().getByRole("button").click();
  // The button above the text.
  await button.focus();
  await page.keyboard.press("Alt+ArrowUp");

  const preview = editor.getByRole("region", { name: "Preview" });
  const mail = preview.frameLocator("iframe");
  await expect(mail.getByRole("heading", { name: "Out <now>" })).toBeVisible();
  await expect(mail.getByRole("link", { name: "listed" })).toBeVisible();
  await expect(mail.locator("body")).toContainText(/Hear it[\s\S]*Cut loud/);
  const show = (view: string) => preview.getByRole("button", { name: view, exact: true }).click();
  await show("Narrow");
  await expect(preview.locator("iframe")).toHaveCSS("width", "320px");
  const excess = () => mail.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
  await expect.poll(excess).toBe(0);
  await show("Dark");
  const ground = () => mail.locator("body").evaluate((body) => getComputedStyle(body).colorScheme);
  await expect.poll(ground).toBe("dark");
  await show("Without Pictures");
  await expect(mail.locator("img[src]")).toHaveCount(0);
  await show("Text");
  await expect(preview).toContainText("Leave the list:");
  await show("Wide");
  await expectLook(page);

  await expect(editor.getByText("Save the letter first.")).toBeVisible();
  await editor.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "Letter saved");
  const sending = editor.getByRole("region", { name: "Sending" });
  await expect(sending).toContainText("letters are captured as files, not sent");
  await sending.getByRole("button", { name: "SEND" }).click();
  const question = page.getByRole("alertdialog", { name: "Send to 3 subscribers?" });
  await expect(question).toContainText("It begins in a minute, in which you can undo it.");
  await question.getByRole("button", { name: "CANCEL" }).click();
  await sending.getByRole("button", { name: "SEND" }).click();
  await question.getByRole("button", { name: "SEND" }).click();
  const sent = page.getByRole("dialog", { name: "Four sides of static" });
  await expect(sent.getByRole("button", { name: "UNDO" })).toBeVisible();
  await expectAccessible(page);
  await sent.getByRole("button", { name: "UNDO" }).click();
  await expect(editor.getByLabel("Subject")).toHaveValue("Four sides of static");
  expect(site.sql("SELECT state, version > 1 FROM letters")).toBe("draft|t");
});

test("a release is announced, goes out with a pause, is read in the archive, and one recipient leaves", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const mails = await MailServer.start();
  const site = await startSite({ sample: true, engine: "postgres", settings: mails.settings });
  subscribe(site, 50);
  await openDashboard(page, site, "newsletter");
  await page.getByRole("button", { name: "PACE AND ADDRESS" }).click();
  await page.getByLabel("A second").fill("10");
  await page.getByLabel("Postal address").fill("Static Row 4\n04040 Leipzig");
  await page.getByRole("button", { name: "SAVE", exact: true }).click();
  await expect(page.getByLabel("Postal address")).toBeHidden();

  await page.getByRole("tab", { name: "Releases" }).click();
  const title = await page.getByRole("article").first().getByRole("heading").innerText();
  const release = await editRow(page, title);
  await release.getByRole("button", { name: "Announce in a Letter" }).click();
  const editor = page.getByRole("dialog", { name: "Edit Letter" });
  const subject = await editor.getByLabel("Subject").inputValue();
  expect(subject).toContain(title);
  await editor.getByRole("button", { name: "SEND", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Send to 50 subscribers?" });
  await expect(question).toContainText("Sending takes");
  await question.getByRole("button", { name: "SEND" }).click();
  const letter = page.getByRole("dialog", { name: subject });
  await expect(letter.getByRole("button", { name: "UNDO" })).toBeVisible();
  // As if the minute of UNDO had passed.
  site.sql(
    "UPDATE letters SET goes_out_at = began.at FROM (SELECT (extract(epoch FROM now()) * 1000000)::bigint AS at) began",
  );

  await letter.getByRole("button", { name: "PAUSE" }).click();
  const sending = letter.getByRole("region", { name: "Sending" });
  await expect(sending.getByRole("status")).toHaveText("An admin paused it.");
  await expect(letter.getByRole("progressbar", { name: "Sending" })).toBeVisible();
  await expectLook(page);
  const before = mails.letters.length;
  expect(before).toBeLessThan(50);
  await letter.getByRole("button", { name: "RESUME" }).click();
  await expect(sending.getByRole("status")).toContainText(/^Sent /, { timeout: 20_000 });
  expect(new Set(mails.letters.map(({ to }) => to)).size).toBe(50);
  expect(mails.letters).toHaveLength(50);

  const [first, second] = mails.letters;
  if (!first || !second) throw new Error("no letter");
  expect(first.text).toMatch(/Static Row 4\r?\n04040 Leipzig/);
  expect(await leaveByOneClick(first.header("list-unsubscribe"))).toEqual([200, ""]);
  await expect(letter.getByRole("term").filter({ hasText: "Left" })).toBeVisible(AT_ONCE);
  await expectAccessible(page);
  expect(site.sql("SELECT count(*) FROM newsletter_subscriptions WHERE active")).toBe("49");

  const visitor = await openBrowser();
  await visitor.goto(`${site.url}/letters`);
  await expectLook(visitor);
  await visitor.getByRole("link", { name: subject }).click();
  await expect(visitor.getByRole("article", { name: subject })).toContainText(title);
  await expectLook(visitor);
  const feed = await visitor.request.get(`${site.url}/letters.xml`);
  expect(feed.headers()["content-type"]).toContain("atom+xml");
  expect(await feed.text()).toContain(new URL(visitor.url()).pathname);

  const leave = /https?:\/\/\S+\/newsletter\/leave\/\S+/.exec(second.text)?.[0] ?? "";
  await visitor.goto(leave);
  await visitor.getByRole("button", { name: "LEAVE THE LIST" }).click();
  await expect(visitor.getByRole("heading", { name: "YOU ARE OFF THE LIST." })).toBeVisible();
  await visitor.getByRole("button", { name: "COME BACK" }).click();
  await expect(visitor.getByRole("heading", { name: "YOU ARE BACK ON THE LIST." })).toBeVisible();
  expect(site.sql("SELECT count(*) FROM newsletter_subscriptions WHERE active")).toBe("49");
  mails.stop();
});

const HEADERS = `From: mail@label.example
Authentication-Results: mx.label.example; spf=pass; dkim=pass header.d=label.example; dmarc=pass
DKIM-Signature: v=1; d=label.example; h=From:List-Unsubscribe:List-Unsubscribe-Post; b=x
`;

const PROVIDER = {
  "mailgun.org": { TXT: ["v=spf1 ip4:192.0.2.0/24 ~all"] },
  "smtp.mailgun.org": { A: ["192.0.2.7"] },
};

test.describe("the arrival of letters", () => {
  // The first headers are refused.
  test.use({ expectedMessages: /status of 422/ });

  test("what speaks against arrival is found, its record is entered in the DNS, and then it passes", async ({
    page,
    startSite,
  }) => {
    const dns = await DnsServer.start();
    await dns.set({ ...PROVIDER, "label.example": { MX: [[10, "mx.label.example"]] } });
    const site = await startSite({
      sample: true,
      engine: "postgres",
      settings: {
        ...dns.settings,
        SMTP_URL: "smtps://user:password@smtp.mailgun.org",
        MAIL_FROM: "mail@label.example",
        CONTACT_TO: "mail@label.example",
      },
    });
    subscribe(site, 1);
    await openDashboard(page, site, "newsletter");
    const opener = page.getByRole("button", { name: "WILL IT ARRIVE?" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(opener).toHaveAttribute("aria-expanded", "true");
    const section = page.getByRole("region", { name: "Will it arrive?" });
    const found = section.getByRole("list", { name: "Found by looking it up" });
    const entry = (name: string) =>
      found.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
    await expect(entry("MX")).toContainText("Pass", AT_ONCE);
    await expect(entry("Leave link")).toContainText("Pass");
    await expect(entry("SPF")).toContainText("Fail");
    const record = (await entry("SPF").getByRole("code").innerText()).split(" TXT ")[1] ?? "";
    expect(record).toBe("v=spf1 include:mailgun.org ~all");
    await expectLook(page);

    await dns.set({
      "label.example": { TXT: [record], MX: [[10, "mx.label.example"]] },
      "_dmarc.label.example": { TXT: ["v=DMARC1; p=none"] },
    });
    await section.getByRole("button", { name: "CHECK AGAIN" }).click();
    await expect(entry("SPF")).toContainText("Pass");
    await expect(entry("DMARC")).toContainText("Pass");
    // The check that presses the link to leave leaves no trace.
    expect(site.sql("SELECT count(*) FROM newsletter_subscriptions WHERE active")).toBe("1");

    await section.getByRole("button", { name: "PASTE THE HEADERS" }).click();
    const pasted = section.getByLabel("Headers of a letter that arrived");
    await pasted.fill("Dear all,");
    await section.getByRole("button", { name: "READ THEM" }).click();
    await expect(
      section.getByText("Paste the whole headers of a letter that arrived"),
    ).toBeVisible();
    await expect(pasted).toHaveValue("Dear all,");
    await pasted.fill(HEADERS);
    await section.getByRole("button", { name: "READ THEM" }).click();
    const read = section.getByRole("list", { name: "Found in the headers" });
    await expect(read.getByRole("listitem").filter({ hasText: "DKIM" })).toContainText("Pass");
    await expectLook(page);
    dns.stop();
  });
});

/** A POST with nothing but the headers and the body of RFC 8058; its status and body. */
function leaveByOneClick(header: string): Promise<[number | undefined, string]> {
  const address = /^<(http[^>]+)>/.exec(header)?.[1] ?? "";
  return new Promise((answered, failed) => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const post = request(address, { method: "POST", headers }, async (answer) => {
      const body = await answer.toArray();
      answered([answer.statusCode, Buffer.concat(body).toString()]);
    });
    post.on("error", failed);
    post.end("List-Unsubscribe=One-Click");
  });
}
