import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { anEditableArtist, keepRows, openTab } from "../../../testing/backOffice.ts";
import { breakCall, holdCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";
import { expectToast } from "../../../testing/toast.ts";

const PATH = "/api/admin/artists";

async function openEditor() {
  const kept = keepRows(PATH, anEditableArtist());
  const app = openTab("artists");
  await app.user.click(await screen.findByRole("button", { name: "Edit Kesto Vann" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Artist" });
  return { ...app, kept, form: within(dialog) };
}

describe("the picture of an artist", () => {
  const choose = (form: Awaited<ReturnType<typeof openEditor>>["form"], file: File) =>
    fireEvent.change(form.getByLabelText("Image file"), { target: { files: [file] } });

  it("is refused before it travels where its type is wrong", async () => {
    const { form } = await openEditor();
    choose(form, new File(["x"], "logo.svg", { type: "image/svg+xml" }));
    expect(await screen.findAllByText("Invalid file type")).not.toEqual([]);
    expect(screen.getAllByText("Please upload a JPEG, PNG, WebP, or GIF image")).not.toEqual([]);
  });

  it("is refused before it travels where it is too large", async () => {
    const { form } = await openEditor();
    choose(form, new File([new Uint8Array(5 * 1024 * 1024 + 1)], "a.png", { type: "image/png" }));
    expect(await screen.findAllByText("File too large")).not.toEqual([]);
    expect(screen.getAllByText("Please upload an image smaller than 5MB")).not.toEqual([]);
  });

  const UPLOADED = { url: "/media/artists/one.png", small_url: null, width: 9, height: 9 };

  /** Holds the answer to an upload until the returned function is called. */
  function holdUpload() {
    server.use(http.post("*/api/admin/images", () => HttpResponse.json(UPLOADED)));
    return holdCall("post", "/api/admin/images");
  }

  it("is uploaded, and saved with the form", async () => {
    const folders: (string | null)[] = [];
    server.use(
      http.post("*/api/admin/images", ({ request }) => {
        folders.push(new URL(request.url).searchParams.get("folder"));
        return HttpResponse.json(UPLOADED);
      }),
    );
    const { kept, user, form } = await openEditor();
    choose(form, new File(["x"], "a.png", { type: "image/png" }));
    expect(await screen.findByText("Artist image uploaded successfully")).toBeTruthy();
    expect(screen.getByText("Upload successful")).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>("Image URL").value).toBe("/media/artists/one.png");
    expect(form.getByRole("img").getAttribute("src")).toBe("/media/artists/one.png");
    await user.click(form.getByRole("button", { name: "Save" }));
    await screen.findByText("Artist updated successfully");
    expect(folders).toEqual(["artists"]);
    expect(kept.sent[0]?.body).toMatchObject({ image_url: "/media/artists/one.png" });
  });

  it("is waited for by a save over a newer version too", async () => {
    const arrive = holdUpload();
    const { kept, user, form } = await openEditor();
    choose(form, new File(["x"], "a.png", { type: "image/png" }));
    await form.findByRole("button", { name: "Uploading..." });
    kept.rows = [anEditableArtist({ bio: "Theirs.", version: 4 })];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "update", key: "a" }, "7");
    const newest = within(await form.findByRole("region", { name: "Newest version" }));
    await user.click(newest.getByRole("button", { name: /^Save Mine|^Uploading/ }));
    expect(kept.sent).toEqual([]);
    arrive();
    await screen.findByText("Artist image uploaded successfully");
    await user.click(newest.getByRole("button", { name: "Save Mine Over It" }));
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(kept.rows[0]).toMatchObject({ image_url: "/media/artists/one.png", bio: "Theirs." });
  });

  it("keeps the form open if its upload began while the form was sent", async () => {
    const arrive = holdUpload();
    const { kept, user, form } = await openEditor();
    const letGo = holdCall("put", `${PATH}/:id`);
    await user.type(form.getByLabelText("Name"), "!");
    await user.click(form.getByRole("button", { name: "Save" }));
    await form.findByRole("button", { name: "Saving..." });
    choose(form, new File(["x"], "a.png", { type: "image/png" }));
    await form.findByRole("button", { name: "Uploading..." });
    letGo();
    expect(await screen.findByText("Artist updated successfully")).toBeTruthy();
    expect(screen.queryByRole("dialog", { name: "Edit Artist" })).not.toBeNull();
    arrive();
    await screen.findByText("Artist image uploaded successfully");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Edit Artist" })).toBeNull());
    expect(kept.rows[0]).toMatchObject({
      name: "Kesto Vann!",
      image_url: "/media/artists/one.png",
    });
  });

  it("says of a file that was moved since that it is to be chosen again", async () => {
    breakCall("post", "/api/admin/images");
    const { form } = await openEditor();
    choose(form, Object.assign(new File(["x"], "a.png", { type: "image/png" }), { slice: null }));
    await expectToast("The file has changed or moved since it was chosen. Choose it again.");
  });

  it("says that it failed, and lets the form be saved without it", async () => {
    server.use(http.post("*/api/admin/images", () => HttpResponse.json({}, { status: 500 })));
    const { form } = await openEditor();
    choose(form, new File(["x"], "a.png", { type: "image/png" }));
    expect(await screen.findAllByText("Upload failed")).not.toEqual([]);
    expect(screen.getAllByText("Failed to upload image. Please try again.")).not.toEqual([]);
    const save = form.getByRole<HTMLButtonElement>("button", { name: "Save" });
    expect([save.disabled, save.getAttribute("aria-disabled")]).toEqual([false, "false"]);
  });
});
