import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { anEditableRelease } from "../../../testing/backOffice.ts";
import { answerCall, holdCall, refuseCall } from "../../../testing/calls.ts";
import { aDeskDemo, type KeptDesk, keepDesk } from "../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk as open, press } from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

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

describe("a demo that is removed while text for it is typed", () => {
  const second = aDeskDemo({ id: "second", artist_name: "Zoë" });

  function change(kept: KeptDesk, ...demos: KeptDesk["demos"]): void {
    kept.demos = demos;
    act(() => {
      FakeEventSource.current.open();
      FakeEventSource.current.say("change", { table: "demos", op: "delete", key: first.id }, "7");
    });
  }

  async function openText(user: User) {
    await onDesk("Rhythm & Sound");
    press("r");
    const letter = within(await screen.findByRole("form", { name: "Answer" }));
    const text = await letter.findByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
    await user.click(text);
    return text;
  }

  it("keeps the letter in sight, makes no commands of its letters, and asks before it goes", async () => {
    const kept = keepDesk(first, second);
    const { user } = await open(`/admin/demos?demo=${first.id}`);
    await openText(user);
    await user.keyboard("!");
    change(kept, second);
    await screen.findByText(/This demo is gone/);
    await user.keyboard("and{Enter}");
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", {
      name: "Your letter, not sent",
    });
    expect(field.value).toBe("Your demo: accepted\n\nDear Rhythm & Sound, …!");
    expect(document.activeElement).toBe(field);
    await user.keyboard("{Escape}");
    press("d");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Next" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
    await user.click(question.getByRole("button", { name: "Leave Without Saving" }));
    await onDesk("Zoë");
    expect(kept.sent).toEqual([]);
  });

  it("takes the typing back into the letter once the demo is back", async () => {
    const kept = keepDesk(first, second);
    const { user } = await open(`/admin/demos?demo=${first.id}`);
    await openText(user);
    await user.keyboard("!");
    change(kept, second);
    await screen.findByText(/This demo is gone/);
    change(kept, first, second);
    const letter = within(await screen.findByRole("form", { name: "Answer" }));
    const text = letter.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
    await waitFor(() => expect(document.activeElement).toBe(text));
    await user.keyboard(" and");
    expect(text.value).toBe("Dear Rhythm & Sound, …! and");
    expect(kept.sent).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(kept.sent.at(-1)?.body.text).toBe("Dear Rhythm & Sound, …! and"));
  });

  it("takes the typing back into the note once the demo is back", async () => {
    const kept = keepDesk(first, second);
    const { user } = await open(`/admin/demos?demo=${first.id}`);
    await noteHalf(user);
    change(kept, second);
    await screen.findByText(/This demo is gone/);
    expect(document.activeElement).toBe(screen.getByLabelText("Your note, not kept"));
    change(kept, first, second);
    await onDesk("Rhythm & Sound");
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.keyboard("ught");
    expect(field.value).toBe("Half a thought");
  });

  it.each(["a letter that is not begun", "a tag"])("makes no commands of %s", async (what) => {
    const kept = keepDesk(first, second);
    const { user } = await open(`/admin/demos?demo=${first.id}`);
    if (what === "a tag") {
      await onDesk("Rhythm & Sound");
      await user.type(screen.getByRole("combobox", { name: "Tags" }), "sou");
    } else await openText(user);
    change(kept, second);
    await screen.findByText(/This demo is gone/);
    await user.keyboard("nda");
    expect(screen.getByText(/This demo is gone/)).toBeTruthy();
    expect(kept.sent).toEqual([]);
    await user.keyboard("{Escape}");
    press("n");
    await onDesk("Zoë");
  });

  it("does not send, once the demo is back, a letter whose text it waited for", async () => {
    const kept = keepDesk(first, second);
    await open(`/admin/demos?demo=${first.id}`);
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("post", "/api/admin/desk/demos/:id/answers/preview");
    press("r");
    press("Enter");
    change(kept, second);
    await screen.findByText(/This demo is gone/);
    expect(
      screen.getByText("Not sent: Rhythm & Sound was removed before the letter was filled in."),
    ).toBeTruthy();
    change(kept, first, second);
    letGo();
    await onDesk("Rhythm & Sound");
    expect(screen.queryByRole("form", { name: "Answer" })).toBeNull();
    expect(kept.sent).toEqual([]);
  });
});
