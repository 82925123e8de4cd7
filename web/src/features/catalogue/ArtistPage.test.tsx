import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { anArtist, aRelease } from "../../testing/catalogue.ts";
import { answer, answerBy, hang, page, refuse } from "../../testing/fakeApi.ts";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const PATH = "/artists/019aa000-0000-7000-8000-000000000001";

describe("the page of an artist", () => {
  it("shows neither content nor a 404 while the artist is on the way", async () => {
    hang("/api/artists/{id}");
    renderPath(PATH);
    const status = await screen.findByText("LOADING TRANSMISSIONS...");
    expect(status.getAttribute("role")).toBe("status");
    expect(status.getAttribute("aria-busy")).toBe("true");
    expect(screen.queryByText("ARTIST NOT FOUND")).toBeNull();
    expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
  });

  it("shows name, bio and a way back, and takes the name as title", async () => {
    answer("/api/artists/{id}", anArtist());
    renderPath(PATH);
    expect(await screen.findByRole("heading", { level: 1, name: "Kesto Vann" })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "BIO" })).toBeTruthy();
    expect(screen.getByText("Cuts records in a basement.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "BACK TO ARTISTS" }).getAttribute("href")).toBe(
      "/artists",
    );
    expect(document.title).toBe("Kesto Vann — 404 COLLECTIVE");
  });

  it("shows a bio to its last word, however long", async () => {
    const bio = "Cuts records in a basement. ".repeat(35).trim();
    answer("/api/artists/{id}", anArtist({ bio, bio_label: `${bio.slice(0, 150)}...` }));
    renderPath(PATH);
    expect(await screen.findByText(bio)).toBeTruthy();
  });

  it("says NO BIO AVAILABLE, and nothing else, where there is none", async () => {
    answer("/api/artists/{id}", anArtist({ bio: " ", bio_label: "the default bio" }));
    renderPath(PATH);
    expect(await screen.findByText("NO BIO AVAILABLE")).toBeTruthy();
    expect(screen.queryByText("the default bio")).toBeNull();
  });

  it("leads to all seven places an artist may be found at", async () => {
    answer(
      "/api/artists/{id}",
      anArtist({
        spotify_url: "https://a.example/",
        soundcloud_url: "https://b.example/",
        instagram_url: "https://c.example/",
        youtube_url: "https://d.example/",
        apple_music_url: "https://e.example/",
        social_links: { website: "https://f.example/", twitter: "https://g.example/" },
      }),
    );
    renderPath(PATH);
    const names = [
      "spotify",
      "soundcloud",
      "instagram",
      "youtube",
      "apple music",
      "website",
      "twitter",
    ];
    await screen.findByRole("link", { name: "spotify" });
    for (const name of names) {
      expect(screen.getByRole("link", { name }).getAttribute("target")).toBe("_blank");
    }
  });

  it("lists the artist's releases by the number in their description, one player at a time", async () => {
    answer("/api/artists/{id}", anArtist());
    answerBy("/api/releases", (url) =>
      url.searchParams.get("artist_id") === anArtist().id
        ? page([
            aRelease({ catalog: "404-999", catalog_label: "404-019" }),
            aRelease({
              id: "b",
              title: "Locked Groove",
              catalog_label: "N/A",
              date_label: "No Date",
            }),
          ])
        : page([]),
    );
    const { user } = renderPath(PATH);
    expect(await screen.findByText("404-019")).toBeTruthy();
    expect(screen.getByText("N/A")).toBeTruthy();
    expect(screen.getByText("No Date")).toBeTruthy();
    expect(screen.queryByText("404-999")).toBeNull();
    const [first, second] = screen.getAllByRole("button", { name: "PLAY" });
    if (!first || !second) throw new Error("two keys");
    await user.click(first);
    await user.click(second);
    expect(document.querySelectorAll("iframe")).toHaveLength(1);
  });

  it("is a 404 with a way back for an artist who does not exist", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/artists/{id}", 404);
    renderPath(PATH);
    expect(await screen.findByText("ARTIST NOT FOUND")).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1, name: "404" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "RETURN TO ARTISTS" })).toBeTruthy();
    expect(screen.queryByText("CONNECTION LOST. RETRYING.")).toBeNull();
    expect(log).not.toHaveBeenCalled();
  });

  it("is the same 404 when the artist cannot be read, and says why", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/artists/{id}", 0);
    renderPath(PATH);
    expect(await screen.findByText("ARTIST NOT FOUND")).toBeTruthy();
    expect(screen.getByText("CONNECTION LOST. RETRYING.")).toBeTruthy();
  });

  it("becomes a 404 when the artist is deleted meanwhile", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    answer("/api/artists/{id}", anArtist());
    renderPath(PATH);
    await screen.findByRole("heading", { level: 1, name: "Kesto Vann" });
    refuse("/api/artists/{id}", 404);
    FakeEventSource.current.say("change", { table: "artists", op: "delete", key: "x" }, "2");
    await waitFor(() => expect(screen.getByText("ARTIST NOT FOUND")).toBeTruthy());
  });
});
