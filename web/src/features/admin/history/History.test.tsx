import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { aMediaFile, anEditableArtist, keepRows, openTab } from "../../../testing/backOffice.ts";
import { holdCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { differences } from "./HistoryDialog.tsx";

const VERSIONS = [
  {
    version: 3,
    saved_at: "2026-11-02T10:00:00Z",
    saved_by: "boss_404",
    fields: { name: "Kesto Vann", bio: "Cuts records in a basement.", featured: false },
  },
  {
    version: 2,
    saved_at: "2026-11-01T10:00:00Z",
    saved_by: null,
    fields: { name: "Kesto", bio: null, featured: true },
  },
];

const STALE =
  "Someone else has changed this in the meantime. Your text is still here: load the newest version and compare.";

async function openHistory(missing: string[] = [], versions = VERSIONS, older: object[] = []) {
  const artist = anEditableArtist();
  const kept = keepRows("/api/admin/artists", artist);
  const restored: unknown[] = [];
  server.use(
    http.get(`*/api/admin/versions/artist/${artist.id}`, ({ request }) => {
      const isFirst = !request.url.includes("cursor");
      const next_cursor = isFirst && older.length > 0 ? "more" : null;
      return HttpResponse.json({ items: isFirst ? versions : older, next_cursor });
    }),
    http.post("*/api/admin/versions/:kind/:key/:version/restore", ({ params, request }) => {
      restored.push([params.kind, params.version, request.headers.get("if-match")]);
      kept.rows = [anEditableArtist({ name: "Kesto", version: 4 })];
      return HttpResponse.json({ version: 4, missing });
    }),
  );
  const { user } = openTab("artists");
  await user.click(await screen.findByRole("button", { name: "Edit Kesto Vann" }));
  await user.click(await screen.findByRole("button", { name: "History of Kesto Vann" }));
  const dialog = within(await screen.findByRole("dialog", { name: "History: Kesto Vann" }));
  await dialog.findByRole("list", { name: "Versions of Kesto Vann" });
  return { user, dialog, restored };
}

describe("the history of a row", () => {
  it("says who saved what, field by field", async () => {
    const { dialog } = await openHistory();
    const [newest, first] = dialog.getAllByRole("listitem");
    expect(newest?.textContent).toContain("Version 3 (newest)");
    expect(newest?.textContent).toContain("by boss_404");
    expect(newest?.textContent).toContain("Before: KestoAfter: Kesto Vann");
    expect(newest?.textContent).toContain("FeaturedBefore: YesAfter: No");
    expect(first?.textContent).toContain("The first version that was kept.");
  });

  it("says of one that changed no field that it did not", async () => {
    const state = VERSIONS.map((saved) => ({ ...saved, fields: { name: "Kesto Vann" } }));
    const { dialog } = await openHistory([], state as unknown as typeof VERSIONS);
    const [newest] = dialog.getAllByRole("listitem");
    expect(newest?.textContent).toContain("Only the state changed.");
  });

  it("saves an older version again, onto the one on show", async () => {
    const { user, dialog, restored } = await openHistory();
    const letGo = holdCall("post", "/api/admin/versions/:kind/:key/:version/restore");
    const button = dialog.getByRole("button", { name: /^Restore this version: 2 of/ });
    await user.click(button);
    await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("true"));
    letGo();
    expect(await screen.findByText("Version restored successfully")).toBeTruthy();
    expect(restored).toEqual([["artist", "2", '"3"']]);
    const form = within(await screen.findByRole("dialog", { name: "Edit Artist" }));
    await waitFor(() => expect(form.getByLabelText(/^Name/)).toHaveProperty("value", "Kesto"));
  });

  it("stays until the form shows the restored version, which what is typed before would not outlive", async () => {
    const { user, dialog, restored } = await openHistory();
    const letGo = holdCall("get", "/api/admin/artists/:id");
    await user.click(dialog.getByRole("button", { name: /^Restore this version: 2 of/ }));
    await waitFor(() => expect(restored).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.queryByText("Version restored successfully")).toBeNull();
    expect(screen.queryByRole("dialog", { name: "History: Kesto Vann" })).toBeTruthy();
    letGo();
    expect(await screen.findByText("Version restored successfully")).toBeTruthy();
    const form = within(await screen.findByRole("dialog", { name: "Edit Artist" }));
    expect(form.getByLabelText(/^Name/)).toHaveProperty("value", "Kesto");
  });

  it("closes only itself after that, not the history that was opened since", async () => {
    const { user, dialog } = await openHistory();
    const letGo = holdCall("post", "/api/admin/versions/:kind/:key/:version/restore");
    await user.click(dialog.getByRole("button", { name: /^Restore this version: 2 of/ }));
    await user.click(dialog.getByRole("button", { name: "CLOSE" }));
    await user.click(await screen.findByRole("button", { name: "History of Kesto Vann" }));
    const again = await screen.findByRole("dialog", { name: "History: Kesto Vann" });
    letGo();
    expect(await screen.findByText("Version restored successfully")).toBeTruthy();
    expect(again.isConnected).toBe(true);
  });

  it("loses nothing of what was typed when somebody else was faster, and shows theirs first", async () => {
    const { user, dialog, restored } = await openHistory();
    await user.click(dialog.getByRole("button", { name: "CLOSE" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Artist" }));
    await user.type(form.getByLabelText("Bio"), " And more.");
    await user.click(form.getByRole("button", { name: "History of Kesto Vann" }));
    let isFaster = true;
    const theirs = anEditableArtist({ bio: "Theirs", version: 9 });
    server.use(
      http.get(`*/api/admin/artists/${theirs.id}`, () => HttpResponse.json(theirs)),
      http.post("*/api/admin/versions/:kind/:key/:version/restore", ({ params, request }) => {
        if (!isFaster) return;
        isFaster = false;
        restored.push([params.kind, params.version, request.headers.get("if-match")]);
        return HttpResponse.json(
          { title: "Stale", status: 412, code: "stale_version", detail: STALE },
          { status: 412 },
        );
      }),
    );
    const again = within(await screen.findByRole("dialog", { name: "History: Kesto Vann" }));
    await user.click(await again.findByRole("button", { name: /^Restore this version: 2 of/ }));
    expect(await again.findByText(/^Someone else has saved a newer version/)).toBeTruthy();
    expect(again.queryByText(STALE)).toBeNull();
    expect(screen.getByLabelText("Bio")).toHaveProperty(
      "value",
      "Cuts records in a basement. And more.",
    );
    await user.click(again.getByRole("button", { name: /^Restore this version: 2 of/ }));
    await waitFor(() =>
      expect(restored).toEqual([
        ["artist", "2", '"3"'],
        ["artist", "2", '"9"'],
      ]),
    );
  });

  it("names what stays gone", async () => {
    const { user, dialog } = await openHistory(["image_url"]);
    await user.click(dialog.getByRole("button", { name: /^Restore this version: 2 of/ }));
    expect(await dialog.findByText("Restored without what is gone: Image URL.")).toBeTruthy();
  });

  it("leads on to the first version of its last page", async () => {
    const { user, dialog } = await openHistory([], VERSIONS, [
      { version: 1, saved_at: "2026-10-31T10:00:00Z", saved_by: null, fields: { name: "K." } },
    ]);
    await user.click(dialog.getByRole("button", { name: "Older Versions" }));
    await waitFor(() => expect(dialog.getAllByRole("listitem")).toHaveLength(3));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getAllByRole("listitem")[2]));
  });

  it("writes lists of a version line by line", () => {
    const tracks = [
      { title: "A", duration_seconds: 60 },
      { title: "B", artist: null },
    ];
    expect(differences({ tracks: [] }, { tracks })).toEqual([
      { field: "tracks", before: "(empty)", after: "A, 60\nB" },
    ]);
  });
});

describe("a picture of a form", () => {
  it("is chosen from the library", async () => {
    keepRows("/api/admin/artists", anEditableArtist());
    keepRows(
      "/api/admin/media",
      aMediaFile(),
      aMediaFile({ id: "v", original_name: "set.mp4", file_type: "video" }),
    );
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Edit Kesto Vann" }));
    await user.click(await screen.findByRole("button", { name: "Library: choose Image" }));
    const library = within(await screen.findByRole("dialog", { name: "Choose Image" }));
    expect(await library.findByRole("button", { name: "set.mp4, no picture" })).toHaveProperty(
      "disabled",
      true,
    );
    await user.click(library.getByRole("button", { name: "Choose flyer.png" }));
    expect(screen.getByLabelText("Image URL")).toHaveProperty("value", aMediaFile().url);
  });
});
