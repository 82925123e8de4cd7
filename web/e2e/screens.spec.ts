// Every screen there is a picture of, by the same ways: nothing on it is wrong for anybody who reads it otherwise, it fits,
// and the focus is seen wherever it can be.
import type { Page } from "@playwright/test";
import { type Label, openLabel } from "../screens/label.ts";
import { SCREENS } from "../screens/screens.ts";
import { WIDTHS } from "./routes.ts";
import { test as base, expect, expectAccessible, expectNoSidewaysScroll } from "./test.ts";

const test = base.extend<object, { label: Label }>({
  label: [
    async ({ browser }, use) => {
      const label = await openLabel(browser);
      await use(label);
      await label.desk.dispose();
      await label.site.remove();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  site: [async ({ label }, use) => use(label.site), { scope: "worker" }],
});

// What Chromium says of answers that were no success, as many screens want them, and the page of reads that failed.
test.use({ expectedMessages: /Failed to load resource|^Reading .* failed/ });

for (const { name, as, only, open, leave } of SCREENS) {
  test(`${name} is accessible, fits, and shows the focus`, async ({ page, context, label }) => {
    const widths = WIDTHS.filter((width) => only === undefined || only === width);
    await page.setViewportSize({ width: widths[0] ?? 0, height: 800 });
    if (as) await context.addCookies(label[as].cookies);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, label);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    await expectFocusIsSeen(page);
    await leave?.(label);
  });
}

/** Goes through everything that can have the focus, and fails for what does not show it in the signal, two pixels wide. */
async function expectFocusIsSeen(page: Page): Promise<void> {
  // Pressing a key makes the browser show the focus, also where a script moves it.
  await page.keyboard.press("Tab");
  const unmarked = await page.evaluate(() => {
    const signal = getComputedStyle(document.documentElement).getPropertyValue("--color-signal");
    const probe = document.createElement("i");
    probe.style.color = signal;
    document.body.append(probe);
    const wanted = getComputedStyle(probe).color;
    probe.remove();
    const stops = document.querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, summary, audio[controls], [tabindex]",
    );
    return [...stops].flatMap((stop) => {
      if (stop.tabIndex < 0 || stop.closest("[inert], [aria-hidden=true]")) return [];
      stop.focus({ preventScroll: true });
      if (document.activeElement !== stop) return [];
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(stop);
      // The terminal's prompt is marked by the line above all of it.
      const row = stop.closest("form[aria-label=Terminal]");
      if (stop.matches("input") && row && getComputedStyle(row).borderTopColor === wanted)
        return [];
      const isSeen =
        outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2 && outlineColor === wanted;
      return isSeen
        ? []
        : [`${stop.outerHTML.slice(0, 120)}: ${outlineWidth} ${outlineStyle} ${outlineColor}`];
    });
  });
  expect(unmarked, "stops that do not show the focus").toEqual([]);
}
