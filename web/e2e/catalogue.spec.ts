import { answerPlayers, expect, FAILED_RESOURCE, test } from "./test.ts";

interface Release {
  title: string;
  date_label: string;
  catalog: string | null;
  embed_url: string | null;
  spotify_url: string | null;
  soundcloud_url: string | null;
  artist: { id: string; name: string } | null;
}
interface Artist {
  id: string;
  name: string;
  bio_label: string;
  release_count: number;
  release_count_label: string;
  social_links: { website: string | null; twitter: string | null };
  instagram_url: string | null;
}

test.describe("releases", () => {
  test("are listed newest first with title, artist, catalogue number and date", async ({
    page,
    request,
  }) => {
    const { items } = (await (await request.get("/api/releases")).json()) as { items: Release[] };
    await page.goto("/releases");
    const cards = page.getByRole("article");
    await expect(cards.nth(2)).toBeVisible();
    for (const [index, release] of items.slice(0, 5).entries()) {
      const card = cards.nth(index);
      await expect(card).toContainText(release.title);
      await expect(card).toContainText(release.date_label);
      await expect(card).toContainText(release.artist?.name ?? "Unknown Artist");
      if (release.catalog) await expect(card).toContainText(release.catalog);
    }
  });

  test("are searched by title, artist and number, and by the address", async ({ page }) => {
    await page.goto("/releases");
    const field = page.getByRole("searchbox", { name: "Search releases" });
    const cards = page.getByRole("article");
    await field.pressSequentially("kesto VANN");
    await expect(page).toHaveURL("/releases?q=kesto+VANN");
    await expect(page.getByText(/^\d+ FOUND$/)).toBeVisible();
    await expect(cards.filter({ hasNotText: "Kesto Vann" })).toHaveCount(0);
    await expect(cards.first()).toContainText("Kesto Vann");
    await expect(field).toBeFocused();
    await field.fill("404-046");
    await expect(page.getByText("1 FOUND")).toBeVisible();
    await expect(cards).toHaveCount(1);
    await expect(cards).toContainText("Dead Air Protocol");
    await page.getByRole("link", { name: "Dead Air Protocol" }).click();
    await expect(page).toHaveURL("/releases/404-046");
    await page.goBack();
    await expect(page).toHaveURL("/releases?q=404-046");
    await expect(field).toHaveValue("404-046");
    await expect(cards).toHaveCount(1);
    await page.reload();
    await expect(field).toHaveValue("404-046");
    await expect(cards).toHaveCount(1);
    await field.fill("404");
    await expect(page).toHaveURL("/releases?q=404");
    await field.fill("no such record");
    await expect(page.getByText("NO RELEASES FOUND")).toBeVisible();
    await field.fill("");
    await expect(page).toHaveURL("/releases");
    await expect(cards.nth(20)).toBeAttached();
  });

  test("play one at a time, and only after PLAY does anything outside the label load", async ({
    page,
    context,
    request,
  }) => {
    const asked = await answerPlayers(context);
    const { items } = (await (await request.get("/api/releases")).json()) as { items: Release[] };
    const players = items.filter(({ embed_url }) => embed_url !== null);
    await page.goto("/releases");
    await expect(page.getByRole("article").first()).toBeVisible();
    expect(asked).toEqual([]);

    await page.getByRole("button", { name: /PLAY/ }).first().click();
    const frame = page.locator("iframe");
    await expect(frame).toHaveCount(1);
    await expect(frame).toHaveAttribute("src", players[0]?.embed_url ?? "");
    // The frame and the player inside it: no line takes anything of the height.
    expect((await frame.boundingBox())?.height).toBe(152);
    expect(await frame.evaluate((element) => element.clientHeight)).toBe(152);
    await expect(frame).toHaveAttribute("sandbox", /\ballow-popups-to-escape-sandbox\b/);
    await expect.poll(() => asked).toEqual([players[0]?.embed_url]);

    await page.getByRole("button", { name: /PLAY/ }).first().click();
    await expect(frame).toHaveCount(1);
    await expect(frame).toHaveAttribute("src", players[1]?.embed_url ?? "");

    await page.getByRole("button", { name: /PAUSE/ }).click();
    await expect(frame).toHaveCount(0);
  });

  test("without a link have no PLAY, and links out open in a tab that knows nothing of this one", async ({
    page,
    request,
  }) => {
    const { items } = (await (await request.get("/api/releases?limit=100")).json()) as {
      items: Release[];
    };
    const silent = items.find(
      ({ embed_url, spotify_url, soundcloud_url }) => !embed_url && !spotify_url && !soundcloud_url,
    );
    expect(silent, "the sample catalogue has a release without links").toBeTruthy();
    await page.goto("/releases");
    const card = page.getByRole("article").filter({ hasText: silent?.title ?? "" });
    await expect(card.getByRole("button", { name: /PLAY/ })).toHaveCount(0);
    const outside = page.locator('article a[href^="https://"]');
    expect(await outside.count()).toBeGreaterThan(0);
    for (const link of await outside.all()) {
      await expect(link).toHaveAttribute("target", "_blank");
      await expect(link).toHaveAttribute("rel", /noopener/);
      await expect(link).toHaveAccessibleName(/./);
    }
  });

  test("show their whole address on a phone whose browser refuses to copy it", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
    });
    await page.goto("/releases/404-046");
    await page.getByRole("button", { name: "SHARE" }).click();
    const address = page.getByRole("textbox", { name: "URL of Dead Air Protocol" });
    await expect(address).toBeFocused();
    const cut = await address.evaluate((field) => field.scrollHeight - field.clientHeight);
    expect(cut, "pixels of the address that are cut off").toBeLessThanOrEqual(1);
  });

  test("lead to their artist", async ({ page }) => {
    await page.goto("/releases");
    const link = page.locator('article a[href^="/artists/"]').first();
    const name = await link.innerText();
    await link.click();
    await expect(page).toHaveURL(/\/artists\/[0-9a-f-]{36}$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name, { ignoreCase: true });
  });
});

test.describe("artists", () => {
  test("are listed alphabetically with bio and release count", async ({ page, request }) => {
    const { items } = (await (await request.get("/api/artists")).json()) as { items: Artist[] };
    await page.goto("/artists");
    const names = page.getByRole("main").getByRole("heading", { level: 2 });
    await expect(names.first()).toBeVisible();
    const shown = await names.allInnerTexts();
    expect(shown.slice(0, items.length).map((name) => name.toLowerCase())).toEqual(
      items.map(({ name }) => name.toLowerCase()),
    );
    await expect(page.getByRole("main")).toContainText(items[0]?.release_count_label ?? "");
    await expect(page.getByRole("main")).toContainText(items[0]?.bio_label ?? "");
  });

  test("show avatar and links on hover and on keyboard focus, and always where there is no hover", async ({
    page,
    request,
    browser,
  }) => {
    const { items } = (await (await request.get("/api/artists")).json()) as { items: Artist[] };
    const linked = items.find(
      ({ instagram_url, social_links }) => instagram_url || social_links.website,
    );
    expect(linked).toBeTruthy();
    const address = linked?.instagram_url ?? linked?.social_links.website ?? "";
    await page.goto("/artists");
    const link = page.locator(`a[href="${address}"]`);
    await expect(link).toHaveCount(1);
    const visible = () =>
      link.evaluate((element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
      );
    expect(await visible()).toBe(false);
    await page.getByRole("heading", { name: linked?.name ?? "", exact: true }).hover();
    await expect.poll(visible).toBe(true);
    await page.mouse.move(0, 0);
    await expect.poll(visible).toBe(false);
    await page
      .getByRole("main")
      .getByRole("link", { name: linked?.name ?? "" })
      .first()
      .focus();
    await expect.poll(visible).toBe(true);

    const touch = await browser.newContext({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 800 },
    });
    const phone = await touch.newPage();
    await phone.goto(page.url());
    await expect(phone.locator(`a[href="${address}"]`)).toBeVisible();
    await touch.close();
  });

  test("have a page with biography, discography and a way back", async ({ page, request }) => {
    const { items } = (await (await request.get("/api/artists")).json()) as { items: Artist[] };
    const artist = items.find(({ release_count }) => release_count > 1);
    await page.goto(`/artists/${artist?.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(artist?.name ?? "", {
      ignoreCase: true,
    });
    await expect(page.getByText("BIO", { exact: true })).toBeVisible();
    const discography = (await (
      await request.get(`/api/releases?artist_id=${artist?.id}`)
    ).json()) as { items: (Release & { catalog_label: string })[] };
    for (const release of discography.items) {
      await expect(page.getByRole("main")).toContainText(release.title);
      await expect(page.getByRole("main")).toContainText(release.catalog_label);
    }
    await page.getByRole("link", { name: /back/i }).click();
    await expect(page).toHaveURL(/\/artists$/);
  });

  test.describe("that do not exist", () => {
    test.use({ expectedMessages: FAILED_RESOURCE });

    test("answer 404 and ARTIST NOT FOUND", async ({ page }) => {
      for (const id of [
        "019aa000-0000-7000-8000-000000000000",
        "not-an-id",
        "%00",
        "..%2f..%2fetc",
      ]) {
        const answer = await page.goto(`/artists/${id}`);
        expect(answer?.status(), id).toBe(404);
        await expect(page.getByText("ARTIST NOT FOUND"), id).toBeVisible();
        await page.getByRole("main").getByRole("link").first().click();
        await expect(page, id).toHaveURL(/\/artists$/);
      }
    });
  });
});
