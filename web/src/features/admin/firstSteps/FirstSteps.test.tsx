import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { openTab } from "../../../testing/backOffice.ts";
import { refuseCall } from "../../../testing/calls.ts";
import { answer, page, refuse, server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

const STEPS = ["name", "artist", "release", "mail", "backup", "two_factor", "imprint"];
const TEXTS = { unchanged: 13, total: 14, first: "hero_subtitle" };

function answerSteps(...done: string[]): void {
  const items = STEPS.map((step) => ({ step, done: done.includes(step) }));
  answer("/api/admin/first-steps", { ...page(items), texts: TEXTS });
}

async function list() {
  return within(await screen.findByRole("region", { name: /^First steps/ }));
}

describe("the first steps", () => {
  it("say which are done, and lead to the others", async () => {
    answerSteps("artist");
    openTab("analytics");
    const steps = await list();
    expect(steps.getByRole("status").textContent).toBe("1 of 7 done");
    const items = steps.getAllByRole("listitem").map((item) => item.textContent);
    expect(items[1]).toBe("■Add the first artist, done");
    expect(items[3]).toContain("SMTP_URL");
    expect(items[4]).toContain("deadwax backup");
    expect(steps.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/admin?tab=content#label_name",
      "/admin?tab=releases#content",
      "/admin?tab=security#content",
      "/admin?tab=content#imprint",
      "/admin?tab=content#hero_subtitle",
    ]);
  });

  it("lead down to the tab, which a phone shows below them", async () => {
    answerSteps();
    const { user } = openTab("analytics");
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    await user.click((await list()).getByRole("link", { name: "Releases" }));
    await screen.findByRole("tab", { name: "Releases", selected: true });
    expect(document.activeElement?.id).toBe("content");
    await waitFor(() => expect(scrolled.mock.contexts).toContain(document.activeElement));
  });

  it("open the first text that is still the built-in one", async () => {
    answerSteps();
    const stamps = { created_at: "2026-11-01T10:00:00Z", updated_at: "2026-11-01T10:00:00Z" };
    const texts = ["hero_main_title", "hero_subtitle"].map((key, index) => ({
      id: `019aa000-0000-7000-8000-0000000000e${index}`,
      key,
      value: "Words",
      description: null,
      version: 1,
      ...stamps,
    }));
    answer("/api/admin/content", page(texts));
    const { user } = openTab("analytics");
    await user.click((await list()).getByRole("link", { name: "Texts: 13 of 14 as delivered" }));
    const field = await screen.findByRole("textbox", { name: "HERO SUBTITLE" });
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it("lead to a text that a search of the texts leaves out", async () => {
    answerSteps();
    const stamps = { created_at: "2026-11-01T10:00:00Z", updated_at: "2026-11-01T10:00:00Z" };
    const id = "019aa000-0000-7000-8000-0000000000e0";
    const text = { id, key: "label_name", value: "Words", description: null, version: 1 };
    answer("/api/admin/content", page([{ ...text, ...stamps }]));
    const { user } = openTab("content");
    const link = (await list()).getByRole("link", { name: "LABEL NAME, in Content" });
    const search = await screen.findByRole("searchbox", { name: "Search texts" });
    await user.type(search, "zzz");
    await user.click(link);
    const field = await screen.findByRole("textbox", { name: "LABEL NAME" });
    await waitFor(() => expect(document.activeElement).toBe(field));
    // The address is the same from now on.
    await user.type(search, "zzz");
    await user.click(link);
    const again = await screen.findByRole("textbox", { name: "LABEL NAME" });
    await waitFor(() => expect(document.activeElement).toBe(again));
  });

  it("tick themselves, and disappear with the last", async () => {
    answerSteps();
    openTab("analytics");
    const steps = await list();
    answerSteps("artist");
    FakeEventSource.current.say(
      "change",
      { table: "unpublished_artists", op: "insert", key: "a" },
      "2",
    );
    await waitFor(() => expect(steps.getByRole("status").textContent).toBe("1 of 7 done"));
    answerSteps(...STEPS);
    FakeEventSource.current.say(
      "change",
      { table: "site_content", op: "update", key: "imprint" },
      "3",
    );
    await waitFor(() => expect(screen.queryByText(/^First steps/)).toBeNull());
  });

  it("are closed by one press, and stay if that fails", async () => {
    answerSteps();
    let [isRefused, requests] = [true, 0];
    server.use(
      http.delete("*/api/admin/first-steps", () => {
        requests += 1;
        return new HttpResponse(null, { status: isRefused ? 500 : 204 });
      }),
    );
    const { user } = openTab("analytics");
    const close = (await list()).getByRole("button", { name: "Close for good" });
    await user.click(close);
    expect(await screen.findAllByText("Failed to close the list")).not.toEqual([]);
    isRefused = false;
    await user.dblClick(close);
    await waitFor(() => expect(screen.queryByText(/^First steps/)).toBeNull());
    expect(requests).toBe(2);
    expect(document.activeElement?.id).toBe("content");
  });

  it("are hidden in this browser until they are shown again", async () => {
    answerSteps("artist");
    const first = openTab("analytics");
    await first.user.click((await list()).getByRole("button", { name: "Hide list" }));
    expect((await list()).queryByRole("list")).toBeNull();
    expect((await list()).getByRole("status").textContent).toBe("1 of 7 done");
    cleanup();

    const { user } = openTab("artists");
    const steps = await list();
    expect(steps.queryByRole("list")).toBeNull();
    const show = steps.getByRole("button", { name: "Show list" });
    await user.click(show);
    expect(steps.getAllByRole("listitem")).toHaveLength(8);
    expect(document.activeElement).toBe(show);
  });

  it("do not show if they cannot be read", async () => {
    refuse("/api/admin/first-steps", 500);
    openTab("analytics");
    await screen.findByRole("tab", { name: "Analytics", selected: true });
    expect(screen.queryByText(/^First steps/)).toBeNull();
  });

  it("leave the dashboard usable where the read is refused", async () => {
    const heard = refuseCall("get", "/api/admin/first-steps", 403, { code: "forbidden" });
    const { user } = openTab("analytics");
    await user.click(await screen.findByRole("tab", { name: "Releases" }));
    expect(await screen.findByRole("tab", { name: "Releases", selected: true })).toBeTruthy();
    expect(heard.length).toBeLessThanOrEqual(2);
  });
});
