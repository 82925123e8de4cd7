import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { anEditableRelease } from "../../../testing/backOffice.ts";
import { answerCall, refuseCall } from "../../../testing/calls.ts";
import { aDeskDemo, keepDesk } from "../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk as open, press } from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";

beforeEach(fakePlayers);

const first = aDeskDemo({ state: "accepted" });

type User = Awaited<ReturnType<typeof open>>["user"];

async function noteHalf(user: User): Promise<void> {
  await onDesk("Rhythm & Sound");
  press("e");
  await user.keyboard("Half a tho");
}

/** Signing out asks first, and staying keeps the note. */
async function expectQuestion(user: User): Promise<void> {
  const signedOut = answerCall("post", "/api/auth/sign-out", {});
  await user.click(screen.getByRole("button", { name: "Sign Out" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
  await user.click(question.getByRole("button", { name: "Keep Editing" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" }).value).toBe(
    "Half a tho",
  );
  expect(signedOut).toEqual([]);
}

describe("a note that is not kept", () => {
  it("is asked about also once a dialog over it has closed", async () => {
    keepDesk(first);
    const { user } = await open();
    await noteHalf(user);
    await user.click(screen.getByRole("button", { name: "Letters" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Letters" }));
    await dialog.findByRole("form", { name: "Declined" });
    await user.click(dialog.getByRole("button", { name: "CLOSE" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await expectQuestion(user);
  });

  it("is asked about also once the form of a draft has closed", async () => {
    keepDesk(first);
    const draft = anEditableRelease({ state: "draft", title: "Two takes" });
    server.use(http.get("*/api/admin/releases/:id", () => HttpResponse.json({ ...draft })));
    const { user } = await open();
    await noteHalf(user);
    await user.click(await screen.findByRole("button", { name: "DRAFT A RELEASE" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    await user.click(form.getByRole("button", { name: "CLOSE" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await expectQuestion(user);
  });

  it("is asked about also once a changed letter was thrown away", async () => {
    keepDesk(first);
    const { user } = await open();
    await noteHalf(user);
    await user.keyboard("{Escape}");
    press("r");
    const letter = within(await screen.findByRole("form", { name: "Answer" }));
    await user.type(await letter.findByRole("textbox", { name: "Subject" }), "!");
    await user.click(letter.getByRole("button", { name: "Not Now" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
    await user.click(question.getByRole("button", { name: "Leave Without Saving" }));
    await waitFor(() => expect(screen.queryByRole("form", { name: "Answer" })).toBeNull());
    await expectQuestion(user);
  });

  it("stays whole where it is too long", async () => {
    keepDesk(first);
    const detail = "A note must have at most 2000 characters.";
    refuseCall("post", "/api/admin/desk/demos/:id/notes", 422, { code: "note_too_long", detail });
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("e");
    const pasted = "x".repeat(2001);
    await user.paste(pasted);
    expect(await screen.findByText(detail)).toBeTruthy();
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await screen.findByText(`Not done: ${detail}`)).toBeTruthy();
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" }).value).toBe(pasted);
  });
});
