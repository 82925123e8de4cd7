import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MAINTENANCE_WAIT_MS } from "../../rules/generated/constants.ts";
import { sessionQuery } from "../../session/sessionQuery.ts";
import { seeAs } from "../../testing/calls.ts";
import { anArtist } from "../../testing/catalogue.ts";
import { answer, hang, page, refuse } from "../../testing/fakeApi.ts";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { aMember, anAdmin, aPendingAdmin } from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";

type View = {
  function: string;
  args: [flag: boolean | null, failed: boolean, isAdmin: boolean, waitedMs: number];
  returns: string;
};

/** The rule's vectors, which this component and the server's pages must match. */
const { cases } = JSON.parse(
  readFileSync(join(process.cwd(), "../crates/rules/fixtures/maintenance.json"), "utf8"),
) as { cases: View[] };
const vectors = cases.filter((vector) => vector.function === "maintenance_view");

function closed(page_key: string, maintenance_message: string | null = null) {
  return page([{ page_key, is_maintenance_mode: true, maintenance_message }]);
}

function showsScreen(): boolean {
  return screen.queryByText("SYSTEM PATCH IN PROGRESS...") !== null;
}

describe("a page in maintenance", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("shows the screen in its place, and keeps navigation and foot", async () => {
    answer("/api/maintenance", closed("store"));
    renderPath("/store");
    expect(await screen.findByRole("heading", { name: "MAINTENANCE" })).toBeTruthy();
    expect(
      screen.getByText("This page is currently down for maintenance. Check back soon."),
    ).toBeTruthy();
    expect(screen.getByText("STATUS: OFFLINE")).toBeTruthy();
    expect(screen.queryByText("COMING SOON")).toBeNull();
    expect(screen.getByRole("navigation", { name: "Main" })).toBeTruthy();
    expect(screen.getByRole("contentinfo")).toBeTruthy();
  });

  it("lets admins through, also before their second factor", async () => {
    answer("/api/maintenance", closed("store"));
    seeAs(aPendingAdmin());
    renderPath("/store");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
    expect(showsScreen()).toBe(false);
  });

  it("says to admins what visitors see, and nothing of a page that is open", async () => {
    answer("/api/maintenance", closed("store"));
    seeAs(anAdmin());
    const { router } = renderPath("/store");
    expect((await screen.findByRole("note")).textContent).toContain("visitors see the maintenance");
    await act(() => router.navigate({ to: "/contact" }));
    await waitFor(() => expect(screen.queryByRole("note")).toBeNull());
  });

  it("is not shown to an admin for the moment it takes to ask who is here", async () => {
    localStorage.setItem("deadwax.signed-in", "true");
    answer("/api/maintenance", closed("store"));
    seeAs(anAdmin());
    const shown: boolean[] = [];
    const watcher = new MutationObserver(() => shown.push(showsScreen()));
    watcher.observe(document.body, { childList: true, subtree: true });
    renderPath("/store");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
    watcher.disconnect();
    expect(shown).not.toContain(true);
  });

  it("is closed to members", async () => {
    answer("/api/maintenance", closed("store"));
    seeAs(aMember());
    renderPath("/store");
    expect(await screen.findByRole("heading", { name: "MAINTENANCE" })).toBeTruthy();
  });

  it("shows the stored message as plain text", async () => {
    answer("/api/maintenance", closed("store", "<b>Back</b> at midnight"));
    renderPath("/store");
    expect(await screen.findByText("<b>Back</b> at midnight")).toBeTruthy();
  });

  it("covers the artists' own pages with the list's setting", async () => {
    answer("/api/maintenance", closed("artists"));
    answer("/api/artists/{id}", anArtist());
    renderPath(`/artists/${anArtist().id}`);
    expect(await screen.findByRole("heading", { name: "MAINTENANCE" })).toBeTruthy();
  });

  it.each([
    ["/", "home"],
    ["/artists", "artists"],
    ["/releases", "releases"],
    ["/store", "store"],
    ["/terminal", "terminal"],
  ])("covers %s with the setting %s", async (path, key) => {
    answer("/api/maintenance", closed(key));
    renderPath(path);
    expect(await screen.findByRole("heading", { name: "MAINTENANCE" })).toBeTruthy();
    expect(showsScreen()).toBe(true);
  });

  it("leaves the other pages open", async () => {
    answer("/api/maintenance", closed("releases"));
    renderPath("/store");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
    expect(showsScreen()).toBe(false);
  });

  it("never covers a page without a setting", async () => {
    answer("/api/maintenance", closed("contact"));
    renderPath("/contact");
    expect(await screen.findByRole("heading", { name: "CONTACT US" })).toBeTruthy();
  });

  it("closes and opens while it is on show", async () => {
    renderPath("/store");
    await screen.findByText("COMING SOON");
    answer("/api/maintenance", closed("store"));
    const changed = { table: "maintenance_settings", op: "update", key: "store" };
    FakeEventSource.current.say("change", changed, "2");
    await waitFor(() => expect(showsScreen()).toBe(true));
    answer("/api/maintenance", page([]));
    FakeEventSource.current.say("change", changed, "3");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
  });

  it("shows neither page nor screen while the setting is being read, for five seconds at most", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    hang("/api/maintenance");
    renderPath("/store");
    await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeTruthy());
    expect(screen.queryByText("COMING SOON")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(screen.queryByText("COMING SOON")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
  });

  it("is patient for as long as the rule says", () => {
    const unread = vectors.filter(({ args: [flag, failed, isAdmin] }) => {
      return flag === null && !failed && !isAdmin;
    });
    expect(unread.map(({ returns }) => returns)).toContain("loading");
    for (const { args, returns } of unread) {
      expect(args[3] < MAINTENANCE_WAIT_MS ? "loading" : "page").toBe(returns);
    }
    expect(unread.some(({ args }) => args[3] === MAINTENANCE_WAIT_MS)).toBe(true);
  });

  it("is taken as open from when the setting cannot be read again", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    answer("/api/maintenance", closed("store"));
    renderPath("/store");
    await waitFor(() => expect(showsScreen()).toBe(true));
    refuse("/api/maintenance", 500);
    const changed = { table: "maintenance_settings", op: "update", key: "store" };
    FakeEventSource.current.say("change", changed, "2");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
  });

  it("is closed to an admin while it cannot be asked who they are", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    answer("/api/maintenance", closed("store"));
    seeAs(anAdmin());
    const { client } = renderPath("/store");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
    refuse("/api/auth/session", 500);
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    await waitFor(() => expect(showsScreen()).toBe(true));
    seeAs(anAdmin());
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
  });

  it("is taken as open when the setting cannot be read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/maintenance", 500);
    renderPath("/store");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
  });
});
