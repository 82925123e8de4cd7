// @vitest-environment node
import { beforeAll, describe, expect, it } from "vitest";
import { buildPaint, engine, firstView, PAGES } from "./testing/painted.ts";

let code: string;

beforeAll(() => {
  code = buildPaint();
}, 120_000);

describe.each(Object.entries(PAGES))("the page %s", (address, { view, says }) => {
  it("is painted whole, and says nothing to the log", async () => {
    const { paint, said } = engine(code);
    const html = await paint(address, view);
    for (const words of [...says, "Dead &amp; Wax", "QUICK LINKS"]) expect(html).toContain(words);
    // The content security policy forbids them.
    expect(html).not.toMatch(/\s(?:style|on\w+)="/);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("hairline-skeleton");
    expect(said).toEqual([]);
  });
});

describe("painting", () => {
  it.each([
    ["/artists/404", "/api/artists/404", "ARTIST NOT FOUND", "RETURN TO ARTISTS"],
    ["/releases/-", "/api/releases/-", "Oops! Page not found", "RETURN TO RELEASES"],
  ])("says at %s that nothing is there", async (address, url, ...words) => {
    const view = JSON.parse(firstView());
    view.queries.push({ url, body: null, is_absent: true });
    const { paint, said } = engine(code);
    const html = await paint(address, JSON.stringify(view));
    for (const text of words) expect(html).toContain(text);
    expect(html).not.toContain("hairline-skeleton");
    expect(said).toEqual([]);
  });

  it("shows the notice of a page in maintenance, and nothing of the page", async () => {
    const { paint } = engine(code);
    const setting = { page_key: "store", is_maintenance_mode: true, maintenance_message: "Soon." };
    const view = JSON.parse(firstView()) as { queries: { body: unknown }[] };
    view.queries = [{ ...view.queries[0], body: { items: [setting] } }];
    const html = await paint("/store", JSON.stringify(view));
    expect(html).toContain("MAINTENANCE");
    expect(html).toContain("Soon.");
    expect(html).not.toContain("COMING SOON");
  });

  it("gives the same for the same data, whatever was painted before and meanwhile", async () => {
    const { paint } = engine(code);
    const first = await Promise.all(Object.entries(PAGES).map(([at, { view }]) => paint(at, view)));
    const other = firstView(["/api/content", { items: [{ key: "hero_main_title", value: "X" }] }]);
    await paint("/", other.replace("Dead & Wax", "Another"));
    const again = await Promise.all(Object.entries(PAGES).map(([at, { view }]) => paint(at, view)));
    expect(again).toEqual(first);
    expect(again.join()).not.toContain("Another");
  });

  it("leaves out what a visitor's own address asks for", async () => {
    const { paint } = engine(code);
    const view = PAGES["/"]?.view ?? "";
    expect(await paint("/?dialog=login", view)).toBe(await paint("/", view));
  });

  it.each(["/admin", "/profile", "/auth/welcome"])(
    "refuses %s, which is nobody's to see",
    async (address) => {
      await expect(engine(code).paint(address, firstView())).rejects.toThrow();
    },
  );

  it("refuses what is no first view", async () => {
    await expect(engine(code).paint("/", "{")).rejects.toThrow();
  });

  it("weighs little, and has nothing of the dashboard, the dialogs or the rules in it", () => {
    expect(code.length).toBeLessThan(430_000);
    expect(code).toContain("COMING SOON");
    for (const alien of ["Admin Dashboard", "TERMINAL ACCESS", "tus-resumable"]) {
      expect(code.toLowerCase()).not.toContain(alien.toLowerCase());
    }
  });
});
