import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { holdCall } from "../../../testing/calls.ts";
import { aDeskDemo, anAnswer, keepDesk } from "../../../testing/desk.ts";
import {
  fakePlayers,
  judgement,
  onDesk,
  openDesk as open,
  pathOf,
  press,
  started,
} from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

beforeEach(fakePlayers);

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  submitted_at: "2026-11-02T10:00:00Z",
});

const letter = () => within(screen.getByRole("form", { name: "Answer" }));
const findLetter = async () => within(await screen.findByRole("form", { name: "Answer" }));
const calls = (kept: ReturnType<typeof keepDesk>) => kept.sent.map(({ call }) => call);

describe("an answer to a demo", () => {
  it("is score, D, Enter, and the next demo plays", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press("$", { code: "Digit4", shiftKey: true });
    press("d");
    press("Enter");
    await onDesk("Zoë");
    expect(started.at(-1)).toBe(pathOf(second.id));
    expect(calls(kept)).toEqual(["PUT score", "PUT state", "POST answers"]);
    expect(kept.sent.at(-1)?.body).toEqual({
      kind: "declined",
      subject: "Your demo: declined",
      text: "Dear Rhythm & Sound, …",
      from: "declined",
      again: false,
    });
    expect(kept.demos[0]).toMatchObject({ state: "declined", my_score: 4 });
    expect(screen.queryByRole("form", { name: "Answer" })).toBeNull();
  });

  it("is taken back with its decision by one UNDO, while it waits", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("a");
    await findLetter();
    press("Enter");
    await screen.findByText("Accepted, Rhythm & Sound is answered");
    expect(screen.getByRole("button", { name: /^UNDO (?:30|29) seconds left/ })).toBeTruthy();
    press("u");
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ state: "new", answers: [] }));
    expect(calls(kept)).toEqual(["PUT state", "POST answers", "DELETE answers", "PUT state"]);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "UNDO" }).getAttribute("aria-disabled")).toBe(
        "true",
      ),
    );
  });

  it("says so where it has left meanwhile", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await findLetter();
    press("Enter");
    await screen.findByText("Received, Rhythm & Sound is answered");
    kept.refuseNext(409);
    press("u");
    expect(await screen.findByText("Not taken back: Refused.")).toBeTruthy();
  });

  it("can be changed, and Enter in its text is a new line", async () => {
    const kept = keepDesk({ ...first, state: "shortlisted" });
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    const text = await (await findLetter()).findByRole("textbox", { name: "Text" });
    expect(letter().getByText("moritz@example.org")).toBeTruthy();
    await user.clear(text);
    await user.type(text, "Dear you{Enter}bye");
    expect(kept.sent).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() =>
      expect(kept.sent.at(-1)?.body).toMatchObject({ kind: "shortlisted", text: "Dear you\nbye" }),
    );
    expect(calls(kept)).toEqual(["POST answers"]);
  });

  it("asks before a second one of its kind goes", async () => {
    const kept = keepDesk({ ...first, state: "declined", answers: [anAnswer()] });
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await (await findLetter()).findByRole("textbox", { name: "Text" });
    press("Enter");
    expect(await letter().findByText(/^They have had an answer of this kind/)).toBeTruthy();
    press("Enter");
    expect(kept.sent).toEqual([]);
    await user.click(letter().getByRole("button", { name: "Send Another" }));
    await waitFor(() => expect(kept.sent.at(-1)?.body).toMatchObject({ again: true }));
  });

  it("takes no second click of a double click on Send for the answer", async () => {
    const kept = keepDesk({ ...first, state: "declined", answers: [anAnswer()] });
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await (await findLetter()).findByRole("textbox", { name: "Text" });
    await user.click(letter().getByRole("button", { name: /^Send/ }));
    fireEvent.click(letter().getByRole("button", { name: "Send Another" }), { detail: 2 });
    await new Promise((resolve) => setTimeout(resolve));
    expect(kept.sent).toEqual([]);
  });

  it("asks also where another admin has answered meanwhile", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("d");
    await (await findLetter()).findByRole("textbox", { name: "Text" });
    await waitFor(() => expect(calls(kept)).toEqual(["PUT state"]));
    kept.demos = kept.demos.map((demo) => ({ ...demo, answers: [anAnswer()] }));
    press("Enter");
    expect(await letter().findByRole("button", { name: "Send Another" })).toBeTruthy();
  });

  it("does not override what another admin has decided while it was written", async () => {
    const kept = keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("d");
    const subject = await (await findLetter()).findByRole("textbox", { name: "Subject" });
    await waitFor(() => expect(kept.demos[0]?.state).toBe("declined"));
    await user.type(subject, "!");
    kept.demos = kept.demos.map((demo) => ({ ...demo, state: "accepted" as const }));
    act(() => FakeEventSource.current.open());
    const change = { table: "demos", op: "update", key: first.id };
    act(() => FakeEventSource.current.say("change", change, "7"));
    const acceptKey = within(judgement()).getByRole("button", { name: "Accept" });
    await waitFor(() => expect(acceptKey.getAttribute("aria-pressed")).toBe("true"));
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Not done: someone else has moved it on since.")).toBeTruthy();
    expect(kept.demos[0]).toMatchObject({ state: "accepted", answers: [] });
    expect((subject as HTMLInputElement).value).toBe("Your demo: declined!");
    // It has been said.
    await user.keyboard("{Enter}");
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ state: "declined" }));
  });

  it("nor what another admin has decided while a score was saved", async () => {
    const kept = keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("d");
    const subject = await (await findLetter()).findByRole("textbox", { name: "Subject" });
    await waitFor(() => expect(kept.demos[0]?.state).toBe("declined"));
    const release = holdCall("put", "/api/admin/desk/demos/:id/score");
    press("$", { code: "Digit4", shiftKey: true });
    kept.demos = kept.demos.map((demo) => ({ ...demo, state: "accepted" as const }));
    act(() => FakeEventSource.current.open());
    const change = { table: "demos", op: "update", key: first.id };
    act(() => FakeEventSource.current.say("change", change, "7"));
    const acceptKey = within(judgement()).getByRole("button", { name: "Accept" });
    await waitFor(() => expect(acceptKey.getAttribute("aria-pressed")).toBe("true"));
    release();
    await screen.findByText("Score 4, Rhythm & Sound");
    await user.type(subject, "{Enter}");
    expect(await screen.findByText("Not done: someone else has moved it on since.")).toBeTruthy();
    expect(kept.demos[0]).toMatchObject({ state: "accepted", answers: [] });
  });

  it("is from the state that a change made here has given while it was written", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await (await findLetter()).findByRole("textbox", { name: "Text" });
    press("$", { code: "Digit4", shiftKey: true });
    await screen.findByText("Score 4, Rhythm & Sound");
    fireEvent.change(letter().getByRole("combobox", { name: "Kind of answer" }), {
      target: { value: "shortlisted" },
    });
    await letter().findByDisplayValue("Your demo: shortlisted");
    press("!", { code: "Digit3", shiftKey: true });
    press("Enter");
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ state: "shortlisted" }));
    expect(kept.sent.at(-1)?.body).toMatchObject({ kind: "shortlisted", from: "heard" });
  });

  it("stays as it was typed where it is refused", async () => {
    const kept = keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    const subject = await (await findLetter()).findByRole("textbox", { name: "Subject" });
    await user.type(subject, "!");
    kept.refuseNext(422);
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Not done: Refused.")).toBeTruthy();
    expect((subject as HTMLInputElement).value).toBe("Your demo: received!");
  });

  it("asks before a changed letter is thrown away, and goes with Escape where it is not", async () => {
    keepDesk(first, second);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("d");
    await findLetter();
    press("Escape");
    await waitFor(() => expect(screen.queryByRole("form", { name: "Answer" })).toBeNull());
    press("r");
    const subject = await (await findLetter()).findByRole("textbox", { name: "Subject" });
    await user.type(subject, "!{Escape}");
    press("n");
    const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
    await user.click(question.getByRole("button", { name: "Leave Without Saving" }));
    await onDesk("Zoë");
    expect(screen.queryByRole("form", { name: "Answer" })).toBeNull();
  });

  it("is listed with what became of it, and whoever is not answered stands out", async () => {
    const waits = anAnswer({ id: "w", subject: "It waits" });
    const kept = keepDesk(
      {
        ...first,
        state: "declined",
        answered_at: "2026-11-20T10:00:00Z",
        answers: [
          anAnswer({ sent_at: "2026-11-20T10:00:30Z", undo_until: null }),
          anAnswer({ id: "f", failed_at: "2026-11-20T10:00:30Z", undo_until: null }),
          waits,
        ],
      },
      { ...second, state: "accepted" },
    );
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    const answers = within(await screen.findByRole("region", { name: "Answers" }));
    expect(answers.getByText("Not delivered")).toBeTruthy();
    await user.click(answers.getByRole("button", { name: "Take back answer: It waits" }));
    await waitFor(() => expect(calls(kept)).toEqual(["DELETE answers"]));
    const rows = within(screen.getByRole("list", { name: "Demos" })).getAllByRole("listitem");
    expect(rows.map((row) => /Answered [\d.]+|Not answered/.exec(row.textContent)?.[0])).toEqual([
      "Answered 2026.11.20",
      "Not answered",
    ]);
  });

  it("take back a letter that another admin has taken back without a word of failure", async () => {
    const waits = anAnswer({ id: "w", subject: "It waits" });
    const kept = keepDesk({ ...first, state: "declined", answers: [waits] });
    const { user } = await open();
    const takeBack = await screen.findByRole("button", { name: "Take back answer: It waits" });
    kept.demos = kept.demos.map((demo) => ({ ...demo, answers: [] }));
    kept.refuseNext(404);
    await user.click(takeBack);
    await waitFor(() => expect(screen.queryByRole("region", { name: "Answers" })).toBeNull());
    expect(screen.queryByText(/^Not done/)).toBeNull();
  });
});

describe("the letters", () => {
  const openLetters = async () => {
    const app = await open();
    await app.user.click(screen.getByRole("button", { name: "Letters" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Letters" }));
    return { ...app, card: within(await dialog.findByRole("form", { name: "Declined" })), dialog };
  };

  it("are edited one by one", async () => {
    const kept = keepDesk(first);
    const { user, card } = await openLetters();
    const subject = card.getByRole<HTMLInputElement>("textbox", { name: "Subject" });
    expect(subject.value).toBe("About {file}: declined");
    await user.type(subject, "!");
    await user.dblClick(card.getByRole("button", { name: "Save Changes" }));
    await waitFor(() =>
      expect(kept.templates[2]).toMatchObject({ subject: "About {file}: declined!", version: 2 }),
    );
    await waitFor(() => expect(card.queryByRole("button", { name: "Save Changes" })).toBeNull());
    // The pressed button is gone.
    expect(document.activeElement?.getAttribute("id")).toBe(subject.id);
    expect(calls(kept)).toEqual(["PUT templates"]);
  });

  it("tell what somebody else has saved meanwhile, and keep what was typed", async () => {
    const kept = keepDesk(first);
    const { user, card } = await openLetters();
    const subject = card.getByRole<HTMLInputElement>("textbox", { name: "Subject" });
    await user.type(subject, "!");
    Object.assign(kept.templates[2] ?? {}, { subject: "Theirs", version: 2 });
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    expect(await card.findByText("Theirs")).toBeTruthy();
    expect(subject.value).toBe("About {file}: declined!");
    await user.click(card.getByRole("button", { name: "Save Mine Over It" }));
    await waitFor(() =>
      expect(kept.templates[2]).toMatchObject({ subject: "About {file}: declined!", version: 3 }),
    );
  });

  it("keep what is typed while they are saved, to be saved next", async () => {
    const kept = keepDesk(first);
    const letGo = holdCall("put", "/api/admin/desk/templates/:kind");
    const { user, card } = await openLetters();
    const subject = card.getByRole<HTMLInputElement>("textbox", { name: "Subject" });
    await user.type(subject, "!");
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    await user.type(subject, "?");
    letGo();
    await waitFor(() => expect(kept.templates[2]).toMatchObject({ version: 2 }));
    expect(subject.value).toBe("About {file}: declined!?");
    await user.click(await card.findByRole("button", { name: "Save Changes" }));
    await waitFor(() =>
      expect(kept.templates[2]).toMatchObject({ subject: "About {file}: declined!?", version: 3 }),
    );
  });

  it("ask before what was typed is thrown away", async () => {
    keepDesk(first);
    const { user, card, dialog } = await openLetters();
    await user.type(card.getByRole("textbox", { name: "Text" }), "!");
    await user.click(dialog.getByRole("button", { name: "CLOSE" }));
    expect(await screen.findByRole("alertdialog", { name: "Unsaved changes" })).toBeTruthy();
  });

  it("say that they could not be read, and are read again when asked", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    keepDesk(first);
    let isDown = true;
    server.use(
      http.get("*/api/admin/desk/templates", () =>
        isDown
          ? HttpResponse.json({ status: 503 }, { status: 503, headers: { "retry-after": "60" } })
          : undefined,
      ),
    );
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Letters" }));
    expect(await screen.findByText("The letters could not be read.")).toBeTruthy();
    isDown = false;
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByRole("form", { name: "Declined" })).toBeTruthy();
  });
});
