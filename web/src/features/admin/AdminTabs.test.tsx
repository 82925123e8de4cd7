import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { readQuery } from "../../api/queries.ts";
import { answerConsent, openTab } from "../../testing/backOffice.ts";
import { answerCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { ALL_LIVE } from "../../testing/catalogue.ts";
import { answer, hang, page, server } from "../../testing/fakeApi.ts";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { anAdmin } from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { TABS } from "./tabs.ts";

function aText() {
  return {
    id: "019aa000-0000-7000-8000-0000000000e1",
    key: "hero_main_title",
    value: "404",
    description: null,
    created_at: "2026-11-01T10:00:00Z",
    updated_at: "2026-11-01T10:00:00Z",
    version: 2,
  };
}

function aSetting(page_key: string, is_maintenance_mode: boolean) {
  return { page_key, is_maintenance_mode, maintenance_message: null };
}

describe("the dashboard's tabs", () => {
  it.each([
    ["/admin", "Content"],
    ["/admin?tab=store", "Store"],
    ["/admin?tab=nonsense", "Content"],
  ])("opens where the address %s says", async (path, tab) => {
    seeAs(anAdmin());
    renderPath(path);
    expect(await screen.findByRole("tab", { name: tab, selected: true })).toBeTruthy();
  });

  it("wait for the first steps, which would move them", async () => {
    hang("/api/admin/first-steps");
    seeAs(anAdmin());
    renderPath("/admin");
    await screen.findByRole("heading", { name: "Admin Dashboard" });
    expect(screen.queryByRole("tab")).toBeNull();
  });

  it("puts the tab into the address, and goes back with it", async () => {
    const { user, router } = openTab("content");
    await user.click(await screen.findByRole("tab", { name: "Terminal" }));
    await screen.findByRole("heading", { name: "Terminal" });
    expect(router.state.location.search).toEqual({ tab: "terminal" });
    router.history.back();
    await screen.findByRole("tab", { name: "Content", selected: true });
  });

  it("is walked with the arrow keys", async () => {
    const { user } = openTab("content");
    (await screen.findByRole("tab", { name: "Content" })).focus();
    await user.keyboard("{ArrowRight}{ArrowRight}{Enter}");
    await screen.findByRole("heading", { name: /Releases/ });
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Releases" }));
  });
});

describe("a tab whose code cannot be fetched", () => {
  it("says so in its place, under the header and the tabs, and is fetched again", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    server.use(http.get("*/livez", () => HttpResponse.error()));
    const load = vi.spyOn(TABS.analytics, "load").mockRejectedValue(new Error("gone"));
    const { user } = openTab("terminal");
    await screen.findByRole("heading", { name: "Terminal" });
    await user.click(screen.getByRole("tab", { name: "Analytics" }));
    expect(await screen.findByText("Failed to load data")).toBeTruthy();
    expect(screen.getByText("Welcome, mira@example.org")).toBeTruthy();
    expect(screen.getByRole("tab", { name: "Analytics", selected: true })).toBeTruthy();
    load.mockRestore();
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByRole("heading", { name: /Analytics/ })).toBeTruthy();
  });

  it("is tried again by coming back to it", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    server.use(http.get("*/livez", () => HttpResponse.error()));
    const load = vi.spyOn(TABS.newsletter, "load").mockRejectedValue(new Error("gone"));
    const { user } = openTab("newsletter");
    expect(await screen.findByText("Failed to load data")).toBeTruthy();
    await user.click(screen.getByRole("tab", { name: "Terminal" }));
    await screen.findByRole("heading", { name: "Terminal" });
    load.mockRestore();
    answerConsent();
    await user.click(screen.getByRole("tab", { name: "Newsletter" }));
    expect(await screen.findByRole("heading", { name: /Newsletter/ })).toBeTruthy();
  });
});

describe("a tab that breaks", () => {
  it("does not say that loading failed, and has what was typed once it is drawn again", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    answer("/api/admin/content", page([aText()]));
    const { user, client } = openTab("content");
    await user.type(await screen.findByRole("textbox", { name: "HERO MAIN TITLE" }), "!");
    const { queryKey } = readQuery("/api/admin/content", {});
    act(() => void client.setQueryData(queryKey, { items: [null] as never, next_cursor: null }));
    expect(await screen.findByText("An unexpected error occurred")).toBeTruthy();
    expect(screen.queryByText("Failed to load data")).toBeNull();
    act(() => void client.setQueryData(queryKey, page([aText()])));
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    const box = await screen.findByRole<HTMLInputElement>("textbox", { name: "HERO MAIN TITLE" });
    expect(box.value).toBe("404!");
  });

  it("keeps nothing of what was typed once it was left", async () => {
    answer("/api/admin/content", page([aText()]));
    const { user } = openTab("content");
    await user.type(await screen.findByRole("textbox", { name: "HERO MAIN TITLE" }), "!");
    await user.click(screen.getByRole("tab", { name: "Terminal" }));
    await user.click(await screen.findByRole("button", { name: "Leave Without Saving" }));
    await screen.findByRole("heading", { name: "Terminal" });
    await user.click(screen.getByRole("tab", { name: "Content" }));
    const box = await screen.findByRole<HTMLInputElement>("textbox", { name: "HERO MAIN TITLE" });
    expect(box.value).toBe("404");
  });
});

describe("a page in maintenance", () => {
  it("marks its tab, on every tab", async () => {
    answer("/api/maintenance", {
      items: ALL_LIVE.map((item) => aSetting(item.page_key, item.page_key === "home")),
      next_cursor: null,
    });
    openTab("terminal");
    expect(await screen.findByRole("tab", { name: /^Content ?, in maintenance$/ })).toBeTruthy();
    expect(screen.getAllByRole("tab", { name: /maintenance/ })).toHaveLength(1);
  });
});

describe("the maintenance switch", () => {
  it.each([
    ["content", "home"],
    ["artists", "artists"],
    ["releases", "releases"],
    ["store", "store"],
    ["terminal", "terminal"],
  ])("stands on the tab %s for the page %s", async (tab, key) => {
    const sent = answerCall("patch", `/api/admin/maintenance/${key}`, aSetting(key, true));
    answer("/api/maintenance", { items: ALL_LIVE, next_cursor: null });
    const { user } = openTab(tab);
    const toggle = await screen.findByRole<HTMLInputElement>("switch", {
      name: `Maintenance Mode: ${key}`,
    });
    await waitFor(() => expect(toggle.disabled).toBe(false));
    answer("/api/maintenance", {
      items: ALL_LIVE.map((item) => ({ ...item, is_maintenance_mode: item.page_key === key })),
      next_cursor: null,
    });
    await user.dblClick(toggle);
    expect(await screen.findByText("Maintenance Mode Enabled")).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([{ is_maintenance_mode: true }]);
    expect(toggle.checked).toBe(true);
  });

  it("opens the page again", async () => {
    answer("/api/maintenance", {
      items: ALL_LIVE.map((item) => ({ ...item, is_maintenance_mode: true })),
      next_cursor: null,
    });
    answerCall("patch", "/api/admin/maintenance/terminal", aSetting("terminal", false));
    const { user } = openTab("terminal");
    const toggle = await screen.findByRole<HTMLInputElement>("switch", {
      name: "Maintenance Mode: terminal",
    });
    await waitFor(() => expect(toggle.checked).toBe(true));
    await user.click(toggle);
    expect(await screen.findByText("Maintenance Mode Disabled")).toBeTruthy();
  });

  it("does not go back by a read that was under way before the server stored it", async () => {
    let store = () => {};
    let arrive = () => {};
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let asked = false;
    answer("/api/maintenance", { items: ALL_LIVE, next_cursor: null });
    const { user, client } = openTab("terminal");
    const toggle = await screen.findByRole<HTMLInputElement>("switch", {
      name: "Maintenance Mode: terminal",
    });
    await waitFor(() => expect(toggle.disabled).toBe(false));
    server.use(
      http.patch("*/api/admin/maintenance/terminal", async () => {
        await stored;
        return HttpResponse.json(aSetting("terminal", true));
      }),
      http.get("*/api/maintenance", async () => {
        asked = true;
        await late;
        return HttpResponse.json({ items: ALL_LIVE, next_cursor: null });
      }),
    );
    await user.click(toggle);
    // The live stream announces another change: the settings are read, and arrive too late.
    const change = { table: "maintenance_settings", op: "update", key: "terminal" };
    FakeEventSource.current.say("change", change, "2");
    await waitFor(() => expect(asked).toBe(true));
    store();
    expect(await screen.findByText("Maintenance Mode Enabled")).toBeTruthy();
    arrive();
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(toggle.checked).toBe(true);
    screen.getByText("The public sees the maintenance screen.");
  });

  it("goes back where the server refuses, in the stated words", async () => {
    refuseCall("patch", "/api/admin/maintenance/terminal", 500, { code: "internal" });
    const { user } = openTab("terminal");
    const toggle = await screen.findByRole<HTMLInputElement>("switch", {
      name: "Maintenance Mode: terminal",
    });
    await waitFor(() => expect(toggle.disabled).toBe(false));
    await user.click(toggle);
    expect(
      await screen.findAllByText(
        "Failed to update maintenance mode for terminal. Please try again.",
      ),
    ).not.toEqual([]);
    expect(toggle.checked).toBe(false);
  });
});

describe("a long list", () => {
  it("says how long it is, and reads on", async () => {
    const row = (n: number) => ({
      id: `row-${n}`,
      name: `Artist ${n}`,
      bio: null,
      social_links: { website: null, twitter: null },
      featured: false,
      version: 1,
    });
    server.use(
      http.get("*/api/admin/artists", ({ request }) => {
        const from = Number(new URL(request.url).searchParams.get("cursor") ?? 0);
        return HttpResponse.json({
          items: Array.from({ length: 50 }, (_, n) => row(from + n)),
          next_cursor: String(from + 50),
          total: 10_000,
        });
      }),
    );
    openTab("artists");
    const list = within(await screen.findByRole("list", { name: "Artists" }));
    expect(screen.getByRole("heading", { name: "Artists (10000)" })).toBeTruthy();
    const [first] = list.getAllByRole("listitem", { name: "" });
    expect(first?.getAttribute("aria-setsize")).toBe("10000");
    expect(first?.getAttribute("aria-posinset")).toBe("1");
  });
});
