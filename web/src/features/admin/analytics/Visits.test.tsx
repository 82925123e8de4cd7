import { screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { anEditableRelease, keepRows, openTab } from "../../../testing/backOffice.ts";
import { answer, page, server } from "../../../testing/fakeApi.ts";
import { NO_VISITS, visitsOf } from "../../../testing/visits.ts";
import type { Numbers } from "./numbersQuery.ts";

beforeEach(() => localStorage.clear());

/** Answers by the span; collects the queries. */
function answerNumbers(by: (days: number) => Numbers): string[] {
  const asked: string[] = [];
  server.use(
    http.get("*/api/admin/numbers", ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      return HttpResponse.json(by(Number(searchParams.get("days"))));
    }),
  );
  return asked;
}

async function visits() {
  return within(await screen.findByRole("region", { name: "Visits" }));
}

async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document.body, {
    // The window of tests draws nothing.
    rules: { "color-contrast": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe("the visits", () => {
  it("say that nothing is counted yet", async () => {
    answerNumbers(() => NO_VISITS);
    openTab("analytics");
    const part = await visits();
    expect(await part.findByText(/Nothing counted yet; views appear within half a/)).toBeTruthy();
    expect(part.queryByRole("table")).toBeNull();
    expect(part.queryByRole("button", { name: /Export/ })).toBeNull();
    await expectAccessible();
  });

  it("say that a span cannot be read, instead of the numbers of before", async () => {
    answerNumbers(visitsOf);
    const { user } = openTab("analytics");
    const part = await visits();
    await part.findAllByRole("table");
    server.use(http.get("*/api/admin/numbers", () => new HttpResponse(null, { status: 503 })));
    await user.click(part.getByRole("radio", { name: "12 months" }));
    expect(await part.findByText("Failed to load data")).toBeTruthy();
    expect(part.queryByRole("table")).toBeNull();
  });

  it("do not call the highest fifty all", async () => {
    const places = Array.from({ length: 50 }, (_, n) => ({
      name: `Plate ${n}`,
      path: null,
      count: 9,
    }));
    answerNumbers((days) => ({ ...visitsOf(days), places }));
    openTab("analytics");
    const part = await visits();
    expect(await part.findByRole("button", { name: "Show More of Places" })).toBeTruthy();
  });

  it("of one day are words instead of a line", async () => {
    const month = visitsOf(30);
    answerNumbers(() => ({ ...month, first_day: month.days.at(-1)?.day ?? null, letters: [] }));
    openTab("analytics");
    const part = await visits();
    expect(await part.findByText(/One day so far: 20 views by 7 visitors\./)).toBeTruthy();
    expect(part.queryByRole("img")).toBeNull();
    expect(part.getByRole("table", { name: "Places" })).toBeTruthy();
  });

  it("of a month are totals, a line, tables and letters", async () => {
    const asked = answerNumbers(visitsOf);
    const { user } = openTab("analytics");
    const part = await visits();
    const places = within(await part.findByRole("table", { name: "Places" }));
    expect(asked).toEqual(["?days=30"]);
    expect(part.getByText("Searches without results").nextSibling?.textContent).toBe("18");
    expect(part.getByText("Left out: 1 310 views by robots", { exact: false })).toBeTruthy();
    expect(
      part.getByRole("img", { name: /Views and visitors a day since 2026.10.29/ }),
    ).toBeTruthy();
    const home = places.getByRole("link", { name: "Home" });
    expect(home.getAttribute("href")).toBe("/");
    expect(home.closest("tr")?.textContent).toBe("Home1 204");
    expect(places.queryByRole("rowheader", { name: "other" })).toBeNull();
    await user.click(part.getByRole("button", { name: "Show All 16 of Places" }));
    expect(places.getByRole("rowheader", { name: "other" })).toBeTruthy();
    expect(
      within(part.getByRole("table", { name: "Releases" }))
        .getAllByRole("columnheader")
        .map(({ textContent }) => textContent),
    ).toEqual(["Release", "Views", "Visitors", "Plays", "Shares", "Buttons"]);
    expect(
      within(part.getByRole("list", { name: "Letters on the line" }))
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(["12026.11.23Out now: Dead Air Protocol"]);
    await user.click(part.getByText("The days as a table"));
    const days = within(part.getByRole("table", { name: /Views and visitors of each day/ }));
    const rows = days.getAllByRole("row").map(({ textContent }) => textContent);
    expect(rows).toHaveLength(31);
    expect(rows.slice(0, 2)).toEqual(["DayViewsVisitors", "2026.11.27207"]);
    await expectAccessible();
  });

  it("of twelve months are drawn by weeks, and keep their days in the table", async () => {
    const asked = answerNumbers(visitsOf);
    const { user } = openTab("analytics");
    const part = await visits();
    await user.click(await part.findByRole("radio", { name: "12 months" }));
    expect(await part.findByText("Each point is an average day of a week")).toBeTruthy();
    expect(asked).toEqual(["?days=30", "?days=365"]);
    const chart = part.getByRole("img", { name: /Views and visitors/ });
    expect(chart.querySelectorAll("title")).toHaveLength(52);
    expect(part.getByText("2-3")).toBeTruthy();
    expect(part.getAllByRole("row").length).toBeGreaterThan(365);
    await expectAccessible();
  });

  it("have a row for each place, also where several have the same name", async () => {
    const removed = (count: number) => ({ name: "removed", path: null, count });
    const home = { name: "Home", path: "/", count: 6 };
    answerNumbers((days) =>
      visitsOf(days, {
        places: days === 30 ? [home, removed(5), removed(3)] : [removed(7), home, removed(4)],
      }),
    );
    vi.spyOn(console, "error").mockReturnValue();
    const { user } = openTab("analytics");
    const part = await visits();
    const places = within(await part.findByRole("table", { name: "Places" }));
    await user.click(part.getByRole("radio", { name: "7 days" }));
    await places.findByText("7");
    const rows = places.getAllByRole("row").map(({ textContent }) => textContent);
    expect(rows).toEqual(["PlaceViews", "removed7", "Home6", "removed4"]);
  });

  it("can be saved as a table", async () => {
    answerNumbers(visitsOf);
    const saved = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:numbers");
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    server.use(
      http.get(
        "*/api/admin/exports/numbers.csv",
        () => new HttpResponse("day\n", { headers: { "content-type": "text/csv" } }),
      ),
    );
    const { user } = openTab("analytics");
    await user.click(await (await visits()).findByRole("button", { name: /Export CSV/ }));
    await waitFor(() => expect(saved).toHaveBeenCalled());
  });

  it("say when counting is off, above what was counted before", async () => {
    answerNumbers(() => ({ ...NO_VISITS, is_on: false }));
    const { client } = openTab("analytics");
    const note = await (await visits()).findByRole("note");
    expect(note.textContent).toBe(
      "Visits are not counted: the server runs with DEADWAX_NUMBERS=off.",
    );
    expect(screen.queryByText(/Nothing counted yet/)).toBeNull();
    answerNumbers((days) => visitsOf(days, { is_on: false }));
    await client.invalidateQueries();
    await waitFor(() =>
      expect(note.textContent).toMatch(
        /Below is what was counted before, and what the server counts itself\.$/,
      ),
    );
    expect(screen.getByRole("table", { name: "Places" })).toBeTruthy();
  });

  it("that could not be read are asked for again by a button", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    server.use(
      http.get("*/api/admin/numbers", () => new HttpResponse(null, { status: 422 }), {
        once: true,
      }),
    );
    const { user } = openTab("analytics");
    const part = await visits();
    answerNumbers(visitsOf);
    await user.click(await part.findByRole("button", { name: "Try Again" }));
    expect(await part.findByRole("table", { name: "Places" })).toBeTruthy();
  });
});

describe("the numbers of a release", () => {
  it("are read when its editor's part is opened", async () => {
    const release = anEditableRelease();
    keepRows("/api/admin/releases", release);
    answer("/api/admin/artist-choices", page([]));
    const asked = answerNumbers((days) =>
      visitsOf(days, { places: [], sources: [], releases: [] }),
    );
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: `Edit ${release.title}` }));
    const dialog = within(await screen.findByRole("dialog"));
    const summary = await dialog.findByText("Numbers");
    expect(asked).toEqual([]);
    await user.click(summary);
    const shares = await dialog.findByText("Shares");
    expect(asked).toEqual([`?days=30&release=${release.id}`]);
    expect(shares.nextSibling?.textContent).toBe("31");
    expect(dialog.getByRole("table", { name: "Platform buttons" }).textContent).toContain(
      "Apple Music28",
    );
    expect(dialog.getByRole("img", { name: /Views and visitors a day/ })).toBeTruthy();
  });
});
