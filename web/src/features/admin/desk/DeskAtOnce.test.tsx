// The desk while the server has not answered yet.
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { breakCall, holdCall, refuseCall } from "../../../testing/calls.ts";
import { aDeskDemo, type KeptDesk, keepDesk } from "../../../testing/desk.ts";
import {
  fakePlayers,
  judgement,
  onDesk,
  openDesk as open,
  players,
  playTo,
  press,
} from "../../../testing/deskScreen.tsx";

beforeEach(fakePlayers);

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  submitted_at: "2026-11-02T10:00:00Z",
});
const STATE = "/api/admin/desk/demos/:id/state";

const calls = (kept: KeptDesk) => kept.sent.map(({ call }) => call);
const score = (given: number) => press("!", { code: `Digit${given}`, shiftKey: true });
const isPressed = (name: string) =>
  within(judgement()).getByRole("button", { name }).getAttribute("aria-pressed") === "true";
const letter = (kind: string) => screen.findByRole("heading", { name: `Answer: ${kind}` });
const row = (name: string) => {
  const rows = within(screen.getByRole("list", { name: "Demos" })).getAllByRole("listitem");
  return rows.find(({ textContent }) => textContent?.includes(name))?.textContent;
};

describe("the letter follows the state as it will be", () => {
  it.each([
    ["s", "Shortlisted"],
    ["a", "Accepted"],
    ["d", "Declined"],
  ])("R right after %s", async (key, kind) => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("put", STATE);
    press(key);
    press("Escape");
    press("r");
    expect(await letter(kind)).toBeTruthy();
    press("Enter");
    letGo();
    await waitFor(() => expect(calls(kept)).toEqual(["PUT state", "POST answers"]));
    expect(kept.sent.at(-1)?.body.kind).toBe(kind.toLowerCase());
  });

  it("is not sent where the decision is refused", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("put", STATE);
    press("s");
    press("r");
    await letter("Shortlisted");
    press("Enter");
    kept.demos = [{ ...first, state: "accepted" }];
    letGo();
    expect(await screen.findByText("Not done: someone else has moved it on since.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("form", { name: "Answer" })).toBeNull());
    expect(calls(kept)).toEqual(["PUT state"]);
  });
});

describe("a letter whose decision is refused", () => {
  async function openText(kept: KeptDesk) {
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("put", STATE);
    press("d");
    const form = within(await screen.findByRole("form", { name: "Answer" }));
    await user.click(await form.findByRole("textbox", { name: "Text" }));
    async function refuse(): Promise<void> {
      kept.refuseNext(503);
      letGo();
      await screen.findByText("Not done: Refused.");
    }
    return { user, refuse };
  }

  it("is sent by the next Send once it is changed", async () => {
    const kept = keepDesk(first);
    const { user, refuse } = await openText(kept);
    await user.keyboard("!");
    await refuse();
    await user.keyboard("?{Control>}{Enter}{/Control}");
    await waitFor(() => expect(calls(kept)).toEqual(["PUT state", "POST answers"]));
    expect(kept.sent.at(-1)?.body).toMatchObject({
      text: "Dear Rhythm & Sound, …!?",
      from: "new",
    });
    await waitFor(() => expect(kept.demos[0]?.state).toBe("declined"));
  });

  it("stays under the hands that begin to write it", async () => {
    const kept = keepDesk(first);
    const { user, refuse } = await openText(kept);
    await refuse();
    await user.keyboard("sad");
    const text = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
    expect(text.value).toBe("Dear Rhythm & Sound, …sad");
    expect(calls(kept)).toEqual(["PUT state"]);
  });
});

describe("a judgement", () => {
  it("is shown at once, and marked until it is saved", async () => {
    keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    const letGo = [holdCall("put", STATE), holdCall("put", "/api/admin/desk/demos/:id/score")];
    score(4);
    expect(isPressed("Score 4")).toBe(true);
    expect(screen.getByText("The others' scores show once yours is saved")).toBeTruthy();
    press("s");
    expect(isPressed("Shortlist")).toBe(true);
    // Above the demo, beside UNDO, and in its row.
    expect(screen.getAllByText("Saving…")).toHaveLength(3);
    expect(row("Rhythm & Sound")).toMatch(/Shortlisted.*Saving….*4\/5/);
    for (const go of letGo) go();
    await screen.findByText("Shortlisted, Rhythm & Sound");
    await waitFor(() => expect(screen.queryAllByText("Saving…")).toEqual([]));
    expect(isPressed("Shortlist")).toBe(true);
  });

  it.each([
    [
      "refused",
      () => refuseCall("put", STATE, 503, { code: "busy", detail: "Busy." }),
      "Not done: Busy.",
    ],
    ["not answered", () => breakCall("put", STATE), "Perhaps not done: the server did not answer."],
  ])("that is %s is rolled back with words, and leaves no step", async (_, fail, why) => {
    keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    fail();
    press("s");
    expect(isPressed("Shortlist")).toBe(true);
    expect(await screen.findByText(why)).toBeTruthy();
    expect(isPressed("Shortlist")).toBe(false);
    expect(row("Rhythm & Sound")).not.toMatch(/Shortlisted|Saving/);
    expect(screen.getByRole("button", { name: "UNDO" }).getAttribute("aria-disabled")).toBe("true");
    const said = screen.getByText(why);
    press("s");
    await waitFor(() => expect(said.isConnected).toBe(false));
    expect(await screen.findByText(why)).toBeTruthy();
    keepDesk(first, second);
    press("s");
    expect(await screen.findByText("Shortlisted, Rhythm & Sound")).toBeTruthy();
    expect(screen.queryByText(/ot done/)).toBeNull();
  });

  it("of the next demo does not wait for it, and its failure names its demo", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("put", STATE);
    press("s");
    press("n");
    await onDesk("Zoë");
    score(3);
    await waitFor(() => expect(calls(kept)).toEqual(["PUT score"]));
    await screen.findByText("Score 3, Zoë");
    kept.refuseNext(409);
    letGo();
    const said = await screen.findByText("Not done: Refused.");
    expect(said.parentElement?.textContent).toBe("Rhythm & SoundNot done: Refused.");
    expect(kept.demos[0]?.state).toBe("new");
  });

  it("leaves the words of a failure that came up after it was pressed", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("put", STATE);
    press("s");
    press("n");
    await onDesk("Zoë");
    refuseCall("put", "/api/admin/desk/demos/:id/score", 409, { code: "refused", detail: "No." });
    score(3);
    await screen.findByText("Not done: No.");
    letGo();
    await waitFor(() => expect(kept.demos[0]?.state).toBe("shortlisted"));
    await screen.findByText("Shortlisted, Rhythm & Sound");
    expect(screen.getByText("Not done: No.")).toBeTruthy();
  });

  it("leaves the words of a failure also when the demo counts as heard by itself", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    kept.refuseNext(409);
    press("s");
    expect(await screen.findByText("Not done: Refused.")).toBeTruthy();
    playTo(21);
    await waitFor(() => expect(kept.demos[0]?.state).toBe("heard"));
    await waitFor(() => expect(screen.queryAllByText("Saving…")).toEqual([]));
    expect(screen.getByText("Not done: Refused.")).toBeTruthy();
  });

  it("counts as heard by itself, and takes away its own words once that is done", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    kept.refuseNext(409);
    playTo(21);
    expect(await screen.findByText("Not done: Refused.")).toBeTruthy();
    playTo(42, 21);
    await waitFor(() => expect(kept.demos[0]?.state).toBe("heard"));
    await waitFor(() => expect(screen.queryByText("Not done: Refused.")).toBeNull());
  });

  it("that was pending does not come next", async () => {
    const third = aDeskDemo({ id: "019aa000-0000-7000-8000-0000000000f3", artist_name: "Ferrous" });
    keepDesk(first, second, { ...third, submitted_at: "2026-11-03T10:00:00Z" });
    await open();
    await onDesk("Rhythm & Sound");
    holdCall("put", STATE);
    press("s");
    press("n");
    await onDesk("Zoë");
    press("s");
    press("n");
    await onDesk("Ferrous");
    press("n");
    expect(await screen.findByText("No other demo of this list is unheard.")).toBeTruthy();
  });
});

describe("UNDO", () => {
  it("takes back two steps by two quick presses", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    score(4);
    press("s");
    await screen.findByText("Shortlisted, Rhythm & Sound");
    const letGo = holdCall("put", STATE);
    press("u");
    expect(isPressed("Shortlist")).toBe(false);
    press("u");
    expect(isPressed("Score 4")).toBe(false);
    letGo();
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ state: "new", my_score: null }));
    expect(calls(kept)).toEqual(["PUT score", "PUT state", "PUT state", "PUT score", "PUT state"]);
  });

  it("offers again what could not be taken back", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("s");
    await screen.findByText("Shortlisted, Rhythm & Sound");
    kept.refuseNext(503);
    press("u");
    expect(await screen.findByText("Not taken back: Refused.")).toBeTruthy();
    expect(isPressed("Shortlist")).toBe(true);
    press("u");
    await waitFor(() => expect(kept.demos[0]?.state).toBe("new"));
  });
});

describe("the sound of a demo", () => {
  it("is loading until it can be played", async () => {
    keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press("n");
    await onDesk("Zoë");
    expect(screen.getByText(/^Loading/)).toBeTruthy();
    act(() => void players.at(-1)?.dispatchEvent(new Event("canplay")));
    expect(screen.queryByText(/^Loading/)).toBeNull();
    act(() => void players.at(-1)?.dispatchEvent(new Event("waiting")));
    expect(screen.getByText(/^Loading/)).toBeTruthy();
  });
});
