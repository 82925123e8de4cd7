import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { aDemo, anEditableArtist, openTab } from "../../../testing/backOffice.ts";
import { breakCall, refuseCall, seeAs } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";
import { anAdmin } from "../../../testing/people.ts";
import { renderPath } from "../../../testing/renderPath.tsx";

const PATH = "/api/admin/artists";

interface Kept {
  /** The rows outside the trash. */
  there: () => string[];
  /** The queries of the lists, in order. */
  asked: string[];
  /** The number of rows each call moved. */
  moved: number[];
  drop: (name: string) => void;
  /** Of the nth call that moves. */
  loseAnswer: (nth: number) => void;
}

/** Keeps `count` numbered artists behind the list and the trash. */
function keepArtists(count: number): Kept {
  const all = Array.from({ length: count }, (_, nth) =>
    anEditableArtist({ id: `id-${nth}`, name: `Artist ${nth}` }),
  );
  const gone = new Set<string>();
  let lost = 0;
  const kept: Kept = {
    there: () => all.filter(({ id }) => !gone.has(id)).map(({ name }) => name),
    asked: [],
    moved: [],
    drop: (name) => gone.add(all.find((row) => row.name === name)?.id ?? ""),
    loseAnswer: (nth) => {
      lost = nth;
    },
  };
  async function move(request: Request, isDeleted: boolean): Promise<Response> {
    const { kind, ids } = (await request.json()) as { kind: string; ids: string[] };
    expect([kind, ids.length <= 100]).toEqual(["artist", true]);
    const moved = ids.filter((id) => gone.has(id) !== isDeleted);
    for (const id of moved) {
      if (isDeleted) gone.add(id);
      else gone.delete(id);
    }
    kept.moved.push(moved.length);
    return kept.moved.length === lost ? HttpResponse.error() : HttpResponse.json({ ids: moved });
  }
  server.use(
    http.get(`*${PATH}`, ({ request }) => {
      const { searchParams } = new URL(request.url);
      const q = searchParams.get("q") ?? "";
      searchParams.delete("limit");
      kept.asked.push(searchParams.toString());
      const found = all.filter(({ id, name }) => !gone.has(id) && name.includes(q));
      if (searchParams.get("sort") === "-name") found.reverse();
      return HttpResponse.json({ items: found, next_cursor: null, total: found.length });
    }),
    http.post("*/api/admin/trash", ({ request }) => move(request, true)),
    http.post("*/api/admin/trash/restore", ({ request }) => move(request, false)),
  );
  return kept;
}

const box = (nth: number) => screen.findByRole("checkbox", { name: `Choose Artist ${nth}` });
const all = () => screen.findByRole<HTMLInputElement>("checkbox", { name: /^Choose all loaded/ });
const sort = () => screen.findByRole<HTMLSelectElement>("combobox", { name: /^Sort/ });
const show = () => screen.findByRole<HTMLSelectElement>("combobox", { name: /^Show/ });

function openAt(path: string) {
  seeAs(anAdmin());
  return renderPath(path);
}

describe("the number in the head of a list", () => {
  const heading = (name: string) => screen.findByRole("heading", { level: 2, name });

  it("is that of all rows, also while some are searched for, whose number stands beside it", async () => {
    const kept = keepArtists(12);
    const { user } = openTab("artists");
    await heading("Artists (12)");
    const search = screen.getByRole("searchbox", { name: "Search names" });
    await user.type(search, "Artist 1");
    expect(await screen.findByText("3 found")).toBeTruthy();
    await heading("Artists (12)");
    kept.drop("Artist 5");
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "update", key: "id-5" }, "7");
    await heading("Artists (11)");
    await user.clear(search);
    await waitFor(() => expect(screen.queryByText(/ found$/)).toBeNull());
    await heading("Artists (11)");
  });

  it("is that of all rows where the address asks for some", async () => {
    keepArtists(12);
    openAt("/admin?tab=artists&q=Artist+1");
    await heading("Artists (12)");
    expect(screen.getByText("3 found")).toBeTruthy();
  });
});

describe("what a list is asked for", () => {
  it("stands in the address, and what is as always leaves no trace there", async () => {
    const kept = keepArtists(3);
    const { user, router } = openTab("artists");
    const address = () => router.state.location.searchStr;
    await box(0);
    await user.selectOptions(await sort(), "Name Z to A");
    await waitFor(() => expect(address()).toContain("sort=-name"));
    await user.selectOptions(await show(), "Highlights");
    await waitFor(() => expect(address()).toContain("state=featured"));
    await user.type(screen.getByRole("searchbox", { name: "Search names" }), "Artist ");
    await waitFor(() => expect(address()).toContain("q=Artist"));
    await waitFor(() => expect(kept.asked).toContain("q=Artist&sort=-name&state=featured"));
    await user.selectOptions(await sort(), "Newest first");
    await user.selectOptions(await show(), "All");
    await user.clear(screen.getByRole("searchbox", { name: "Search names" }));
    await waitFor(() => expect(address()).toBe("?tab=artists"));
    expect(await screen.findAllByRole("article")).toHaveLength(3);
  });

  it("is read from it, and is never what no list knows", async () => {
    const kept = keepArtists(3);
    openAt("/admin?tab=artists&q=2&sort=-name&state=featured");
    expect(await screen.findByRole("article", { name: "Artist 2" })).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("searchbox", { name: "Search names" }).value).toBe(
      "2",
    );
    expect([(await sort()).value, (await show()).value]).toEqual(["-name", "featured"]);
    expect(kept.asked).toContain("q=2&sort=-name&state=featured");
  });

  it("falls back to all in the list's own order where the address says nonsense", async () => {
    const kept = keepArtists(2);
    openAt("/admin?tab=artists&sort=backwards&state=%3Cb%3E&q=");
    await box(0);
    expect([(await sort()).value, (await show()).value]).toEqual(["-created", ""]);
    expect(kept.asked.at(-1)).toBe("");
  });

  it("comes back with the tab by going back, and stays behind when another is opened", async () => {
    keepArtists(3);
    const { user, router } = openTab("artists");
    await box(0);
    await user.type(screen.getByRole("searchbox", { name: "Search names" }), "1");
    await waitFor(() => expect(screen.queryByRole("article", { name: "Artist 0" })).toBeNull());
    await user.click(screen.getByRole("tab", { name: "Terminal" }));
    await waitFor(() => expect(router.state.location.searchStr).toBe("?tab=terminal"));
    act(() => router.history.back());
    const field = await screen.findByRole<HTMLInputElement>("searchbox", { name: "Search names" });
    expect(field.value).toBe("1");
    expect(await screen.findByRole("article", { name: "Artist 1" })).toBeTruthy();
    expect(screen.queryByRole("article", { name: "Artist 0" })).toBeNull();
  });

  it("is another for each of two lists on one tab", async () => {
    server.use(
      http.get("*/api/admin/demos", () =>
        HttpResponse.json({ items: [aDemo()], next_cursor: null, total: 1 }),
      ),
    );
    const { user, router } = openAt("/admin?tab=media&demo_sort=size");
    const table = within(await screen.findByRole("table", { name: /^Demo Submissions/ }));
    const head = (name: string) => table.getByRole("columnheader", { name });
    expect(head("Size").getAttribute("aria-sort")).toBe("ascending");
    expect(screen.queryByRole("table", { name: /the newest first/ })).toBeNull();
    expect(head("Artist").getAttribute("aria-sort")).toBe("none");
    expect(head("Actions").getAttribute("aria-sort")).toBeNull();
    await user.click(within(head("Size")).getByRole("button"));
    await waitFor(() => expect(head("Size").getAttribute("aria-sort")).toBe("descending"));
    expect(router.state.location.searchStr).toContain("demo_sort=-size");
    expect(router.state.location.searchStr).not.toContain("&sort=");
  });
});

describe("chosen rows", () => {
  it("are counted, and move to the trash together, and back", async () => {
    const kept = keepArtists(4);
    const { user } = openTab("artists");
    await user.click(await box(1));
    expect(screen.getByText("1 chosen").getAttribute("role")).toBe("status");
    await user.click(await box(3));
    expect(screen.getByText("2 chosen")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "MOVE 2 TO TRASH" }));
    expect(await screen.findByText("Moved to the trash")).toBeTruthy();
    expect(screen.getByText("2 artists.")).toBeTruthy();
    expect(kept.there()).toEqual(["Artist 0", "Artist 2"]);
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(2));
    expect(screen.queryByText(/chosen$/)).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Artists (2)" }));
    await user.click(screen.getByRole("button", { name: "UNDO" }));
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(4));
    expect([kept.there().length, kept.moved]).toEqual([4, [2, 2]]);
    expect(screen.queryByText(/chosen$/)).toBeNull();
  });

  it("are a range with Shift, none after Escape, and all that are loaded by one box", async () => {
    keepArtists(5);
    const { user } = openTab("artists");
    fireEvent.click(await box(1));
    fireEvent.click(await box(3), { shiftKey: true });
    expect(screen.getByText("3 chosen")).toBeTruthy();
    expect((await all()).indeterminate).toBe(true);
    // The key belongs to the focused field.
    screen.getByRole("searchbox", { name: "Search names" }).focus();
    await user.keyboard("{Escape}");
    expect(screen.getByText("3 chosen")).toBeTruthy();
    (await box(1)).focus();
    await user.keyboard("{Escape}");
    expect(screen.queryByText(/chosen$/)).toBeNull();
    await user.click(await all());
    expect(screen.getByText("5 chosen")).toBeTruthy();
    await user.click(await all());
    expect(screen.queryByText(/chosen$/)).toBeNull();
  });

  it("stay chosen when the list changes, but for those that are gone", async () => {
    const kept = keepArtists(4);
    const { user } = openTab("artists");
    await user.click(await all());
    await user.click(await box(0));
    kept.drop("Artist 2");
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "delete", key: "a" }, "7");
    expect(await screen.findByText("2 chosen")).toBeTruthy();
    expect(screen.getAllByRole("article")).toHaveLength(3);
  });

  it("are chosen no more in another search or order", async () => {
    keepArtists(3);
    const { user } = openTab("artists");
    await user.click(await all());
    await user.type(screen.getByRole("searchbox", { name: "Search names" }), "1");
    await waitFor(() => expect(screen.queryByText(/chosen$/)).toBeNull());
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
    await user.click(await all());
    expect(screen.getByText("1 chosen")).toBeTruthy();
    await user.selectOptions(await sort(), "Name Z to A");
    await waitFor(() => expect(screen.queryByText(/chosen$/)).toBeNull());
  });

  it("move in parts where they are more than the server takes at once", async () => {
    const kept = keepArtists(130);
    const { user } = openTab("artists");
    await box(0);
    await user.click(await all());
    await user.click(screen.getByRole("button", { name: "MOVE 130 TO TRASH" }));
    expect(await screen.findByText("130 artists.")).toBeTruthy();
    expect([kept.moved, kept.there()]).toEqual([[100, 30], []]);
    await user.click(screen.getByRole("button", { name: "UNDO" }));
    await waitFor(() => expect(kept.there()).toHaveLength(130));
  });

  it("are perhaps restored where the answer to UNDO was lost", async () => {
    keepArtists(5);
    const { user } = openTab("artists");
    await user.click(await box(0));
    await user.click(screen.getByRole("button", { name: "MOVE 1 TO TRASH" }));
    breakCall("post", "/api/admin/trash/restore");
    await user.click(await screen.findByRole("button", { name: "UNDO" }));
    expect(await screen.findAllByText("Perhaps restored")).not.toEqual([]);
    expect(screen.queryByText("Failed to restore")).toBeNull();
  });

  it("come back also where the answer to their move was lost", async () => {
    const kept = keepArtists(130);
    const { user } = openTab("artists");
    await box(0);
    await user.click(await all());
    kept.loseAnswer(2);
    await user.click(screen.getByRole("button", { name: "MOVE 130 TO TRASH" }));
    const lost = "The server did not answer: UNDO brings back what may be gone.";
    expect(await screen.findAllByText(`Failed to move to the trash. ${lost}`)).not.toEqual([]);
    expect(kept.there()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "UNDO" }));
    await waitFor(() => expect(kept.there()).toHaveLength(130));
  });

  it("stay where they are when they cannot be moved", async () => {
    keepArtists(2);
    refuseCall("post", "/api/admin/trash", 503, { code: "unavailable" });
    const { user } = openTab("artists");
    await user.click(await all());
    await user.click(screen.getByRole("button", { name: "MOVE 2 TO TRASH" }));
    expect((await screen.findAllByText("Failed to move to the trash")).length).toBeGreaterThan(0);
    expect(screen.getAllByRole("article")).toHaveLength(2);
    expect(screen.getByText("2 chosen")).toBeTruthy();
  });
});
