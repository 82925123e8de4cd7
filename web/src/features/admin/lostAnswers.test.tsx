// A change whose answer was lost may have been made: that is said, and what is true is read again.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import {
  aLetter,
  aMediaFile,
  anEditableArtist,
  anEditableRelease,
  answerConsent,
  keepRows,
  openTab,
} from "../../testing/backOffice.ts";
import { answer, page, server } from "../../testing/fakeApi.ts";
import { expectToast } from "../../testing/toast.ts";

/** Makes the change, and loses the answer. */
function loseAnswer(
  method: "post" | "put" | "patch" | "delete",
  path: `/api/${string}`,
  change: () => void,
) {
  server.use(
    http[method](`*${path}`, () => {
      change();
      return HttpResponse.error();
    }),
  );
}

async function expectUnsure(failed: string) {
  await expectToast(
    `${failed}. The server did not answer. It may have been done: look before you try again.`,
  );
}

const NO_SUBSCRIBERS = { ...page([]), total: 0, active_count: 0 };

it("a subscriber may be removed", async () => {
  answerConsent();
  const listener = {
    id: "one",
    email: "listener@example.org",
    active: true,
    inactive_reason: null,
    consent: "confirmed",
    subscribed_at: "2026-11-20T12:00:00Z",
  };
  answer("/api/admin/newsletter", { ...page([listener]), total: 1, active_count: 1 });
  loseAnswer("delete", "/api/admin/newsletter/one", () =>
    answer("/api/admin/newsletter", NO_SUBSCRIBERS),
  );
  const { user } = openTab("newsletter");
  await user.click(await screen.findByRole("button", { name: /^Remove/ }));
  await expectUnsure("Failed to remove subscriber");
  expect(await screen.findByText("No subscribers yet")).toBeTruthy();
});

it("a draft may be deleted", async () => {
  answerConsent();
  answer("/api/admin/newsletter", NO_SUBSCRIBERS);
  const kept = keepRows("/api/admin/letters", aLetter());
  loseAnswer("delete", "/api/admin/letters/:id", () => {
    kept.rows = [];
  });
  const { user } = openTab("newsletter");
  await user.click(await screen.findByRole("button", { name: "Delete News" }));
  const question = within(await screen.findByRole("alertdialog"));
  await user.click(question.getByRole("button", { name: "Delete" }));
  await expectUnsure("Failed to delete the draft");
  expect(await screen.findByText(/No letter yet/)).toBeTruthy();
});

it("a letter may be begun", async () => {
  answerConsent();
  answer("/api/admin/newsletter", NO_SUBSCRIBERS);
  const kept = keepRows("/api/admin/letters");
  loseAnswer("post", "/api/admin/letters", () => {
    kept.rows = [aLetter()];
  });
  const { user } = openTab("newsletter");
  await user.click(await screen.findByRole("button", { name: "NEW LETTER" }));
  await expectUnsure("Failed to begin a letter. Please try again");
  expect(await screen.findByRole("button", { name: "Delete News" })).toBeTruthy();
});

it("a release may be public", async () => {
  const kept = keepRows("/api/admin/releases");
  loseAnswer("post", "/api/admin/releases", () => {
    kept.rows = [anEditableRelease()];
  });
  const { user } = openTab("releases");
  await user.click(await screen.findByRole("button", { name: "Add Release" }));
  const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
  await user.type(form.getByLabelText("Title"), "Dead Air Protocol");
  await user.type(form.getByLabelText("Release Date"), "2026-11-20");
  await user.click(form.getByRole("button", { name: "Save" }));
  await expectUnsure("Failed to create release");
  expect(await screen.findByText("Dead Air Protocol")).toBeTruthy();
});

it("an artist may be changed", async () => {
  const kept = keepRows("/api/admin/artists", anEditableArtist());
  const { name } = anEditableArtist();
  loseAnswer("put", "/api/admin/artists/:id", () => {
    kept.rows = [anEditableArtist({ name: `${name}!`, version: 9 })];
  });
  const { user } = openTab("artists");
  await user.click(await screen.findByRole("button", { name: `Edit ${name}` }));
  const form = within(await screen.findByRole("dialog", { name: "Edit Artist" }));
  await user.type(form.getByLabelText("Name"), "!");
  await user.click(form.getByRole("button", { name: "Save" }));
  await expectUnsure("Failed to update artist");
});

it("a text may be changed", async () => {
  const text = {
    id: "one",
    key: "hero_main_title",
    value: "404",
    description: null,
    created_at: "2026-11-01T10:00:00Z",
    updated_at: "2026-11-01T10:00:00Z",
    version: 2,
  };
  answer("/api/admin/content", page([text]));
  loseAnswer("put", "/api/admin/content/:key", () => undefined);
  const { user } = openTab("content");
  const card = within(await screen.findByRole("form", { name: "HERO MAIN TITLE" }));
  await user.type(card.getByRole("textbox"), "!");
  await user.click(card.getByRole("button", { name: "Save Changes" }));
  await expectUnsure("Failed to update content");
});

it("a file may be in the library", async () => {
  const kept = keepRows("/api/admin/media");
  loseAnswer("post", "/api/admin/media", () => {
    kept.rows = [aMediaFile({ original_name: "flyer.png" })];
  });
  openTab("media");
  const files = await screen.findByLabelText("Media files");
  fireEvent.change(files, {
    target: { files: [new File(["x"], "flyer.png", { type: "image/png" })] },
  });
  await expectUnsure("Failed to upload file");
  expect(await screen.findByRole("article", { name: "flyer.png" })).toBeTruthy();
});

it("a page may be in maintenance", async () => {
  const setting = (is_maintenance_mode: boolean) =>
    page([{ page_key: "terminal", is_maintenance_mode, maintenance_message: null }]);
  answer("/api/maintenance", setting(false));
  loseAnswer("patch", "/api/admin/maintenance/terminal", () =>
    answer("/api/maintenance", setting(true)),
  );
  const { user } = openTab("terminal");
  const toggle = await screen.findByRole<HTMLInputElement>("switch");
  await waitFor(() => expect(toggle.disabled).toBe(false));
  await user.click(toggle);
  await expectUnsure("Failed to update maintenance mode for terminal. Please try again");
  await waitFor(() => expect(toggle.checked).toBe(true));
});

it("a row of the trash may be gone for good", async () => {
  const gone = {
    kind: "artist" as const,
    id: "gone",
    name: "Vesna",
    image_url: null,
    image_small_url: null,
    image_sizes: null,
    deleted_at: "2026-11-20T12:00:00Z",
    deleted_by: "boss_404",
    gone_at: "2026-12-20T12:00:00Z",
  };
  keepRows("/api/admin/artists", anEditableArtist());
  answer("/api/admin/trash", { ...page([gone]), total: 1 });
  loseAnswer("delete", "/api/admin/trash/artist/gone", () =>
    answer("/api/admin/trash", { ...page([]), total: 0 }),
  );
  const { user } = openTab("artists");
  await user.click(await screen.findByRole("button", { name: /^Trash/ }));
  await user.click(await screen.findByRole("button", { name: "Delete for good: Vesna" }));
  await user.click(screen.getByRole("button", { name: "Yes, Delete For Good" }));
  await expectUnsure("Failed to delete for good");
  expect(await screen.findByText("The trash is empty")).toBeTruthy();
});

it("a list of first steps may be closed", async () => {
  const texts = { first: null, total: 0, unchanged: 0 };
  answer("/api/admin/first-steps", { ...page([{ step: "artist", done: false }]), texts });
  loseAnswer("delete", "/api/admin/first-steps", () =>
    answer("/api/admin/first-steps", { ...page([]), texts }),
  );
  const { user } = openTab("analytics");
  await user.click(await screen.findByRole("button", { name: "Close for good" }));
  await expectUnsure("Failed to close the list");
  await waitFor(() => expect(screen.queryByText(/^First steps/)).toBeNull());
});
