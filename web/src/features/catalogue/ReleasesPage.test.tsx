import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { aRelease } from "../../testing/catalogue.ts";
import { answer, answerBy, hang, page, refuse, server } from "../../testing/fakeApi.ts";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const LOST = "CONNECTION LOST. RETRYING.";

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aRelease({ id: `r${index}`, title: `Release ${index}` }),
  );

describe("the releases page", () => {
  it("says that it is loading while the releases are on their way", async () => {
    hang("/api/releases");
    renderPath("/releases");
    expect(await screen.findByText("LOADING TRANSMISSIONS...")).toBeTruthy();
    expect(screen.queryByText("NO RELEASES FOUND")).toBeNull();
  });

  it("says that there are none", async () => {
    renderPath("/releases");
    expect(await screen.findByText("NO RELEASES FOUND")).toBeTruthy();
    expect(screen.queryByText(LOST)).toBeNull();
  });

  it("shows a release with its number, date, title, artist and words", async () => {
    answer("/api/releases", page([aRelease()]));
    renderPath("/releases");
    const card = await screen.findByRole("article", { name: "Dead Air Protocol" });
    for (const words of ["404-019", "2026.10.02", "Four tracks cut hot."]) {
      expect(within(card).getByText(words)).toBeTruthy();
    }
    const artist = within(card).getByRole("link", { name: "Kesto Vann" });
    expect(artist.getAttribute("href")).toBe("/artists/019aa000-0000-7000-8000-000000000001");
  });

  it("names an unknown artist and a missing date, and draws artwork where there is none", async () => {
    answer(
      "/api/releases",
      page([
        aRelease({ artist: null, artist_id: null, release_date: null, date_label: "No Date" }),
      ]),
    );
    renderPath("/releases");
    const card = await screen.findByRole("article");
    expect(within(card).getByText("Unknown Artist")).toBeTruthy();
    expect(within(card).getByText("No Date")).toBeTruthy();
    expect(within(card).queryByRole("img")).toBeNull();
    expect(card.querySelector("svg")).toBeTruthy();
  });

  it("links only to the services a release is at, in a tab that knows nothing of this one", async () => {
    answer("/api/releases", page([aRelease({ soundcloud_url: null })]));
    renderPath("/releases");
    const link = await screen.findByRole("link", { name: "SPOTIFY" });
    expect(link.getAttribute("target")).toBe("_blank");
    expect(link.getAttribute("rel")).toContain("noopener");
    expect(screen.queryByRole("link", { name: "SOUNDCLOUD" })).toBeNull();
  });

  it("has no PLAY where nothing can be embedded", async () => {
    answer("/api/releases", page([aRelease({ embed_url: null })]));
    renderPath("/releases");
    await screen.findByRole("article");
    expect(screen.queryByRole("button", { name: "PLAY" })).toBeNull();
  });

  it("opens one player at a time, 152 high and sandboxed, and closes it on a second press", async () => {
    answer(
      "/api/releases",
      page([
        aRelease(),
        aRelease({
          id: "b",
          title: "Locked Groove",
          embed_url: "https://open.spotify.com/embed/album/two",
        }),
      ]),
    );
    const { user } = renderPath("/releases");
    await screen.findByRole("article", { name: "Locked Groove" });
    expect(document.querySelector("iframe")).toBeNull();

    const [first, second] = screen.getAllByRole("button", { name: "PLAY" });
    if (!first || !second) throw new Error("two keys");
    await user.click(first);
    expect(first.textContent).toBe("PAUSE");
    // The name states it: "pause, expanded" would say two things.
    expect(first.hasAttribute("aria-expanded")).toBe(false);
    expect(document.querySelector("iframe")?.getAttribute("height")).toBe("152");
    expect(document.querySelector("iframe")?.getAttribute("sandbox")).toContain("allow-scripts");

    await user.click(second);
    const frames = [...document.querySelectorAll("iframe")];
    expect(frames.map((frame) => frame.getAttribute("src"))).toEqual([
      "https://open.spotify.com/embed/album/two",
    ]);
    expect(first.textContent).toBe("PLAY");

    await user.click(second);
    expect(document.querySelector("iframe")).toBeNull();
  });

  it("loads on when the reader comes near the end", async () => {
    let near: (() => void) | undefined;
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        constructor(heed: (entries: { isIntersecting: boolean }[]) => void) {
          near = () => heed([{ isIntersecting: true }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    answerBy("/api/releases", (url) =>
      url.searchParams.get("cursor") === "more"
        ? page([aRelease({ id: "b", title: "Locked Groove" })])
        : page([aRelease()], "more"),
    );
    renderPath("/releases");
    await screen.findByRole("article", { name: "Dead Air Protocol" });
    expect(screen.queryByText("Locked Groove")).toBeNull();
    // The end of the list is rendered after all loaded rows.
    await waitFor(() => expect(near).toBeDefined());
    near?.();
    expect(await screen.findByRole("article", { name: "Locked Groove" })).toBeTruthy();
    expect(screen.getAllByRole("article")).toHaveLength(2);
  });

  it("asks no more once the next part was refused, until a press", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    // The end stays visible all the time.
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        observe: () => void;
        constructor(heed: (entries: { isIntersecting: boolean }[]) => void) {
          this.observe = () => queueMicrotask(() => heed([{ isIntersecting: true }]));
        }
        disconnect() {}
      },
    );
    let refused = 0;
    let isRefusing = true;
    server.use(
      http.get("*/api/releases", ({ request }) => {
        if (!new URL(request.url).searchParams.has("cursor")) {
          return HttpResponse.json(page([aRelease()], "more"));
        }
        if (!isRefusing) return HttpResponse.json(page([aRelease({ id: "b", title: "Next" })]));
        refused += 1;
        return HttpResponse.json({ code: "forbidden", status: 403 }, { status: 403 });
      }),
    );
    const { user } = renderPath("/releases");
    const key = await screen.findByRole("button", { name: "TRY AGAIN" });
    expect(screen.getByText("THE REST COULD NOT BE LOADED")).toBeTruthy();
    await delay(100);
    expect(refused).toBe(1);
    isRefusing = false;
    await user.click(key);
    expect(await screen.findByRole("article", { name: "Next" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "TRY AGAIN" })).toBeNull();
    log.mockRestore();
  });

  it("stays empty, says that the connection is lost, and recovers by itself", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const log = vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/releases", 503);
    renderPath("/releases");
    expect(await screen.findByText(LOST)).toBeTruthy();
    expect(screen.getByText("NO RELEASES FOUND")).toBeTruthy();
    expect(log).toHaveBeenCalledWith("Reading /api/releases?limit=50 failed: Refused.");
    answer("/api/releases", page([aRelease()]));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await screen.findByRole("article")).toBeTruthy();
    expect(screen.queryByText(LOST)).toBeNull();
    vi.useRealTimers();
  });

  it("asks for nothing where the page was served with its data", async () => {
    renderPath("/releases", {
      event_id: 7,
      queries: [
        { url: "/api/maintenance", body: page([]) },
        { url: "/api/releases?limit=50", body: page([aRelease({ title: "Served" })]) },
      ],
    });
    refuse("/api/releases", 500);
    expect(await screen.findByRole("article", { name: "Served" })).toBeTruthy();
    expect(FakeEventSource.current.url).toBe("/api/events?after=7");
  });

  it("shows what changed while it is open", async () => {
    answer("/api/releases", page([aRelease()]));
    renderPath("/releases");
    await screen.findByRole("article", { name: "Dead Air Protocol" });
    answer("/api/releases", page([aRelease({ title: "Changed Live" })]));
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "releases", op: "update", key: "x" }, "8");
    await waitFor(() => expect(screen.getByRole("article", { name: "Changed Live" })).toBeTruthy());
  });

  it("has a search only where there are more than 24", async () => {
    answer("/api/releases", page([aRelease()]));
    renderPath("/releases");
    await screen.findByRole("article");
    expect(screen.queryByRole("search")).toBeNull();
  });

  it("searches once the typing rests, by the address, and says how many there are", async () => {
    answerBy("/api/releases", (url) => {
      const q = url.searchParams.get("q");
      if (q === null) return page(many(25));
      return page(q === "404" ? [aRelease({ title: "The one" })] : []);
    });
    const { router, user } = renderPath("/releases");
    const field = await screen.findByRole("searchbox", { name: "Search releases" });
    await user.type(field, "404");
    expect(await screen.findByText("1 FOUND")).toBeTruthy();
    // The cards follow the status message.
    await waitFor(() => expect(screen.getAllByRole("article").length).toBe(1));
    expect(router.state.location.searchStr).toBe("?q=404");
    expect(router.history.length).toBe(1);
    await user.clear(field);
    await user.type(field, "nothing like it");
    expect(await screen.findByText("NO RELEASES FOUND")).toBeTruthy();
    await user.clear(field);
    await waitFor(() => expect(screen.getAllByRole("article").length).toBe(25));
    expect(router.state.location.searchStr).toBe("");
    expect(document.activeElement).toBe(field);
  });

  it("leaves whoever is on the way to another page on it", async () => {
    answerBy("/api/releases", () => page(many(25)));
    const { router, user } = renderPath("/releases");
    await user.type(await screen.findByRole("searchbox", { name: "Search releases" }), "4");
    const next = router.routesByPath["/artists"].options as unknown as {
      loader: () => unknown;
    };
    const loader = vi.spyOn(next, "loader").mockImplementation(() => delay(600));
    await act(() => router.navigate({ to: "/artists" }));
    expect(router.state.location.href).toBe("/artists");
    loader.mockRestore();
  });

  it("comes with what its address searches for, a number and a sign of JSON too", async () => {
    for (const q of ["404", "true", '"x"', "ä & b"]) {
      const asked: (string | null)[] = [];
      answerBy("/api/releases", (url) => {
        asked.push(url.searchParams.get("q"));
        return page([aRelease()]);
      });
      renderPath(`/releases?q=${encodeURIComponent(q)}`);
      const field = await screen.findByRole("searchbox", { name: "Search releases" });
      expect(field).toHaveProperty("value", q);
      await screen.findByText("1 FOUND");
      expect(new Set(asked)).toEqual(new Set([q]));
      cleanup();
    }
  });
});
