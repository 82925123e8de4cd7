import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { describe, expect, it } from "vitest";
import { anEditableRelease, keepRows, openTab } from "../../../testing/backOffice.ts";
import { answer, answerBy, server } from "../../../testing/fakeApi.ts";

const PATH = "/api/admin/releases";
const VANN = { id: "019aa000-0000-7000-8000-000000000001", name: "Kesto Vann" };
const OTHER = { id: "019aa000-0000-7000-8000-000000000002", name: "Other Artist" };

/** Answers the artists for a release, searched like the server does. */
function answerChoices(): void {
  answerBy("/api/admin/artist-choices", (url) => {
    const q = (url.searchParams.get("q") ?? "").toLowerCase();
    return {
      items: [VANN, OTHER].filter(({ name }) => name.toLowerCase().includes(q)),
      next_cursor: null,
    };
  });
}

/** Holds searches until the returned function is called. */
function holdSearches(): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    http.get("*/api/admin/artist-choices", ({ request }) =>
      new URL(request.url).searchParams.get("q") ? released.then(() => undefined) : undefined,
    ),
  );
  return release;
}

describe("the list of releases", () => {
  it("says who, when and what, and links what is set", async () => {
    keepRows(
      PATH,
      anEditableRelease({
        featured: true,
        description: "y".repeat(151),
        bandcamp_url: "https://label.bandcamp.com/album/one",
      }),
      anEditableRelease({ id: "b", title: "Nobody's", artist: null, artist_id: null }),
    );
    openTab("releases");
    expect(await screen.findByRole("heading", { name: "Releases (2)" })).toBeTruthy();
    const first = within(screen.getByRole("article", { name: "Dead Air Protocol" }));
    expect(first.getByText("Featured")).toBeTruthy();
    expect(first.getByText("Kesto Vann")).toBeTruthy();
    expect(first.getByText("2026.10.02")).toBeTruthy();
    expect(await first.findByText(`${"y".repeat(150)}...`)).toBeTruthy();
    expect(first.getByRole("link", { name: /Bandcamp/ }).getAttribute("target")).toBe("_blank");
    expect(screen.getByText("Unknown Artist")).toBeTruthy();
  });

  it("shows a repeated catalogue number among all, also where only drafts are shown", async () => {
    keepRows(PATH, anEditableRelease());
    const repeated = [{ catalog: "404-019", times: 2, spellings: ["404-019"] }];
    const none = { next: null, gaps: [], gaps_total: 0 };
    answer("/api/admin/catalog-numbers", { ...none, repeated, repeated_total: 1 });
    const { user, router } = openTab("releases");
    await user.selectOptions(await screen.findByLabelText("Show Releases"), "Drafts");
    await waitFor(() => expect(router.state.location.search).toMatchObject({ state: "draft" }));
    await user.click(await screen.findByText("Catalogue numbers: 1 used more than once"));
    await user.click(screen.getByRole("button", { name: "Show releases with 404-019" }));
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ tab: "releases", q: "404-019" }),
    );
  });

  it("says that it cannot be read in the stated words", async () => {
    const kept = keepRows(PATH, anEditableRelease());
    const { user } = openTab("releases");
    const key = await screen.findByRole("button", { name: "Delete Dead Air Protocol" });
    kept.refuseNext(500, { code: "internal" });
    await user.click(key);
    expect(await screen.findAllByText("Failed to delete release")).not.toEqual([]);
    await user.click(key);
    expect(await screen.findByText("Release deleted successfully")).toBeTruthy();
    expect(await screen.findByText("No releases yet")).toBeTruthy();
  });
});

describe("the form of a release", () => {
  it("needs a title and a date", async () => {
    const kept = keepRows(PATH);
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    const list = await form.findByRole("list", { name: "What is wrong" });
    expect(list.textContent).toContain("Title is required");
    expect(list.textContent).toContain("Release date is required");
    expect(kept.sent).toEqual([]);
  });

  it("marks what must be filled in", async () => {
    keepRows(PATH);
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
    expect(form.getByLabelText<HTMLInputElement>("Title").required).toBe(true);
    expect(form.getByLabelText<HTMLInputElement>("Release Date").required).toBe(true);
    expect(form.getByLabelText<HTMLInputElement>("Catalog").required).toBe(false);
    expect(form.getAllByText("Required")).toHaveLength(2);
  });

  it("finds an artist by typing, and adds the release", async () => {
    const kept = keepRows(PATH);
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
    await user.type(form.getByLabelText("Title"), "Locked Groove");
    await user.type(form.getByLabelText("Release Date"), "2026-11-20");
    await user.type(form.getByRole("combobox", { name: "Artist" }), "other");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
    await user.click(screen.getByRole("option", { name: "Other Artist" }));
    expect(form.getByRole<HTMLInputElement>("combobox", { name: "Artist" }).value).toBe(
      "Other Artist",
    );
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Release created successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({
      title: "Locked Groove",
      release_date: "2026-11-20",
      artist_id: OTHER.id,
    });
  });

  it("chooses the artist that was typed with Enter, and saves with the next one", async () => {
    const kept = keepRows(PATH, anEditableRelease());
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    const artist = form.getByRole<HTMLInputElement>("combobox", { name: "Artist" });
    await user.clear(artist);
    await user.type(artist, "other");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(artist.value).toBe("Other Artist"));
    expect(kept.sent).toEqual([]);
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Release updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({ artist_id: OTHER.id });
  });

  it("neither chooses nor saves by Enter before what was typed is answered, or where nobody is called so", async () => {
    const kept = keepRows(PATH, anEditableRelease());
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    const artist = form.getByRole<HTMLInputElement>("combobox", { name: "Artist" });
    await user.clear(artist);
    const release = holdSearches();
    await user.type(artist, "other");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
    await user.keyboard("{Enter}");
    expect(artist.value).toBe("other");
    release();
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
    await user.type(artist, "wise{Enter}");
    expect(await screen.findByText("No artist found")).toBeTruthy();
    await user.keyboard("{Enter}{Enter}");
    expect(artist.value).toBe("otherwise");
    expect(kept.sent).toEqual([]);
  });

  it("takes who was gone to with the arrows, though what was typed is not answered yet", async () => {
    keepRows(PATH);
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
    const artist = form.getByRole<HTMLInputElement>("combobox", { name: "Artist" });
    const release = holdSearches();
    await user.type(artist, "o");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(artist.value).toBe("Other Artist"));
    // Typing after the arrow keys searches by name again.
    await user.clear(artist);
    await user.type(artist, "o");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
    await user.keyboard("{ArrowDown}t{Enter}");
    expect(artist.value).toBe("ot");
    release();
  });

  it.each(["{Tab}", "click"])(
    "takes the artist whose name was typed in full and left by %s",
    async (way) => {
      const kept = keepRows(PATH, anEditableRelease());
      answerChoices();
      const { user } = openTab("releases");
      await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
      const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
      const artist = form.getByRole<HTMLInputElement>("combobox", { name: "Artist" });
      await user.clear(artist);
      await user.type(artist, "other artist");
      await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
      if (way === "click") await user.click(form.getByLabelText("Title"));
      else await user.keyboard(way);
      await waitFor(() => expect(artist.value).toBe("Other Artist"));
      await user.click(form.getByRole("button", { name: "Save" }));
      expect(await screen.findByText("Release updated successfully")).toBeTruthy();
      expect(kept.sent[0]?.body).toMatchObject({ artist_id: OTHER.id });
    },
  );

  it("takes the artist also where the answer comes after the field was left", async () => {
    keepRows(PATH, anEditableRelease());
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    const artist = form.getByRole<HTMLInputElement>("combobox", { name: "Artist" });
    await user.clear(artist);
    const release = holdSearches();
    await user.type(artist, "other artist{Tab}");
    expect(artist.value).toBe("other artist");
    release();
    await waitFor(() => expect(artist.value).toBe("Other Artist"));
  });

  it.each(["Nobody Such", "oth"])(
    "keeps a text that is no artist's name, and saves nothing: %s",
    async (typed) => {
      const kept = keepRows(PATH);
      answerChoices();
      const { user } = openTab("releases");
      await user.click(await screen.findByRole("button", { name: "Add Release" }));
      const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
      await user.type(form.getByLabelText("Title"), "Locked Groove");
      await user.type(form.getByLabelText("Release Date"), "2026-11-20");
      const artist = form.getByRole<HTMLInputElement>("combobox", { name: "Artist" });
      await user.type(artist, typed);
      // The open list hides the rest from screen readers, but it can be pressed.
      await user.click(form.getByRole("button", { name: "Save", hidden: true }));
      const refused = await screen.findAllByText("Please choose an artist from the list");
      expect(refused.length).toBeGreaterThan(0);
      expect(artist.value).toBe(typed);
      expect(kept.sent).toEqual([]);
      // Clearing the field removes the artist.
      await user.clear(artist);
      await user.click(form.getByRole("button", { name: "Save" }));
      expect(await screen.findByText("Release created successfully")).toBeTruthy();
      expect(kept.sent[0]?.body.artist_id ?? null).toBeNull();
    },
  );

  it("can be nobody's again", async () => {
    const kept = keepRows(PATH, anEditableRelease());
    answerChoices();
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    expect(form.getByRole<HTMLInputElement>("combobox", { name: "Artist" }).value).toBe(
      "Kesto Vann",
    );
    await user.click(form.getByRole("button", { name: "Clear the artist" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Release updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body.artist_id ?? null).toBeNull();
  });
});
