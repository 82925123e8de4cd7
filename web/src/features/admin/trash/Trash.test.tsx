import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import {
  aMediaFile,
  anEditableArtist,
  anEditableRelease,
  keepRows,
  openTab,
} from "../../../testing/backOffice.ts";
import { answerCall, refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";

const GONE = {
  kind: "artist",
  id: "gone",
  name: "Vesna",
  image_url: null,
  image_small_url: null,
  image_sizes: null,
  deleted_at: "2026-11-20T12:00:00Z",
  deleted_by: "boss_404",
  gone_at: "2026-12-20T12:00:00Z",
};

const NONE = { artist: 0, release: 0, product: 0, media: 0, site_image: 0, demo: 0 };
const ONE = { ...NONE, artist: 1 };

/** A trash with one artist; records the calls. */
function fillTrash() {
  const kept = { items: [GONE], sent: [] as string[] };
  const take = (call: string) => {
    kept.sent.push(call);
    kept.items = [];
  };
  server.use(
    http.get("*/api/admin/trash/counts", () =>
      HttpResponse.json({ ...NONE, artist: kept.items.length }),
    ),
    http.get("*/api/admin/trash", () =>
      HttpResponse.json({ items: kept.items, next_cursor: null, total: kept.items.length }),
    ),
    http.post("*/api/admin/trash/restore", async ({ request }) => {
      const { kind, ids } = (await request.json()) as { kind: string; ids: string[] };
      take(`restore ${kind} ${ids}`);
      return HttpResponse.json({ ids });
    }),
    http.delete("*/api/admin/trash/artist/gone", () => {
      take("purge");
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return kept;
}

describe("the trash", () => {
  it("has its key also while it is empty", async () => {
    keepRows("/api/admin/artists", anEditableArtist());
    openTab("artists");
    expect(await screen.findByRole("button", { name: "Trash (0) of Artists" })).toBeTruthy();
  });

  it("has its place before its count is read", async () => {
    server.use(http.get("*/api/admin/trash/counts", () => new Promise<never>(() => undefined)));
    openTab("artists");
    expect(await screen.findByRole("button", { name: "Trash (…) of Artists" })).toBeTruthy();
  });

  it("says how much is in it, and restores", async () => {
    keepRows("/api/admin/artists", anEditableArtist());
    const kept = fillTrash();
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Trash (1) of Artists" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Trash: Artists" }));
    const row = within(await dialog.findByRole("article", { name: "Vesna" }));
    expect(row.getByText(/by boss_404/).textContent).toBe(
      "Deleted 2026.11.20 by boss_404, goes 2026.12.20",
    );
    await user.click(row.getByRole("button", { name: "Restore Vesna" }));
    expect(await screen.findByText("The trash is empty")).toBeTruthy();
    expect(kept.sent).toEqual(["restore artist gone"]);
    expect(await screen.findByText("Restored")).toBeTruthy();
  });

  it("says so where it was restored or deleted for good elsewhere, and takes it out", async () => {
    keepRows("/api/admin/artists", anEditableArtist());
    const kept = fillTrash();
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Trash (1) of Artists" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Trash: Artists" }));
    server.use(
      http.post("*/api/admin/trash/restore", () => {
        kept.items = [];
        return HttpResponse.json({ ids: [] });
      }),
    );
    await user.click(await dialog.findByRole("button", { name: "Restore Vesna" }));
    expect(await screen.findByText("Not in the trash")).toBeTruthy();
    expect(screen.queryByText("Failed to restore")).toBeNull();
    expect(screen.queryByText("Restored")).toBeNull();
    expect(await screen.findByText("The trash is empty")).toBeTruthy();
  });

  it("asks once before it deletes for good", async () => {
    keepRows("/api/admin/artists", anEditableArtist());
    const kept = fillTrash();
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Trash (1) of Artists" }));
    await user.click(await screen.findByRole("button", { name: "Delete for good: Vesna" }));
    expect(kept.sent).toEqual([]);
    const keep = await screen.findByRole("button", { name: "Keep" });
    await waitFor(() => expect(document.activeElement).toBe(keep));
    await user.click(keep);
    await user.click(screen.getByRole("button", { name: "Delete for good: Vesna" }));
    await user.click(await screen.findByRole("button", { name: "Yes, Delete For Good" }));
    expect(await screen.findByText("Deleted for good")).toBeTruthy();
    expect(kept.sent).toEqual(["purge"]);
  });

  it("claims no deletion of a row that was restored elsewhere, and lists it again", async () => {
    const list = keepRows("/api/admin/artists");
    const kept = fillTrash();
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Trash (1) of Artists" }));
    await user.click(await screen.findByRole("button", { name: "Delete for good: Vesna" }));
    list.rows = [anEditableArtist({ id: "gone", name: "Vesna" })];
    kept.items = [];
    refuseCall("delete", "/api/admin/trash/artist/gone", 404, { code: "not_found" });
    await user.click(await screen.findByRole("button", { name: "Yes, Delete For Good" }));
    expect(await screen.findByText("Not in the trash")).toBeTruthy();
    expect(screen.queryByText("Deleted for good")).toBeNull();
    const dialog = within(screen.getByRole("dialog", { name: "Trash: Artists" }));
    await user.click(dialog.getByRole("button", { name: "CLOSE" }));
    expect(await screen.findByRole("button", { name: "Edit Vesna" })).toBeTruthy();
  });

  it("takes no second click of a double click for an answer, or for the next row", async () => {
    keepRows("/api/admin/artists", anEditableArtist());
    const kept = fillTrash();
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Trash (1) of Artists" }));
    const click = (name: string, detail: number) =>
      fireEvent.click(screen.getByRole("button", { name }), { detail });
    await screen.findByRole("article", { name: "Vesna" });
    click("Delete for good: Vesna", 1);
    click("Yes, Delete For Good", 2);
    await user.click(screen.getByRole("button", { name: "Keep" }));
    click("Restore Vesna", 2);
    await new Promise((resolve) => setTimeout(resolve));
    expect(kept.sent).toEqual([]);
  });
});

describe("a row that was restored from the trash", () => {
  it("can be deleted again at once, by a pointer that comes back to the same place", async () => {
    const list = keepRows("/api/admin/artists", anEditableArtist());
    const { id } = anEditableArtist();
    let isThere = true;
    server.use(
      http.get("*/api/admin/trash/counts", () => HttpResponse.json(isThere ? NONE : ONE)),
      http.get("*/api/admin/trash", () =>
        HttpResponse.json({
          items: isThere ? [] : [{ ...GONE, id, name: "Kesto Vann" }],
          next_cursor: null,
          total: isThere ? 0 : 1,
        }),
      ),
      http.delete("*/api/admin/artists/:id", () => {
        isThere = false;
        // Others hear of it at once; the response goes to the admin who did it.
        return undefined;
      }),
      http.post("*/api/admin/trash/restore", () => {
        isThere = true;
        list.rows = [anEditableArtist()];
        return HttpResponse.json({ ids: [id] });
      }),
    );
    const { user } = openTab("artists");
    const press = async (key: Element, x: number, y: number) => {
      await user.pointer({ target: key, coords: { x, y } });
      await user.pointer({ keys: "[MouseLeft]", target: key, coords: { x, y } });
    };
    await press(await screen.findByRole("button", { name: "Delete Kesto Vann" }), 900, 300);
    // Without an announcement: the page that made the change knows.
    await press(await screen.findByRole("button", { name: "Trash (1) of Artists" }), 700, 100);
    await press(await screen.findByRole("button", { name: "Restore Kesto Vann" }), 700, 200);
    await screen.findByText("The trash is empty");
    const dialog = within(screen.getByRole("dialog", { name: "Trash: Artists" }));
    await press(dialog.getByRole("button", { name: "CLOSE" }), 800, 100);
    await press(await screen.findByRole("button", { name: "Delete Kesto Vann" }), 900, 300);
    await waitFor(() => expect(list.sent.map(({ call }) => call)).toEqual(["DELETE", "DELETE"]));
  });
});

describe("the toast of a deletion", () => {
  it("brings the row back", async () => {
    const kept = keepRows("/api/admin/artists", anEditableArtist());
    const restored: unknown[] = [];
    server.use(
      http.post("*/api/admin/trash/restore", async ({ request }) => {
        restored.push(await request.json());
        kept.rows = [anEditableArtist()];
        return HttpResponse.json({ ids: [anEditableArtist().id] });
      }),
    );
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Delete Kesto Vann" }));
    await user.click(await screen.findByRole("button", { name: "UNDO" }));
    expect(await screen.findByRole("article", { name: "Kesto Vann" })).toBeTruthy();
    expect(restored).toEqual([{ kind: "artist", ids: [anEditableArtist().id] }]);
    expect(await screen.findByText("Restored")).toBeTruthy();
  });

  it("claims no failure where another admin has brought the row back already", async () => {
    const kept = keepRows("/api/admin/artists", anEditableArtist());
    answerCall("post", "/api/admin/trash/restore", { ids: [] });
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Delete Kesto Vann" }));
    await screen.findByText("No artists yet");
    kept.rows = [anEditableArtist()];
    await user.click(await screen.findByRole("button", { name: "UNDO" }));
    expect(await screen.findByText("Not in the trash")).toBeTruthy();
    expect(screen.queryByText("Failed to restore")).toBeNull();
    expect(await screen.findByRole("article", { name: "Kesto Vann" })).toBeTruthy();
  });

  it("says that a release came back as a draft", async () => {
    const kept = keepRows("/api/admin/releases", anEditableRelease());
    server.use(
      http.post("*/api/admin/trash/restore", () => {
        const { id } = anEditableRelease();
        kept.rows = [anEditableRelease({ state: "draft", goes_out_at: null })];
        return HttpResponse.json({ ids: [id], drafts: [id] });
      }),
    );
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Delete Dead Air Protocol" }));
    await user.click(await screen.findByRole("button", { name: "UNDO" }));
    expect(await screen.findByText("Restored as a draft")).toBeTruthy();
    expect(screen.getByText("Its date passed while it was in the trash.")).toBeTruthy();
  });

  it("names what showed a file", async () => {
    const kept = keepRows(
      "/api/admin/media",
      aMediaFile({
        is_public: false,
        uses: [{ kind: "artist", id: "a", name: "Vesna" }],
      }),
    );
    const { user } = openTab("media");
    const cell = within(await screen.findByRole("article", { name: "flyer.png" }));
    expect(cell.getByText("Not public")).toBeTruthy();
    expect(cell.getByText("Used in artist Vesna")).toBeTruthy();
    await user.click(cell.getByRole("button", { name: "Delete flyer.png" }));
    await waitFor(() => expect(screen.getByText("It was shown by artist Vesna.")).toBeTruthy());
    // Restored, and no longer listed: the row goes away.
    server.use(
      http.post("*/api/admin/trash/restore", () => {
        kept.rows = [aMediaFile({ uses: [] })];
        return HttpResponse.json({ ids: [aMediaFile().id] });
      }),
    );
    await user.click(screen.getByRole("button", { name: "UNDO" }));
    await user.click(await screen.findByRole("button", { name: "Delete flyer.png" }));
    await waitFor(() => expect(kept.rows).toEqual([]));
    await screen.findByRole("button", { name: "UNDO" });
    expect(screen.queryByText("It was shown by artist Vesna.")).toBeNull();
  });
});
