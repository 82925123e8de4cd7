import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import {
  A_PREVIEW,
  aLetter,
  answerConsent,
  aSending,
  keepRows,
  openTab,
} from "../../../../testing/backOffice.ts";
import { server } from "../../../../testing/fakeApi.ts";

const PATH = "/api/admin/letters";

/** A letter of two pictures. Each upload is answered by the function at its place. */
async function open() {
  answerConsent();
  const answers: (() => void)[] = [];
  const kept = keepRows(PATH, aLetter({ parts: [{ kind: "picture" }, { kind: "picture" }] }));
  server.use(
    http.get(`*${PATH}/:id/sending`, () => HttpResponse.json(aSending())),
    http.post(`*${PATH}/preview`, () => HttpResponse.json(A_PREVIEW)),
    http.post("*/api/admin/images", async () => {
      const url = `/media/uploads/${answers.length + 1}.png`;
      await new Promise<void>((resolve) => answers.push(resolve));
      return HttpResponse.json({ url, small_url: null, width: 9, height: 9 });
    }),
  );
  const { user } = openTab("newsletter");
  await user.click(await screen.findByRole("button", { name: "Edit News" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Letter" });
  const form = within(dialog);
  return {
    user,
    form,
    kept,
    answers,
    upload(at: number) {
      const picker = form.getAllByLabelText("Picture file", { selector: "input" })[at];
      const files = [new File(["x"], `${at}.png`, { type: "image/png" })];
      fireEvent.change(picker as HTMLInputElement, { target: { files } });
    },
    addresses: () =>
      form.getAllByLabelText<HTMLInputElement>("Picture URL").map(({ value }) => value),
  };
}

it("goes into its own part, also if that was moved during the upload", async () => {
  const { user, form, answers, upload, addresses } = await open();
  upload(0);
  await waitFor(() => expect(answers).toHaveLength(1));
  await user.click(form.getByRole("button", { name: "Move part 1 down" }));
  answers[0]?.();
  await waitFor(() => expect(addresses()).toEqual(["", "/media/uploads/1.png"]));
});

it("holds up saving no longer once its part is removed", async () => {
  const { user, form, answers, upload } = await open();
  upload(0);
  await form.findByRole("button", { name: "Uploading..." });
  await waitFor(() => expect(answers).toHaveLength(1));
  await user.click(form.getByRole("button", { name: "Remove part 1" }));
  expect(await form.findByRole("button", { name: "Save" })).toBeTruthy();
});

it("holds up saving until the last of several is uploaded", async () => {
  const { form, answers, upload, addresses } = await open();
  upload(0);
  await waitFor(() => expect(answers).toHaveLength(1));
  upload(1);
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.();
  await waitFor(() => expect(addresses()[0]).toBe("/media/uploads/1.png"));
  expect(form.getByRole("button", { name: "Uploading..." })).toBeTruthy();
  answers[1]?.();
  expect(await form.findByRole("button", { name: "Save" })).toBeTruthy();
});

it("goes on while the letter is taken out of the archive", async () => {
  const { user, form, kept, answers, upload, addresses } = await open();
  upload(0);
  await waitFor(() => expect(answers).toHaveLength(1));
  await user.click(form.getByRole("switch", { name: "In the archive" }));
  await waitFor(() => expect(kept.rows[0]).toMatchObject({ in_archive: false }));
  await waitFor(() => expect(form.getByRole("switch").getAttribute("aria-busy")).toBe("false"));
  answers[0]?.();
  await waitFor(() => expect(addresses()).toEqual(["/media/uploads/1.png", ""]));
});
