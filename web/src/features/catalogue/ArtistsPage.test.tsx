import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { BUILT_IN_TEXTS } from "../../api/builtInTexts.ts";
import { anArtist } from "../../testing/catalogue.ts";
import { answer, hang, page, refuse } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";

describe("the artists page", () => {
  it("shows hairlines while the artists are on their way", async () => {
    hang("/api/artists");
    renderPath("/artists");
    const status = await screen.findByText("LOADING TRANSMISSIONS...");
    expect(status.getAttribute("role")).toBe("status");
    expect(status.getAttribute("aria-busy")).toBe("true");
    expect(screen.queryByText("NO ARTISTS FOUND")).toBeNull();
  });

  it("still invites to join, in the built-in words, when the texts cannot be read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/content", 502);
    renderPath("/artists");
    expect(await screen.findByText(BUILT_IN_TEXTS.artists_join_title ?? "")).toBeTruthy();
    expect(screen.getByText(BUILT_IN_TEXTS.artists_join_description ?? "")).toBeTruthy();
  });

  it("says that there are none, and still invites to join", async () => {
    renderPath("/artists");
    expect(await screen.findByText("NO ARTISTS FOUND")).toBeTruthy();
    expect(await screen.findByText("the artists_join_title text")).toBeTruthy();
    expect(screen.getByText("the artists_join_description text")).toBeTruthy();
  });

  it("lists names, bios and counts in the order they are sent", async () => {
    answer(
      "/api/artists",
      page([
        anArtist({ id: "1", name: "Ärzte", release_count: 1, release_count_label: "1 RELEASE" }),
        anArtist({ id: "2", name: "Beta", bio: null, bio_label: "the default bio" }),
      ]),
    );
    renderPath("/artists");
    await screen.findByRole("link", { name: "Ärzte" });
    const [first, second] = screen
      .getAllByRole("listitem")
      .filter((item) => item.querySelector("h2"));
    if (!first || !second) throw new Error("two rows");
    expect(within(first).getByRole("link", { name: "Ärzte" }).getAttribute("href")).toBe(
      "/artists/1",
    );
    expect(within(first).getByText("1 RELEASE")).toBeTruthy();
    expect(within(second).getByText("the default bio")).toBeTruthy();
  });

  it("links to the four places of the list, where they are set", async () => {
    answer(
      "/api/artists",
      page([
        anArtist({
          soundcloud_url: "https://soundcloud.com/x",
          social_links: { website: "https://example.org/", twitter: null },
          spotify_url: "https://open.spotify.com/artist/x",
        }),
      ]),
    );
    renderPath("/artists");
    const website = await screen.findByRole("link", { name: "website" });
    expect(website.getAttribute("rel")).toContain("noopener");
    expect(screen.getByRole("link", { name: "soundcloud" })).toBeTruthy();
    for (const absent of ["twitter", "instagram", "spotify"]) {
      expect(screen.queryByRole("link", { name: absent })).toBeNull();
    }
  });

  it("stays empty and says that the connection is lost", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/artists", 0);
    renderPath("/artists");
    expect(await screen.findByText("CONNECTION LOST. RETRYING.")).toBeTruthy();
    expect(screen.getByText("NO ARTISTS FOUND")).toBeTruthy();
  });
});
