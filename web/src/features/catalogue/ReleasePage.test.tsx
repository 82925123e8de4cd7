import { screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { aRelease, aReleaseDetail } from "../../testing/catalogue.ts";
import { answer, hang, page, refuse, server } from "../../testing/fakeApi.ts";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const PATH = "/releases/404-019";

function sayChange(op: "insert" | "update", id: number): void {
  const change = { table: "releases", op, key: "x" };
  FakeEventSource.current.say("change", change, String(id));
}

describe("the page of a release", () => {
  it("shows neither content nor a 404 while the release is on the way", async () => {
    hang("/api/releases/{slug}");
    renderPath(PATH);
    expect(await screen.findByText("LOADING TRANSMISSIONS...")).toBeTruthy();
    expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
  });

  it("is no 404 where nothing has answered", async () => {
    refuse("/api/releases/{slug}", 503);
    renderPath(PATH);
    expect(await screen.findByText("THIS RELEASE COULD NOT BE READ. RETRYING.")).toBeTruthy();
    expect(screen.queryByText("Oops! Page not found")).toBeNull();
  });

  it("tells all that is known, and takes title and artist as its title", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    renderPath(PATH);
    const sheet = await screen.findByRole("article", { name: "Dead Air Protocol" });
    expect(
      within(sheet).getByRole("heading", { level: 1, name: "Dead Air Protocol" }),
    ).toBeTruthy();
    expect(within(sheet).getByRole("link", { name: "Kesto Vann" }).getAttribute("href")).toBe(
      "/artists/019aa000-0000-7000-8000-000000000001",
    );
    for (const words of ["404-019", "12 inch", "Four tracks cut hot.", "Mastering", "Ada"]) {
      expect(within(sheet).getByText(words)).toBeTruthy();
    }
    expect(within(sheet).getAllByText("2026.10.02").length).toBeGreaterThan(0);
    const tracks = within(screen.getByRole("region", { name: "TRACKS" })).getAllByRole("listitem");
    expect(tracks.map((track) => track.textContent)).toEqual(["A1Carrier6:12", "02DropoutAva"]);
    for (const name of ["SPOTIFY", "SOUNDCLOUD", "BANDCAMP"]) {
      expect(screen.getByRole("link", { name }).getAttribute("target")).toBe("_blank");
    }
    expect(screen.queryByRole("link", { name: "YOUTUBE" })).toBeNull();
    expect(document.title).toBe("Dead Air Protocol by Kesto Vann — 404 COLLECTIVE");
  });

  it("leads to the older release and to more of the artist", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    renderPath(PATH);
    const others = await screen.findByRole("navigation", { name: "Other releases" });
    const links = within(others).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/releases/404-018"]);
    const more = screen.getByRole("region", { name: "MORE BY Kesto Vann" });
    expect(within(more).getByRole("link", { name: "Low Sun" }).getAttribute("href")).toBe(
      "/releases/404-007",
    );
  });

  it("leaves out what is not known", async () => {
    answer(
      "/api/releases/{slug}",
      aReleaseDetail({
        artist: null,
        artist_id: null,
        catalog: null,
        format: null,
        description: null,
        tracks: [],
        credits: [],
        embed_url: null,
        older: null,
        more_of_artist: [],
      }),
    );
    renderPath(PATH);
    await screen.findByText("Unknown Artist");
    for (const name of ["TRACKS", "CREDITS", "CATALOG", "FORMAT"]) {
      expect(screen.queryByText(name)).toBeNull();
    }
    expect(screen.queryByRole("navigation", { name: "Other releases" })).toBeNull();
    expect(screen.queryByRole("button", { name: "PLAY" })).toBeNull();
  });

  it("loads the player when PLAY is pressed and not before", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    const { user } = renderPath(PATH);
    const play = await screen.findByRole("button", { name: "PLAY" });
    expect(document.querySelector("iframe")).toBeNull();
    await user.click(play);
    expect(document.querySelector("iframe")?.getAttribute("src")).toBe(
      "https://open.spotify.com/embed/album/one",
    );
    await user.click(play);
    expect(document.querySelector("iframe")).toBeNull();
  });

  it("copies its address where the device has no way to share", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    const { user } = renderPath(PATH);
    await user.click(await screen.findByRole("button", { name: "SHARE" }));
    expect(await screen.findByText("URL copied to clipboard")).toBeTruthy();
  });

  it("shows its address where the browser lets nobody copy", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    const { user } = renderPath(PATH);
    await screen.findByRole("button", { name: "SHARE" });
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("refused"));
    await user.click(screen.getByRole("button", { name: "SHARE" }));
    expect(await screen.findByRole("textbox", { name: "URL of Dead Air Protocol" })).toBeTruthy();
  });

  it("is the 404 page where there is no such release", async () => {
    refuse("/api/releases/{slug}", 404);
    renderPath(PATH);
    expect(await screen.findByText("Oops! Page not found")).toBeTruthy();
    expect(screen.getByRole("link", { name: "RETURN TO RELEASES" })).toBeTruthy();
  });

  it("follows changes, and goes when the release is taken back", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    renderPath(PATH);
    await screen.findByRole("heading", { level: 1, name: "Dead Air Protocol" });
    answer("/api/releases/{slug}", aReleaseDetail({ title: "Renamed" }));
    FakeEventSource.current.say("change", { table: "releases", op: "update", key: "x" }, "8");
    await screen.findByRole("heading", { level: 1, name: "Renamed" });
    refuse("/api/releases/{slug}", 404);
    FakeEventSource.current.say("change", { table: "releases", op: "delete", key: "x" }, "9");
    await waitFor(() => expect(screen.getByText("Oops! Page not found")).toBeTruthy());
  });

  it("keeps an open dialog when its address changes", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    const { router } = renderPath(`${PATH}?dialog=login`);
    await screen.findByRole("dialog", { name: "TERMINAL ACCESS" });
    answer("/api/releases/{slug}", aReleaseDetail({ slug: "renamed" }));
    FakeEventSource.current.say("change", { table: "releases", op: "update", key: "x" }, "8");
    await waitFor(() => expect(router.state.location.pathname).toBe("/releases/renamed"));
    expect(router.state.location.href).toBe("/releases/renamed?dialog=login");
    expect(screen.getByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
  });

  it("keeps the player, the place and the focus when its address changes", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    const { router, user } = renderPath(PATH);
    await user.click(await screen.findByRole("button", { name: "PLAY" }));
    const player = document.querySelector("iframe");
    const focused = document.activeElement;
    vi.mocked(window.scrollTo).mockClear();
    answer("/api/releases/{slug}", aReleaseDetail({ slug: "renamed" }));
    sayChange("update", 8);
    await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe("/releases/renamed"));
    expect(document.querySelector("iframe") === player).toBe(true);
    expect(document.activeElement === focused).toBe(true);
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it("goes back once to an address that it had before", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    const { router } = renderPath(PATH);
    await screen.findByRole("article");
    answer("/api/releases/{slug}", aReleaseDetail({ slug: "renamed" }));
    sayChange("update", 8);
    await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe("/releases/renamed"));
    const left = vi.fn();
    router.subscribe("onBeforeNavigate", left);
    server.use(
      http.get("*/api/releases/:slug", async ({ params: { slug } }) => {
        if (slug === "404-019") await delay(500);
        return HttpResponse.json(aReleaseDetail());
      }),
    );
    sayChange("update", 9);
    await waitFor(() => expect(left).toHaveBeenCalled());
    await delay(200);
    expect(left).toHaveBeenCalledTimes(1);
    expect(router.state.location.pathname).toBe(PATH);
  });

  it("is where a card's title leads", async () => {
    answer("/api/releases", page([aRelease()]));
    answer("/api/releases/{slug}", aReleaseDetail());
    const { user } = renderPath("/releases");
    await user.click(await screen.findByRole("link", { name: "Dead Air Protocol" }));
    expect(await screen.findByText("ALL RELEASES")).toBeTruthy();
  });
});

describe("the private page of a release", () => {
  it("shows the public release once it is out, and keeps the player and the place", async () => {
    answer("/api/private/{token}", aReleaseDetail());
    const { user } = renderPath("/p/secret");
    await screen.findByText("PRIVATE: THIS RELEASE IS NOT OUT YET");
    await user.click(screen.getByRole("button", { name: "PLAY" }));
    const player = document.querySelector("iframe");
    const focused = document.activeElement;
    vi.mocked(window.scrollTo).mockClear();
    server.use(
      http.get("*/api/private/:token", () =>
        HttpResponse.redirect(new URL("/api/releases/404-019", window.location.origin), 308),
      ),
    );
    answer("/api/releases/{slug}", aReleaseDetail());
    sayChange("insert", 8);
    const share = await screen.findByRole("button", { name: "SHARE" });
    expect(screen.queryByText("PRIVATE: THIS RELEASE IS NOT OUT YET")).toBeNull();
    expect(document.querySelector("iframe") === player).toBe(true);
    expect(document.activeElement === focused).toBe(true);
    expect(window.scrollTo).not.toHaveBeenCalled();
    await user.click(share);
    await screen.findByText("URL copied to clipboard");
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}${PATH}`);
  });
});
