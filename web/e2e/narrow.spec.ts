// Long words and narrow windows: words that fill a line alone, and windows in which elements could overlap.
import type { Page } from "@playwright/test";
import { enableFactor, makeAdmin, register, signIn } from "./accounts/person.ts";
import { openDashboard } from "./admin/dashboard.ts";
import { expect, expectNoSidewaysScroll, expectUncovered, test } from "./test.ts";

/** Messages about calls that were cut off. */
const LOST = /Failed to load resource|^Reading .* failed/;

const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk";

test("a release of long words fits every window", async ({ page, startSite }) => {
  const site = await startSite({ sample: false });
  await signIn(page, makeAdmin(site), site);
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(`${site.url}/api/admin/${path}`, { data });
    await expect(answer, await answer.text()).toBeOK();
    return answer.json();
  };
  const artist = await send("artists", { name: WORD });
  const slugs: string[] = [];
  for (const day of ["01", "02", "03"]) {
    const release = await send("releases", {
      title: WORD.repeat(3),
      artist_id: artist.id,
      release_date: `2031-02-${day}`,
      tracks: [{ title: WORD.repeat(2), artist: WORD, duration_seconds: 372 }],
      credits: [{ role: "Mastering", name: WORD.repeat(2) }],
    });
    slugs.push(release.slug);
  }
  for (const path of [`/releases/${slugs[1]}`, "/releases", `/artists/${artist.id}`, "/artists"]) {
    await page.goto(`${site.url}${path}`);
    await expect(page.getByText(WORD).first()).toBeVisible();
    for (const width of [320, 360, 414, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }
  }
});

test("an address without a space wraps in a message", async ({ page }) => {
  const address = `https://drive.example/file/d/${"1aBcDeFgHiJkLmNo".repeat(20)}/view`;
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    for (const [path, label] of [
      ["/contact", "Message"],
      ["/artists?dialog=demo", "Message (optional)"],
    ] as const) {
      await page.goto(path);
      const message = page.getByLabel(label, { exact: true });
      await message.fill(address);
      await expectNoSidewaysScroll(page);
      const room = await message.evaluate((field) => {
        const { right } = field.getBoundingClientRect();
        const around = field.closest("[role=dialog]") ?? document.documentElement;
        return { right: Math.round(right), wider: around.scrollWidth - around.clientWidth };
      });
      expect(room.wider).toBeLessThanOrEqual(0);
      expect(room.right).toBeLessThanOrEqual(width);
      await message.fill("");
    }
  }
});

test("what is typed into fits a narrow window with letters of twice the size", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [path, label] of [
    ["/contact", "Message"],
    ["/artists?dialog=demo", "Message (optional)"],
  ] as const) {
    await page.goto(path);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    const message = page.getByLabel(label, { exact: true });
    await expectNoSidewaysScroll(page);
    const right = await message.evaluate((field) => field.getBoundingClientRect().right);
    expect(Math.round(right)).toBeLessThanOrEqual(360);
  }
});

test("the menu closes by a whole word with large text", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/");
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  await page.getByRole("button", { name: "MENU" }).click();
  const close = page.getByRole("dialog").getByRole("button", { name: "CLOSE" });
  const lines = await close.evaluate((button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    return words.getClientRects().length;
  });
  expect(lines).toBe(1);
  await expectNoSidewaysScroll(page);
});

test("the page does not move behind the open menu", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/releases");
  const open = page.getByRole("button", { name: "MENU" });
  await open.click();
  const menu = page.getByRole("dialog");
  await menu.hover();
  await page.mouse.wheel(0, 600);
  await menu.getByRole("button", { name: "CLOSE" }).click();
  await expect(open).toBeInViewport({ ratio: 1 });
});

test("the sources of a picture take no place of their own", async ({ page }) => {
  await page.goto("/contact");
  const shown = await page.evaluate(() => {
    const grid = document.createElement("div");
    grid.style.display = "grid";
    grid.innerHTML = '<picture class="contents"><source srcset="/none.avif"></picture>';
    document.body.append(grid);
    return getComputedStyle(grid.querySelector("source") as Element).display;
  });
  expect(shown).toBe("none");
});

/** How many rows the text of an element takes. */
function rows(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ top }) => top)).size;
}

/** The word that the connection is lost stands below what is typed, and leaves again. */
async function expectUsableWhileLost(page: Page): Promise<void> {
  await page.route("**/api/**", (route) => route.abort());
  await page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
  await expect(page.getByText("CONNECTION LOST. RETRYING.")).toBeVisible();
  for (const control of [page.getByRole("button", { name: "SEND" }), page.getByLabel("COMMAND")]) {
    await expect(control).toBeInViewport({ ratio: 1 });
    await expectUncovered(control);
  }
  await page.unroute("**/api/**");
  await expect(page.getByText("CONNECTION LOST. RETRYING.")).toBeHidden();
}

test.describe("the terminal", () => {
  test.use({ expectedMessages: LOST });

  test("an admin sends a question at every width, also while the terminal is in maintenance", async ({
    page,
    startSite,
  }) => {
    const site = await startSite({ sample: true });
    await signIn(page, makeAdmin(site), site);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const command = page.getByLabel("COMMAND");
    const send = page.getByRole("button", { name: "SEND" });
    const log = page.getByRole("log");
    for (const isClosed of [false, true]) {
      if (isClosed) {
        const answer = await page.request.patch(`${site.url}/api/admin/maintenance/terminal`, {
          data: { is_maintenance_mode: true },
        });
        await expect(answer, await answer.text()).toBeOK();
      }
      await page.goto(`${site.url}/terminal`);
      await expect(page.getByRole("button", { name: "Admin Panel" })).toBeVisible();
      await expect(command).toBeEnabled();
      await expect(page.getByRole("note")).toHaveCount(isClosed ? 1 : 0);
      await expect(log.locator("time")).toHaveCount(4);
      for (const width of [320, 360, 768, 1440]) {
        await page.setViewportSize({ width, height: 740 });
        for (const control of [send, command]) {
          await expect(control).toBeInViewport({ ratio: 1 });
          await expectUncovered(control);
        }
        if (width === 360 && !isClosed) await expectUsableWhileLost(page);
        // Each is new: an answer may come from the cache.
        const question = `weather at ${width} ${isClosed ? "in rain" : "in snow"}`;
        await command.fill(question);
        await send.click();
        await expect(log.getByText(`NO MATCH FOR: ${question}`)).toBeVisible();
        for (const line of await log.locator("time").all()) {
          expect(await line.evaluate(rows), "rows that a time takes").toBe(1);
        }
      }
    }
  });
});

test("lists and dialogs of the dashboard fit a phone", async ({ page, startSite }) => {
  const site = await startSite({ sample: false });
  for (const email of ["two@long-address.example.org", "a-very-long-name@example.org"]) {
    const answer = await page.request.post(`${site.url}/api/newsletter`, {
      data: { subscriber_email: email, client_ip: null },
    });
    await expect(answer, await answer.text()).toBeOK();
  }
  await openDashboard(page, site, "newsletter");
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${site.url}/admin?tab=newsletter`);
    await expect(page.getByRole("row")).toHaveCount(3);
    await expectNoSidewaysScroll(page);
    await page.goto(`${site.url}/admin?tab=releases`);
    await expect(page.getByRole("button", { name: "Add Release" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Add Release" }).click();
    const dialog = page.getByRole("dialog", { name: "Add New Release" });
    const edges = new Set<number>();
    for (const name of [/^Title/, /^Catalog/, /^Release Date/, /^Format/]) {
      const box = await dialog.getByLabel(name).first().locator("xpath=..").boundingBox();
      edges.add(Math.round((box?.x ?? 0) + (box?.width ?? 0)));
    }
    expect([...edges], "where the fields end").toHaveLength(1);
  }
});

test("what to do without the phone takes the width of a narrow profile", async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, await register(site));
  await enableFactor(site, page);
  await page.goto("/profile");
  const box = await page.getByText(/^Phone lost\?/).boundingBox();
  expect(box?.width).toBeGreaterThanOrEqual(300);
});
