import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import {
  A_PREVIEW,
  aLetter,
  anEditableRelease,
  answerConsent,
  aSending,
  keepRows,
  openTab,
} from "../../../../testing/backOffice.ts";
import { holdCall } from "../../../../testing/calls.ts";
import { server } from "../../../../testing/fakeApi.ts";

const LETTERS = "/api/admin/letters";

async function open() {
  answerConsent();
  keepRows("/api/admin/releases", anEditableRelease());
  const letters = keepRows(LETTERS, aLetter());
  server.use(
    http.get(`*${LETTERS}/:id/sending`, () => HttpResponse.json(aSending())),
    http.post(`*${LETTERS}/preview`, () => HttpResponse.json(A_PREVIEW)),
  );
  const { user } = openTab("releases");
  await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
  const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
  return {
    user,
    form,
    letters,
    button: form.getByRole("button", { name: "Announce in a Letter" }),
  };
}

it("begins a letter about the release and opens it", async () => {
  const { user, button, letters } = await open();
  await user.click(button);
  expect(await screen.findByRole("dialog", { name: "Edit Letter" })).toBeTruthy();
  expect(screen.queryByRole("dialog", { name: "Edit Release" })).toBeNull();
  expect(letters.sent.map(({ body }) => body)).toEqual([{ release: anEditableRelease().id }]);
});

it("waits until the release is saved", async () => {
  const { user, form, button, letters } = await open();
  await user.type(form.getByLabelText("Title"), "!");
  expect(form.getByText("Save it before announcing it.")).toBeTruthy();
  await user.click(button);
  expect(letters.sent).toEqual([]);
  expect(form.getByLabelText<HTMLInputElement>("Title").value).toBe("Dead Air Protocol!");
});

it("asks before it leaves what was typed while the letter was begun", async () => {
  const { user, form, button, letters } = await open();
  const beginNow = holdCall("post", LETTERS);
  await user.click(button);
  await user.type(form.getByLabelText("Title"), "!");
  beginNow();
  expect(await screen.findByRole("alertdialog", { name: "Unsaved changes" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Keep Editing" }));
  expect(form.getByLabelText<HTMLInputElement>("Title").value).toBe("Dead Air Protocol!");
  await waitFor(() => expect(letters.rows).toHaveLength(2));
});

it("leads nowhere once its dialog is closed", async () => {
  const { user, button, letters } = await open();
  const beginNow = holdCall("post", LETTERS);
  await user.click(button);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(button.isConnected).toBe(false));
  beginNow();
  await waitFor(() => expect(letters.rows).toHaveLength(2));
  await expect(
    screen.findByRole("dialog", { name: "Edit Letter" }, { timeout: 500 }),
  ).rejects.toThrow();
  expect(screen.getByRole("tab", { name: "Releases", selected: true })).toBeTruthy();
});
