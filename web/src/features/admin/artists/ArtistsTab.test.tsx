import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { describe, expect, it } from "vitest";
import { anEditableArtist, keepRows, openTab } from "../../../testing/backOffice.ts";
import { refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

const PATH = "/api/admin/artists";
const keep = (...rows: ReturnType<typeof anEditableArtist>[]) => keepRows(PATH, ...rows);

describe("the list of artists", () => {
  it("counts them, badges the featured, cuts long bios and links what is set", async () => {
    keep(
      anEditableArtist({
        featured: true,
        bio: "x".repeat(151),
        spotify_url: "https://open.spotify.com/artist/one",
      }),
      anEditableArtist({ id: "b", name: "Nobody Yet", bio: null }),
    );
    openTab("artists");
    expect(await screen.findByRole("heading", { name: "Artists (2)" })).toBeTruthy();
    const first = within(screen.getByRole("article", { name: "Kesto Vann" }));
    expect(first.getByText("Featured")).toBeTruthy();
    // Cut once the rules are there.
    expect(await first.findByText(`${"x".repeat(150)}...`)).toBeTruthy();
    const link = first.getByRole("link", { name: /Spotify/ });
    expect(link.getAttribute("target")).toBe("_blank");
    expect(link.getAttribute("rel")).toContain("noopener");
    expect(first.queryByRole("link", { name: /Instagram/ })).toBeNull();
    expect(screen.getByText("No bio available")).toBeTruthy();
  });

  it("says when there are none, and when a search finds none", async () => {
    const kept = keep();
    const { user } = openTab("artists");
    expect(await screen.findByText("No artists yet")).toBeTruthy();
    await user.type(screen.getByRole("searchbox", { name: "Search names" }), "vann ");
    expect(await screen.findByText("Nothing found for “vann”")).toBeTruthy();
    expect(kept.searches).toContain("vann");
  });

  it("dims the rows of an older search until the newer answer is here", async () => {
    const kept = keep(anEditableArtist());
    const { user } = openTab("artists");
    await screen.findByRole("article", { name: "Kesto Vann" });
    let arrive = () => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    server.use(http.get(`*${PATH}`, () => held));
    const list = screen.getByRole("list", { name: "Artists" });
    expect(list.getAttribute("aria-busy")).toBe("false");
    await user.type(screen.getByRole("searchbox", { name: "Search names" }), "Vann");
    await waitFor(() => expect(list.getAttribute("aria-busy")).toBe("true"));
    expect(list.className).toContain("opacity");
    arrive();
    await waitFor(() => expect(list.getAttribute("aria-busy")).toBe("false"));
    expect(list.className).not.toContain("opacity");
    expect(kept.searches).toContain("Vann");
  });

  it("says of a search that nothing was found only once it is answered", async () => {
    keep();
    const { user } = openTab("artists");
    await screen.findByRole("heading", { name: "Artists (0)" });
    let arrive = () => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    server.use(http.get(`*${PATH}`, () => held));
    await user.type(screen.getByRole("searchbox", { name: "Search names" }), "Vann");
    expect(await screen.findByText(/^Loading/)).toBeTruthy();
    expect(screen.queryByText(/^Nothing found/)).toBeNull();
    arrive();
    expect(await screen.findByText("Nothing found for “Vann”")).toBeTruthy();
  });

  it("says that it cannot be read, and is read again on demand", async () => {
    refuseCall("get", PATH, 422, { code: "refused" });
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Try Again" }));
    expect(screen.getAllByText("Failed to load artists").length).toBeGreaterThan(0);
    keep(anEditableArtist());
    await user.click(await screen.findByRole("button", { name: "Try Again" }));
    expect(await screen.findByRole("article", { name: "Kesto Vann" })).toBeTruthy();
  });

  it("shows what another admin changes", async () => {
    const kept = keep(anEditableArtist());
    openTab("artists");
    await screen.findByRole("article", { name: "Kesto Vann" });
    kept.rows = [anEditableArtist({ name: "Kesto Vann II", version: 4 })];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "update", key: "a" }, "7");
    expect(await screen.findByRole("article", { name: "Kesto Vann II" })).toBeTruthy();
  });

  it("deletes without a question, once by a double click, and nothing else with it", async () => {
    const kept = keep(anEditableArtist(), anEditableArtist({ id: "b", name: "Other" }));
    const { user } = openTab("artists");
    await user.dblClick(await screen.findByRole("button", { name: "Delete Kesto Vann" }));
    expect(await screen.findByText("Artist deleted successfully")).toBeTruthy();
    expect(kept.sent.map(({ call }) => call)).toEqual(["DELETE"]);
    expect(screen.queryByRole("article", { name: "Kesto Vann" })).toBeNull();
    expect(screen.getByRole("article", { name: "Other" })).toBeTruthy();
  });

  it("leaves the reading position at the head of the list after a delete", async () => {
    keep(anEditableArtist(), anEditableArtist({ id: "b", name: "Other" }));
    const { user } = openTab("artists");
    (await screen.findByRole("button", { name: "Delete Kesto Vann" })).focus();
    await user.keyboard("{Enter}");
    const heading = await screen.findByRole("heading", { name: "Artists (1)" });
    expect(document.activeElement).toBe(heading);
  });

  it("keeps the row that could not be deleted", async () => {
    const kept = keep(anEditableArtist());
    const { user } = openTab("artists");
    const key = await screen.findByRole("button", { name: "Delete Kesto Vann" });
    kept.refuseNext(500, { code: "internal" });
    await user.click(key);
    expect(await screen.findAllByText("Failed to delete artist")).not.toEqual([]);
    await user.click(key);
    expect(await screen.findByText("Artist deleted successfully")).toBeTruthy();
  });
});
