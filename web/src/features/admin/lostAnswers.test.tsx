// A change whose answer was lost may have been made: that is said, and what is true is read again.
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import {
  aLetter,
  anEditableArtist,
  answerConsent,
  keepRows,
  openTab,
} from "../../testing/backOffice.ts";
import { answer, page, server } from "../../testing/fakeApi.ts";
import { expectToast } from "../../testing/toast.ts";

/** Makes the change, and loses the answer. */
function loseAnswer(method: "patch" | "delete", path: `/api/${string}`, change: () => void) {
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
  await user.click(screen.getByRole("button", { name: "Yes, delete for good: Vesna" }));
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
