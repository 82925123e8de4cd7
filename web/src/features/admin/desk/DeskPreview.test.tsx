import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { holdCall } from "../../../testing/calls.ts";
import { aDeskDemo, type KeptDesk, keepDesk } from "../../../testing/desk.ts";
import {
  fakePlayers,
  onDesk,
  openDesk as open,
  press,
  started,
} from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

beforeEach(() => {
  fakePlayers();
  // Timers are advanced by hand, and also by themselves so that queries can wait.
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
});

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  submitted_at: "2026-11-02T10:00:00Z",
});

const letter = () => within(screen.getByRole("form", { name: "Answer" }));
const text = () => letter().getByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
const answers = (kept: KeptDesk) => kept.sent.filter(({ call }) => call === "POST answers");
/** Long enough for anything automatic to happen. */
const settled = () => act(() => vi.advanceTimersByTimeAsync(1_000));

/** Holds previews of letters until the test answers them. */
function holdPreviews() {
  const held: ((answer: Response) => void)[] = [];
  server.use(
    http.post(
      "*/api/admin/desk/demos/:id/answers/preview",
      () => new Promise<Response>((resolve) => held.push(resolve)),
    ),
  );
  return {
    held,
    fillIn: (words: string) =>
      held.shift()?.(
        HttpResponse.json({
          subject: "Your demo",
          text: words,
          to: first.email,
          was_sent_at: null,
        }),
      ),
    /** No automatic retry is due for a minute. */
    fail: (status: number) =>
      held.shift()?.(HttpResponse.json({ status }, { status, headers: { "retry-after": "60" } })),
  };
}

describe("Enter before the letter is filled in", () => {
  it("waits for it, and sends what is shown", async () => {
    const kept = keepDesk(first, second);
    const previews = holdPreviews();
    await open();
    await onDesk("Rhythm & Sound");
    press("$", { code: "Digit4", shiftKey: true });
    press("d");
    press("Enter");
    expect(await screen.findByText("It is sent as soon as it is filled in.")).toBeTruthy();
    // Enter was the third key; it must not send the letter of the next demo.
    press("n");
    await waitFor(() => expect(previews.held).toHaveLength(1));
    await settled();
    expect(answers(kept)).toEqual([]);
    await onDesk("Rhythm & Sound");
    let shown: string | undefined;
    server.events.on("request:start", ({ request }) => {
      if (request.url.endsWith("/answers")) shown ??= text().value;
    });
    previews.fillIn("Dear you");
    await onDesk("Zoë");
    expect(answers(kept).map(({ body }) => body.text)).toEqual(["Dear you"]);
    expect(shown).toBe("Dear you");
  });

  it.each([500, 404])("sends nothing where it cannot be filled in (%s)", async (status) => {
    vi.spyOn(console, "error").mockReturnValue();
    const kept = keepDesk(first, second);
    const previews = holdPreviews();
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("d");
    press("Enter");
    await waitFor(() => expect(previews.held).toHaveLength(1));
    previews.fail(status);
    expect(
      await screen.findByText("The letter could not be filled in. Nothing was sent."),
    ).toBeTruthy();
    await user.click(letter().getByRole("button", { name: "Try Again" }));
    await waitFor(() => expect(previews.held).toHaveLength(1));
    previews.fillIn("Dear you");
    await letter().findByRole("textbox", { name: "Text" });
    await settled();
    // The letter was not shown yet, so it waits for Enter.
    expect(answers(kept)).toEqual([]);
    press("Enter");
    await onDesk("Zoë");
    expect(answers(kept)).toHaveLength(1);
  });

  it("sends nothing where another demo is opened first, and says so", async () => {
    const kept = keepDesk(first, second);
    const previews = holdPreviews();
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("d");
    press("Enter");
    await waitFor(() => expect(previews.held).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Zoë" }));
    await onDesk("Zoë");
    expect(
      await screen.findByText("Not sent: Rhythm & Sound was left before the letter was filled in."),
    ).toBeTruthy();
    previews.fillIn("Dear you");
    press("p");
    await onDesk("Rhythm & Sound");
    await settled();
    expect(answers(kept)).toEqual([]);
  });

  it("asks before the desk is left while it waits", async () => {
    keepDesk(first);
    const previews = holdPreviews();
    const { router, user } = await open();
    await onDesk("Rhythm & Sound");
    press("d");
    press("Enter");
    await waitFor(() => expect(previews.held).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Live Site" }));
    const question = await screen.findByRole("alertdialog");
    expect(question.textContent).toContain("A letter is sent as soon as it is filled in.");
    expect(router.state.location.pathname).toBe("/admin/demos");
    await user.click(within(question).getByRole("button", { name: "Leave Without Saving" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it("sends nothing where the decision was not made", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("put", "/api/admin/desk/demos/:id/state");
    press("d");
    // The letter is loaded before the decision is saved: it is sent after it, or not at all.
    await letter().findByRole("textbox", { name: "Text" });
    press("Enter");
    await settled();
    kept.demos = [{ ...first, state: "accepted" }, second];
    letGo();
    expect(await screen.findByText("Not done: someone else has moved it on since.")).toBeTruthy();
    await settled();
    expect(answers(kept)).toEqual([]);
    expect(kept.demos[0]?.state).toBe("accepted");
    expect(screen.queryByRole("form", { name: "Answer" })).toBeNull();
  });
});

describe("a letter that is sent", () => {
  it("does not take along whoever has opened another demo meanwhile", async () => {
    const third = aDeskDemo({ id: "019aa000-0000-7000-8000-0000000000f3", artist_name: "Ferrous" });
    const kept = keepDesk(first, second, third);
    let answer: (() => void) | undefined;
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    server.use(
      http.post("*/api/admin/desk/demos/:id/answers", async () => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }),
    );
    press("Enter");
    await waitFor(() => expect(answer).toBeDefined());
    await user.click(screen.getByRole("button", { name: "Zoë" }));
    await onDesk("Zoë");
    answer?.();
    await waitFor(() => expect(answers(kept)).toHaveLength(1));
    await screen.findByText("Received, Rhythm & Sound is answered");
    await settled();
    await onDesk("Zoë");
  });

  it("leaves the letters of other demos to be sent", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    const letGo = holdCall("post", `/api/admin/desk/demos/${first.id}/answers`);
    press("Enter");
    expect(letter().getByRole("button", { name: /^Sending/ })).toBeTruthy();
    press("n");
    await onDesk("Zoë");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    expect(letter().getByRole("button", { name: /^Send\b(?!ing)/ })).toBeTruthy();
    press("Enter");
    await waitFor(() => expect(answers(kept)).toHaveLength(1));
    letGo();
    await waitFor(() => expect(answers(kept)).toHaveLength(2));
  });

  it("leaves open the next one to the same demo", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    const letGo = holdCall("post", "/api/admin/desk/demos/:id/answers");
    press("Enter");
    press("d");
    letGo();
    await waitFor(() => expect(kept.demos[0]?.state).toBe("declined"));
    await settled();
    await onDesk("Rhythm & Sound");
    expect(letter().getByRole("heading", { name: "Answer: Declined" })).toBeTruthy();
    press("Enter");
    await onDesk("Zoë");
    expect(answers(kept).map(({ body }) => body.kind)).toEqual(["received", "declined"]);
  });

  it("leaves open the same one that was opened again", async () => {
    const kept = keepDesk(first, second);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    const letGo = holdCall("post", "/api/admin/desk/demos/:id/answers");
    press("Enter");
    await user.click(letter().getByRole("button", { name: /^Not Now/ }));
    press("r");
    await user.type(await letter().findByRole("textbox", { name: "Text" }), " P.S.");
    letGo();
    await waitFor(() => expect(answers(kept)).toHaveLength(1));
    await settled();
    await onDesk("Rhythm & Sound");
    expect(letter().getByRole("textbox", { name: "Text" }).textContent).toMatch(/P\.S\.$/);
  });

  it("is not called unsent where its demo is left", async () => {
    const kept = keepDesk(first, second);
    const previews = holdPreviews();
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    press("Enter");
    await waitFor(() => expect(previews.held).toHaveLength(1));
    const letGo = holdCall("post", "/api/admin/desk/demos/:id/answers");
    previews.fillIn("Dear you");
    await letter().findByRole("textbox", { name: "Text" });
    await user.click(screen.getByRole("button", { name: "Zoë" }));
    await onDesk("Zoë");
    await settled();
    expect(screen.queryByText(/^Not sent/)).toBeNull();
    letGo();
    await waitFor(() => expect(answers(kept)).toHaveLength(1));
  });

  it("takes nobody along who has left the desk meanwhile", async () => {
    const kept = keepDesk(first, second);
    const { router } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    const letGo = holdCall("post", "/api/admin/desk/demos/:id/answers");
    press("Enter");
    await act(() => router.navigate({ to: "/" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    const before = started.length;
    letGo();
    await waitFor(() => expect(answers(kept)).toHaveLength(1));
    await settled();
    expect(router.state.location.pathname).toBe("/");
    expect(started).toHaveLength(before);
  });

  it("says that it was refused also where the desk was left meanwhile", async () => {
    const kept = keepDesk(first);
    const { router } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    const letGo = holdCall("post", "/api/admin/desk/demos/:id/answers");
    press("Enter");
    await act(() => router.navigate({ to: "/releases" }));
    kept.refuseNext(422);
    letGo();
    expect(await screen.findAllByText(/^Not done: /)).toBeTruthy();
  });
});

describe("what is written by hand", () => {
  it("stays when the letter is filled in anew", async () => {
    const kept = keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("r");
    await letter().findByRole("textbox", { name: "Text" });
    const previews = holdPreviews();
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "demos", op: "update", key: first.id }, "7");
    await waitFor(() => expect(previews.held).toHaveLength(1));
    await user.clear(text());
    await user.type(text(), "By hand");
    previews.fillIn("Too late");
    await settled();
    expect(text().value).toBe("By hand");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(answers(kept).map(({ body }) => body.text)).toEqual(["By hand"]));
  });
});
