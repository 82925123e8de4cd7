import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { anEditableRelease, keepRows, openTab } from "../../../testing/backOffice.ts";
import { refuseCall } from "../../../testing/calls.ts";
import { answerBy, page } from "../../../testing/fakeApi.ts";

const PATH = "/api/admin/releases";

const track = (title: string, artist: string | null = null, seconds: number | null = null) => ({
  position: null,
  title,
  artist,
  duration_seconds: seconds,
  duration_label: seconds === null ? null : `${Math.floor(seconds / 60)}:${seconds % 60}`,
});

async function openEditor(changes: Parameters<typeof anEditableRelease>[0] = {}) {
  const kept = keepRows(PATH, anEditableRelease(changes));
  answerBy("/api/admin/artist-choices", () => page([]));
  const { user } = openTab("releases");
  await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Release" });
  const form = within(dialog);
  const titles = () =>
    form.queryAllByLabelText<HTMLInputElement>(/^Track \d+ Name$/).map((input) => input.value);
  const value = (label: string) => form.getByLabelText<HTMLInputElement>(label).value;
  return { kept, user, form, titles, value };
}

const focused = () => document.activeElement?.getAttribute("aria-label");
const field = (form: Awaited<ReturnType<typeof openEditor>>["form"], label: string) =>
  form.getByLabelText<HTMLInputElement>(label);

describe("tracks and credits", () => {
  it("take no second click of a double click for the row that moved up", async () => {
    const { form, titles } = await openEditor({ tracks: [track("One"), track("Two")] });
    for (const detail of [1, 2]) {
      fireEvent.click(form.getByRole("button", { name: "Remove track 1" }), { detail });
    }
    expect(titles()).toEqual(["Two"]);
  });

  it("are rows that are moved and removed, and keep the focus near", async () => {
    const tracks = [track("One", null, 372), track("Two", "Ivo"), track("Three")];
    const { kept, user, form, titles, value } = await openEditor({ tracks });
    expect(titles()).toEqual(["One", "Two", "Three"]);
    expect([value("Track 1 Length"), value("Track 2 By")]).toEqual(["6:12", "Ivo"]);
    await user.click(form.getByRole("button", { name: "Move track 2 up" }));
    expect(titles()).toEqual(["Two", "One", "Three"]);
    expect(form.getByText("Track 2 is now track 1")).toBeTruthy();
    expect(focused()).toBe("Move track 1 up");
    // At the end of the list the button keeps the focus and is marked as disabled.
    expect(document.activeElement?.getAttribute("aria-disabled")).toBe("true");
    await user.click(form.getByRole("button", { name: "Move track 1 up" }));
    expect(titles()).toEqual(["Two", "One", "Three"]);

    await user.click(field(form, "Track 1 By"));
    await user.keyboard("{Alt>}{ArrowDown}{ArrowDown}{/Alt}");
    expect(titles()).toEqual(["One", "Three", "Two"]);
    expect(document.activeElement).toBe(field(form, "Track 3 By"));
    await user.keyboard("!{Alt>}{ArrowUp}{/Alt}");
    expect(value("Track 2 By")).toBe("Ivo!");

    await user.click(form.getByRole("button", { name: "Remove track 2" }));
    expect(titles()).toEqual(["One", "Three"]);
    expect(document.activeElement).toBe(field(form, "Track 2 Name"));
    await user.click(form.getByRole("button", { name: "Remove track 2" }));
    expect(document.activeElement).toBe(field(form, "Track 1 Name"));
    await user.click(form.getByRole("button", { name: "Remove track 1" }));
    expect(document.activeElement?.textContent).toBe("Add Track");
    await user.keyboard("{Enter}Four{Tab}1:00:03");
    expect(kept.sent).toEqual([]);
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Release updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({
      tracks: [{ title: "Four", duration_seconds: 3603 }],
    });
  });

  it("are typed one after the other, and pasted as lines", async () => {
    const { kept, user, form, titles } = await openEditor();
    await user.click(form.getByRole("button", { name: "Add Track" }));
    expect(document.activeElement).toBe(field(form, "Track 1 Name"));
    await user.keyboard("{Enter}");
    expect(titles()).toEqual([""]);
    await user.keyboard("One{Enter}");
    expect(document.activeElement).toBe(field(form, "Track 2 Name"));
    await user.paste("Two / Ivo 6:12\r\n\r\nThree\n/ Nobody");
    expect(titles()).toEqual(["One", "Two", "Three", "/ Nobody"]);
    expect(document.activeElement).toBe(field(form, "Track 4 Name"));
    expect(form.getByText("3 tracks added")).toBeTruthy();
    await user.click(field(form, "Track 1 Name"));
    await user.paste("!");
    expect(titles()[0]).toBe("One!");
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(field(form, "Track 2 Name"));

    await user.click(form.getByRole("button", { name: "Add Credit" }));
    await user.paste("Mastering: Ana Vo\nArtwork: B: C");
    await user.click(form.getByRole("button", { name: "Add Track" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Release updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({
      tracks: [
        { title: "One!" },
        { title: "Two", artist: "Ivo", duration_seconds: 372 },
        { title: "Three" },
        { title: "/ Nobody" },
      ],
      credits: [
        { role: "Mastering", name: "Ana Vo" },
        { role: "Artwork", name: "B: C" },
      ],
    });
  });

  it("have a position on the record in the place of their number", async () => {
    const tracks = [{ ...track("One"), position: "A1" }, track("Two")];
    const { kept, user, form, value } = await openEditor({ tracks });
    expect([value("Track 1 Position"), value("Track 2 Position")]).toEqual(["A1", ""]);
    expect(field(form, "Track 2 Position").placeholder).toBe("02");
    await user.type(field(form, "Track 2 Position"), "one");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("Track 2: Please write the position as A1")).toBeTruthy();
    await user.clear(field(form, "Track 2 Position"));
    await user.type(field(form, "Track 2 Position"), "b1");
    await user.click(field(form, "Track 2 Name"));
    await user.paste("[b2] Three 1:00\nFour");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Release updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({
      tracks: [
        { position: "A1", title: "One" },
        { position: "B1", title: "Two" },
        { position: "B2", title: "Three", duration_seconds: 60 },
        { title: "Four" },
      ],
    });
  });

  it("say what is wrong where it is, and lose nothing", async () => {
    const { kept, user, form, value } = await openEditor({ tracks: [track("One")] });
    await user.type(field(form, "Track 1 Length"), "soon");
    await user.click(form.getByRole("button", { name: "Add Track" }));
    await user.type(field(form, "Track 2 By"), "Ivo");
    await user.click(form.getByRole("button", { name: "Add Credit" }));
    await user.type(field(form, "Credit 1 Role"), "Mastering");
    await user.click(form.getByRole("button", { name: "Save" }));
    const all = within(await form.findByRole("list", { name: "What is wrong" }));
    expect(all.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Track 1: Please write the length as 6:12",
      "Track 2: Track title is required",
      "Credit 1: Name is required",
    ]);
    expect(document.activeElement).toBe(field(form, "Track 1 Length"));
    expect(field(form, "Track 2 Name").getAttribute("aria-invalid")).toBe("true");
    expect(value("Track 1 Length")).toBe("soon");
    // Problems move with their row.
    await user.click(form.getByRole("button", { name: "Move track 2 up" }));
    expect(field(form, "Track 1 Name").getAttribute("aria-invalid")).toBe("true");
    expect(value("Track 2 Length")).toBe("soon");
    expect(kept.sent).toEqual([]);
  });

  it("take what the server says of a row", async () => {
    const { user, form } = await openEditor({ tracks: [track("One"), track("Two")] });
    const text = "Invalid characters";
    refuseCall("put", `${PATH}/:id`, 422, {
      code: "row_characters",
      fields: { "tracks[1].title": text },
    });
    await user.type(field(form, "Track 2 Name"), "x");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("Track 2: Invalid characters")).toBeTruthy();
    expect(document.activeElement).toBe(field(form, "Track 2 Name"));
  });

  it("are unsaved work like all that is typed, and say their limit", async () => {
    const { user, form } = await openEditor();
    await user.click(form.getByRole("button", { name: "Add Credit" }));
    await user.paste("A: B\n".repeat(200));
    expect(form.getByText("A release can have at most 200 credits")).toBeTruthy();
    const add = form.getByRole("button", { name: "Add Credit" });
    expect(add.getAttribute("aria-disabled")).toBe("true");
    await user.click(form.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText("Unsaved changes")).toBeTruthy();
  });
});
