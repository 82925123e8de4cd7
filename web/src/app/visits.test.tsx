// Visits: what the browser sends of them, and when it sends nothing.
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countVisits, takeSource } from "../session/seen.ts";
import { seeAs } from "../testing/calls.ts";
import { aLabel, aRelease, aReleaseDetail } from "../testing/catalogue.ts";
import { answer, page, refuse } from "../testing/fakeApi.ts";
import { anAdmin } from "../testing/people.ts";
import { openProfileTo } from "../testing/profile.ts";
import { renderPath } from "../testing/renderPath.tsx";

const SECOND = 1_000;

let sent: unknown[] = [];

/** Links to other websites open nothing here. */
const stay = (event: Event) => event.preventDefault();

beforeEach(() => {
  sent = [];
  vi.useFakeTimers({ shouldAdvanceTime: true });
  document.addEventListener("click", stay);
  // The window of tests calls itself automated, as it is.
  prefer("webdriver", false);
  Reflect.set(navigator, "sendBeacon", async (url: string, body: Blob) => {
    expect([url, body.type]).toEqual(["/api/seen", "application/json"]);
    sent.push(JSON.parse(await body.text()));
  });
});

afterEach(() => {
  document.removeEventListener("click", stay);
  for (const name of ["sendBeacon", "webdriver", "doNotTrack", "globalPrivacyControl"]) {
    Reflect.deleteProperty(navigator, name);
  }
  Reflect.deleteProperty(document, "visibilityState");
  vi.useRealTimers();
  history.replaceState(null, "", "/");
});

/** Opens the app at a path with counting on. */
function visit(path: string, { counts_visits = true, source = {} } = {}) {
  const app = renderPath(path, {
    event_id: 1,
    queries: [{ url: "/api/label", body: aLabel({ counts_visits }) }],
  });
  countVisits(app.router, app.client, source);
  return app;
}

async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

function prefer(name: string, value: unknown): void {
  Object.defineProperty(navigator, name, { value, configurable: true });
}

function show(state: "visible" | "hidden"): void {
  Reflect.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

const viewsOf = (...paths: string[]) => paths.map((path) => ({ event: "view", path }));

describe("a view", () => {
  it("is a place in sight for a second, and the first one says where it came from", async () => {
    const source = { from: "news", referrer: "mail.example" };
    const { router } = visit("/store", { source });
    await screen.findByText("COMING SOON");
    expect(sent).toEqual([]);
    await pass(SECOND);
    await waitFor(() => expect(sent).toEqual([{ event: "view", path: "/store", ...source }]));
    await act(() => router.navigate({ to: "/contact" }));
    await screen.findByRole("heading", { name: "CONTACT US" });
    await pass(SECOND);
    await waitFor(() => expect(sent[1]).toEqual({ event: "view", path: "/contact" }));
  });

  it("is not a search, a dialog or a fragment of the same place", async () => {
    const { router } = visit("/releases");
    await screen.findByText("NO RELEASES FOUND");
    await pass(SECOND);
    await act(() => router.navigate({ to: "/releases", search: { q: "one" } }));
    await act(() => router.navigate({ to: ".", hash: "content", search: (now) => now }));
    await act(() => router.navigate({ to: ".", search: { dialog: "login" } }));
    await pass(SECOND);
    expect(sent).toEqual(viewsOf("/releases"));
  });

  it("counts again after ten seconds, and not before", async () => {
    const { router } = visit("/store");
    await screen.findByText("COMING SOON");
    await pass(SECOND);
    const thereAndBack = async () => {
      await act(() => router.navigate({ to: "/contact" }));
      await screen.findByRole("heading", { name: "CONTACT US" });
      await act(() => router.navigate({ to: "/store" }));
      await screen.findByText("COMING SOON");
      await pass(SECOND);
    };
    await thereAndBack();
    expect(sent).toEqual(viewsOf("/store"));
    await pass(10 * SECOND);
    await thereAndBack();
    expect(sent).toEqual(viewsOf("/store", "/store"));
  });

  it("begins its second when the page is in sight, and counts once however often that is", async () => {
    show("hidden");
    visit("/store");
    await screen.findByText("COMING SOON");
    await pass(10 * SECOND);
    show("visible");
    await pass(SECOND / 2);
    show("hidden");
    await pass(10 * SECOND);
    expect(sent).toEqual([]);
    show("visible");
    await pass(SECOND);
    show("hidden");
    show("visible");
    await pass(20 * SECOND);
    expect(sent).toEqual(viewsOf("/store"));
  });
});

describe("nothing is sent", () => {
  it("where the browser has no beacon", async () => {
    Reflect.set(navigator, "sendBeacon", undefined);
    visit("/store");
    await screen.findByText("COMING SOON");
    await pass(SECOND);
    expect(sent).toEqual([]);
  });

  it.each([
    ["doNotTrack", "1"],
    ["globalPrivacyControl", true],
    ["webdriver", true],
  ])("with %s", async (name, value) => {
    prefer(name, value);
    visit("/artists?dialog=demo");
    await screen.findByRole("form", { name: "Demo" });
    await pass(SECOND);
    expect(sent).toEqual([]);
  });

  it("where the label has it turned off", async () => {
    visit("/store", { counts_visits: false });
    await screen.findByText("COMING SOON");
    await pass(SECOND);
    expect(sent).toEqual([]);
  });

  it("for admins", async () => {
    seeAs(anAdmin());
    visit("/store");
    await screen.findByRole("button", { name: "Admin Panel" });
    await pass(SECOND);
    expect(sent).toEqual([]);
  });

  it.each([
    ["/profile", /PROFILE/],
    ["/admin/login", /Admin Login/],
    ["/auth/welcome", /welcome/i],
    ["/newsletter/leave/secret", /LEAVE THE LIST/],
  ])("on the private page %s", async (path, heading) => {
    openProfileTo();
    visit(path);
    await screen.findByRole("heading", { level: 1, name: heading });
    await pass(2 * SECOND);
    expect(sent).toEqual([]);
  });

  it("of a private release", async () => {
    answer("/api/private/{token}", aReleaseDetail());
    const { user } = visit("/p/secret");
    await user.click(await screen.findByRole("link", { name: "SPOTIFY" }));
    await pass(SECOND);
    expect(sent).toEqual([]);
  });

  it("of a missing page, and of one in maintenance", async () => {
    refuse("/api/releases/{slug}", 404);
    answer("/api/maintenance", page([{ page_key: "store", is_maintenance_mode: true }] as never));
    const { router } = visit("/releases/unknown");
    await screen.findByRole("heading", { name: "404" });
    await pass(SECOND);
    await act(() => router.navigate({ to: "/store" }));
    await screen.findByText("STATUS: OFFLINE");
    await pass(SECOND);
    expect(sent).toEqual([]);
  });
});

describe("what a visitor does", () => {
  it("is a play after ten seconds of an open player, once in a visit", async () => {
    answer("/api/releases", page([aRelease()]));
    const { user } = visit("/releases");
    const play = await screen.findByRole("button", { name: "PLAY" });
    await user.click(play);
    await pass(9 * SECOND);
    await user.click(play);
    await pass(10 * SECOND);
    expect(sent).toEqual(viewsOf("/releases"));
    for (const _ of [1, 2]) {
      await user.click(play);
      await pass(10 * SECOND);
      await user.click(play);
    }
    expect(sent.slice(1)).toEqual([{ event: "play", release: aRelease().id }]);
  });

  it("is a share, and a button of a platform, by the middle button of the mouse too", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    const { user } = visit(`/releases/${aReleaseDetail().slug}`);
    await user.click(await screen.findByRole("button", { name: "SHARE" }));
    await user.pointer({
      keys: "[MouseMiddle]",
      target: screen.getByRole("link", { name: "BANDCAMP" }),
    });
    await user.click(screen.getByRole("link", { name: "SPOTIFY" }));
    const release = aReleaseDetail().id;
    await waitFor(() =>
      expect(sent.filter((event) => !JSON.stringify(event).includes("view"))).toEqual([
        { event: "share", release },
        { event: "button", release, platform: "bandcamp" },
        { event: "button", release, platform: "spotify" },
      ]),
    );
  });

  it("is a search that found nothing, once typing has come to rest", async () => {
    const { user } = visit("/releases?q=on");
    await screen.findByText("NO RELEASES FOUND");
    await pass(SECOND);
    await user.type(screen.getByRole("searchbox", { name: "Search releases" }), "e");
    await pass(SECOND);
    expect(sent).toEqual(viewsOf("/releases"));
    await pass(2 * SECOND);
    expect(sent.slice(1)).toEqual([{ event: "search" }]);
  });

  it("is no search while the answer is missing", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/releases", 503);
    visit("/releases?q=one");
    await screen.findByText("NO RELEASES FOUND");
    await pass(4 * SECOND);
    expect(sent).toEqual(viewsOf("/releases"));
  });

  it("is the demo dialog, each time it is opened", async () => {
    const { router } = visit("/artists");
    await screen.findByRole("heading", { name: "ARTISTS" });
    await pass(SECOND);
    for (const _ of [1, 2]) {
      await act(() => router.navigate({ to: "/artists", search: { dialog: "demo" } }));
      await act(() => router.navigate({ to: "/artists" }));
    }
    await waitFor(() => expect(sent.slice(1)).toEqual([{ event: "demo" }, { event: "demo" }]));
  });
});

describe("where a document was opened from", () => {
  it("is a letter, which leaves the address, or another host", () => {
    history.replaceState({ kept: 1 }, "", "/releases?q=one&from=news#content");
    Reflect.defineProperty(document, "referrer", {
      value: "https://mail.example:8443/inbox",
      configurable: true,
    });
    expect(takeSource()).toEqual({ from: "news", referrer: "mail.example" });
    expect(location.pathname + location.search + location.hash).toBe("/releases?q=one#content");
    expect(history.state).toEqual({ kept: 1 });
    expect(takeSource()).toEqual({ referrer: "mail.example" });
    const load = vi
      .spyOn(performance, "getEntriesByType")
      .mockReturnValue([{ type: "reload" } as PerformanceNavigationTiming]);
    expect(takeSource()).toEqual({});
    load.mockRestore();
    Reflect.defineProperty(document, "referrer", {
      value: `${location.origin}/releases`,
      configurable: true,
    });
    expect(takeSource()).toEqual({});
    Reflect.deleteProperty(document, "referrer");
  });
});
