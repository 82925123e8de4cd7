import { type BrowserContextOptions, test as base } from "@playwright/test";
import { WIDTHS } from "../e2e/routes.ts";
import { writeIndex } from "./album.ts";
import { from, type Label, openLabel } from "./label.ts";
import { SCREENS } from "./screens.ts";
import { SCREEN_HEIGHT, still, take } from "./stage.ts";

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
});

for (const { name, as, isDialog = false, only, open, leave } of SCREENS) {
  for (const width of WIDTHS.filter((one) => only === undefined || only === one)) {
    test(`${name} at ${width} px`, async ({ browser, label }, { project }) => {
      const context = await browser.newContext({
        ...(project.use as BrowserContextOptions),
        baseURL: label.site.url,
        viewport: { width, height: SCREEN_HEIGHT },
        reducedMotion: "reduce",
        extraHTTPHeaders: from(100),
        ...(as ? { storageState: label[as] } : {}),
      });
      await still(context, label.ids);
      const page = await context.newPage();
      await open(page, label);
      await take(page, name, isDialog);
      await context.close();
      await leave?.(label);
    });
  }
}

test("the index", () => writeIndex());
