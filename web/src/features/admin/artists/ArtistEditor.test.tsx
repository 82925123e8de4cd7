import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { anEditableArtist, keepRows, openTab } from "../../../testing/backOffice.ts";
import { holdCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

const PATH = "/api/admin/artists";
const keep = (...rows: ReturnType<typeof anEditableArtist>[]) => keepRows(PATH, ...rows);

async function openEditor() {
  const app = openTab("artists");
  await app.user.click(await screen.findByRole("button", { name: "Edit Kesto Vann" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Artist" });
  return { ...app, dialog, form: within(dialog) };
}

describe("the form of an artist", () => {
  it("adds one", async () => {
    const kept = keep();
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Add Artist" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Artist" }));
    await user.type(form.getByLabelText("Name"), "Rhythm & Sound");
    await user.type(form.getByLabelText("Website"), "https://example.org");
    await user.click(form.getByRole("switch", { name: "Featured" }));
    await user.dblClick(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Artist created successfully")).toBeTruthy();
    await waitFor(() =>
      expect(screen.queryByRole("dialog", { name: "Add New Artist" })).toBeNull(),
    );
    expect(kept.sent).toHaveLength(1);
    expect(kept.sent[0]?.body).toMatchObject({
      name: "Rhythm & Sound",
      website: "https://example.org",
      featured: true,
    });
    expect(await screen.findByRole("article", { name: "Rhythm & Sound" })).toBeTruthy();
  });

  it("comes filled, and replaces the version that was opened", async () => {
    const kept = keep(
      anEditableArtist({ social_links: { website: "https://k.example", twitter: null } }),
    );
    const { user, form } = await openEditor();
    const name = form.getByLabelText<HTMLInputElement>("Name");
    expect(name.value).toBe("Kesto Vann");
    expect(form.getByLabelText<HTMLInputElement>("Website").value).toBe("https://k.example");
    expect(form.getByLabelText("Bio").getAttribute("maxlength")).toBe("1000");
    await user.type(name, " II");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.sent[0]).toMatchObject({ call: "PUT", ifMatch: '"3"' });
    expect(await screen.findByRole("article", { name: "Kesto Vann II" })).toBeTruthy();
  });

  it("counts a pasted bio in characters, and says that it is too long instead of cutting it", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    const bio = form.getByLabelText<HTMLTextAreaElement>("Bio");
    await user.clear(bio);
    await user.paste("🎛".repeat(1000));
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({ bio: "🎛".repeat(1000) });
    await user.click(await screen.findByRole("button", { name: "Edit Kesto Vann" }));
    const again = within(await screen.findByRole("dialog", { name: "Edit Artist" }));
    await user.clear(again.getByLabelText("Bio"));
    await user.paste("🎛".repeat(1200));
    await user.click(again.getByRole("button", { name: "Save" }));
    expect(await again.findAllByText("Bio must be less than 1000 characters")).toHaveLength(2);
    expect(kept.sent).toHaveLength(1);
  });

  it("says where there is no picture, and where there is none any more", async () => {
    keep(anEditableArtist());
    const { user, form } = await openEditor();
    expect(form.getByText("No picture")).toBeTruthy();
    await user.type(form.getByLabelText("Image URL"), "ftp://nowhere");
    await user.tab();
    expect(form.getByText("No picture there")).toBeTruthy();
  });

  it("puts https:// before the name of a website, to be seen, and before it is sent", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    const instagram = form.getByLabelText<HTMLInputElement>("Instagram URL");
    await user.type(instagram, "instagram.com/name");
    await user.tab();
    expect(instagram.value).toBe("https://instagram.com/name");
    await user.type(form.getByLabelText("Website"), "kesto.example{Enter}");
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({
      instagram_url: "https://instagram.com/name",
      website: "https://kesto.example",
    });
  });

  it("puts it before a picture's address too, and leaves the label's own files as they are", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    const image = form.getByLabelText<HTMLInputElement>("Image URL");
    for (const [typed, stands] of [
      ["/media/artists/artist-1.png", "/media/artists/artist-1.png"],
      ["pictures.example/kesto.png", "https://pictures.example/kesto.png"],
    ] as const) {
      await user.clear(image);
      await user.type(image, typed);
      await user.tab();
      expect(image.value).toBe(stands);
    }
    await user.clear(image);
    await user.type(image, "pictures.example/ii.png{Enter}");
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({ image_url: "https://pictures.example/ii.png" });
  });

  it("lists everything that is wrong, says it at the fields, and sends nothing", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.clear(form.getByLabelText("Name"));
    await user.type(form.getByLabelText("Spotify URL"), "spotify");
    await user.click(form.getByRole("button", { name: "Save" }));
    const list = await form.findByRole("list", { name: "What is wrong" });
    const said = within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent);
    expect(said).toEqual(["Name is required", "Invalid Spotify URL"]);
    // A stop of the keyboard, to scroll.
    expect(form.getByRole("group", { name: "Messages" }).contains(list)).toBe(true);
    expect(form.getByLabelText("Name").getAttribute("aria-invalid")).toBe("true");
    expect(form.getAllByText("Invalid Spotify URL")).toHaveLength(2);
    expect(kept.sent).toEqual([]);
  });

  it("shows what only the server refuses beside its field", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    kept.refuseNext(422, { code: "invalid_fields", fields: { bio: "Too plain" } });
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(form.getAllByText("Too plain")).toHaveLength(2));
  });

  it("keeps what was typed where saving fails", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), "!");
    kept.refuseNext(500, { code: "internal", detail: "Something went wrong" });
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findAllByText("Failed to update artist")).not.toEqual([]);
    expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Kesto Vann!");
    expect(form.getByText("Something went wrong")).toBeTruthy();
  });

  it("keeps what is typed while saving, as an edit of what was saved", async () => {
    const kept = keep(anEditableArtist());
    const letGo = holdCall("put", `${PATH}/:id`);
    const { user, form, dialog } = await openEditor();
    const name = form.getByLabelText<HTMLInputElement>("Name");
    await user.type(name, "!");
    await user.click(form.getByRole("button", { name: "Save" }));
    await user.type(form.getByLabelText("Bio"), " Moved.");
    letGo();
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(dialog.isConnected).toBe(true);
    expect(form.getByLabelText<HTMLTextAreaElement>("Bio").value).toMatch(/ Moved\.$/);
    expect(name.value).toBe("Kesto Vann!");
    await user.click(form.getByRole("button", { name: "Cancel" }));
    await user.click(await screen.findByRole("button", { name: "Keep Editing" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Edit Artist" })).toBeNull());
    expect(kept.sent.map(({ ifMatch }) => ifMatch)).toEqual(['"3"', '"4"']);
  });

  it("a new one that was saved is edited on, where more was typed meanwhile", async () => {
    const kept = keep(anEditableArtist());
    const letGo = holdCall("post", PATH);
    const { user } = openTab("artists");
    await user.click(await screen.findByRole("button", { name: "Add Artist" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Artist" }));
    await user.type(form.getByLabelText("Name"), "Vesna");
    await user.click(form.getByRole("button", { name: "Save" }));
    await user.type(form.getByLabelText("Name"), " K.");
    letGo();
    expect(await screen.findByRole("dialog", { name: "Edit Artist" })).toBeTruthy();
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Edit Artist" })).toBeNull());
    expect(kept.rows.map(({ name }) => name)).toEqual(["Vesna K.", "Kesto Vann"]);
  });

  it("says that it is deleted until it is back, and keeps what was typed", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    kept.rows = [];
    kept.refuseNext(404, { code: "not_found", detail: "Not found." });
    await user.type(form.getByLabelText("Name"), "!");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findAllByText("Failed to update artist")).not.toEqual([]);
    expect(await form.findByText(/^Someone else has deleted this\./)).toBeTruthy();
    kept.rows = [anEditableArtist()];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "insert", key: "a" }, "7");
    await waitFor(() => expect(form.queryByText(/has deleted this/)).toBeNull());
    expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Kesto Vann!");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(kept.rows[0]?.name).toBe("Kesto Vann!"));
  });

  it("says in its row that visitors do not see them yet, and in the form why", async () => {
    keep(anEditableArtist({ is_public: false }));
    const { form } = await openEditor();
    expect(screen.getByText("Not public yet")).toBeTruthy();
    expect(form.getByRole("note").textContent).toContain("once a release of theirs is out");
  });

  it("asks before it closes over changes", async () => {
    keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), "!");
    await user.click(form.getByRole("button", { name: "Cancel" }));
    const question = await screen.findByRole("alertdialog", { name: "Unsaved changes" });
    await user.click(within(question).getByRole("button", { name: "Keep Editing" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Kesto Vann!");
    await user.click(form.getByRole("button", { name: "Cancel" }));
    await user.click(await screen.findByRole("button", { name: "Leave Without Saving" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("that was left while it was being saved closes no other one", async () => {
    const kept = keep(anEditableArtist(), anEditableArtist({ id: "b", name: "Other" }));
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), " II");
    const letGo = holdCall("put", `${PATH}/:id`);
    await user.click(form.getByRole("button", { name: "Save" }));
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("button", { name: "Leave Without Saving" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Edit Other" }));
    const other = within(await screen.findByRole("dialog", { name: "Edit Artist" }));
    await user.type(other.getByLabelText("Name"), "!");
    letGo();
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.sent).toHaveLength(1);
    expect(other.getByLabelText<HTMLInputElement>("Name").value).toBe("Other!");
    expect(screen.queryByRole("dialog", { name: "Edit Artist" })).not.toBeNull();
  });

  it("closes without a question over nothing", async () => {
    keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.click(form.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});

describe("two admins at one artist", () => {
  it("tells the second, keeps what they typed, and saves that alone over the newest version", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), "!");
    kept.rows = [anEditableArtist({ bio: "Moved to the attic.", featured: true, version: 4 })];
    await user.click(form.getByRole("button", { name: "Save" }));
    const newest = within(await form.findByRole("region", { name: "Newest version" }));
    expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Kesto Vann!");
    // Fields only they changed are listed; fields only I changed are not.
    expect(newest.getAllByRole("term").map((field) => field.textContent)).toEqual([
      "Bio now",
      "Featured now",
    ]);
    expect(newest.getByText("Moved to the attic.")).toBeTruthy();
    expect(newest.getAllByText("You have not changed this: it stays.")).toHaveLength(2);
    expect(newest.queryByRole("button", { name: /^Use this/ })).toBeNull();
    await user.click(newest.getByRole("button", { name: "Save Mine Over It" }));
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.rows[0]).toMatchObject({
      name: "Kesto Vann!",
      bio: "Moved to the attic.",
      featured: true,
      version: 5,
    });
    expect(kept.sent.map(({ ifMatch }) => ifMatch)).toEqual(['"3"', '"4"']);
  });

  it("tells the second that nothing was saved where the newest version cannot be read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    kept.rows = [anEditableArtist({ bio: "Theirs.", version: 4 })];
    server.use(http.get(`*${PATH}/:id`, () => new HttpResponse(null, { status: 503 })));
    await user.type(form.getByLabelText("Name"), " II");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findAllByText("Failed to update artist")).not.toEqual([]);
    expect(form.getByRole("button", { name: "Save" })).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Kesto Vann II");
  });

  it("asks about what both have changed", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), "!");
    await user.type(form.getByLabelText("Bio"), " And more.");
    const theirs = { name: "Renamed", bio: "Moved to the attic.", version: 4 };
    kept.rows = [anEditableArtist(theirs)];
    await user.click(form.getByRole("button", { name: "Save" }));
    const newest = within(await form.findByRole("region", { name: "Newest version" }));
    await user.click(newest.getByRole("button", { name: "Use this: Bio" }));
    expect(newest.getAllByRole("term").map((field) => field.textContent)).toEqual(["Name now"]);
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Newest version");
    await user.click(newest.getByRole("button", { name: "Save Mine Over It" }));
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.rows[0]).toMatchObject({ name: "Kesto Vann!", bio: "Moved to the attic." });
  });

  it("says why a save was refused above what they changed", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Bio"), " And more.");
    kept.rows = [anEditableArtist({ bio: "Moved to the attic.", version: 4 })];
    await user.click(form.getByRole("button", { name: "Save" }));
    await form.findByRole("region", { name: "Newest version" });
    await user.clear(form.getByLabelText("Name"));
    await user.click(form.getByRole("button", { name: "Save" }));
    const wrong = await form.findByRole("list", { name: "What is wrong" });
    const newest = await form.findByRole("region", { name: "Newest version" });
    expect(wrong.compareDocumentPosition(newest)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("says so where nothing of what they changed is in the way", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), "!");
    kept.rows = [anEditableArtist({ version: 4 })];
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("Their change doesn't affect these fields.")).toBeTruthy();
    kept.rows = [anEditableArtist({ name: "Kesto Vann!", version: 5 })];
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("Both versions are identical.")).toBeTruthy();
  });

  it("does not call versions identical while only one has a change", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), "!");
    await user.type(form.getByLabelText("Bio"), " More.");
    kept.rows = [anEditableArtist({ name: "Kesto Vann!", version: 4 })];
    await user.click(form.getByRole("button", { name: "Save" }));
    const newest = within(await form.findByRole("region", { name: "Newest version" }));
    expect(newest.queryByText("Both versions are identical.")).toBeNull();
    expect(newest.getByText(/^Their change is in your form too/)).toBeTruthy();
  });

  it("tells before anything is sent, and can take the newest instead", async () => {
    const kept = keep(anEditableArtist());
    const { user, form } = await openEditor();
    await user.type(form.getByLabelText("Name"), "!");
    kept.rows = [anEditableArtist({ name: "Renamed", version: 4 })];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "update", key: "a" }, "7");
    await user.click(await form.findByRole("button", { name: "Load Newest Version" }));
    expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Renamed");
    expect(form.queryByRole("region", { name: "Newest version" })).toBeNull();
    expect(kept.sent).toEqual([]);
  });
});

it("says at once that another admin has deleted the artist, and keeps what was typed", async () => {
  const kept = keep(anEditableArtist());
  const { user, form } = await openEditor();
  await user.type(form.getByLabelText("Name"), "!");
  kept.rows = [];
  FakeEventSource.current.open();
  FakeEventSource.current.say("change", { table: "artists", op: "delete", key: "a" }, "7");
  expect(await form.findByText(/^Someone else has deleted this/)).toBeTruthy();
  expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Kesto Vann!");
  expect(kept.sent).toEqual([]);
});
