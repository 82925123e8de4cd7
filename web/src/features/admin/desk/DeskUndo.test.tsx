import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { aDeskDemo, type KeptDesk, keepDesk } from "../../../testing/desk.ts";
import {
  fakePlayers,
  judgement,
  onDesk,
  openDesk as open,
  playTo,
  press,
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

const calls = (kept: KeptDesk) => kept.sent.map(({ call }) => call);
const undoKey = () => screen.getByRole("button", { name: /^UNDO/ });
const acceptKey = () => within(judgement()).getByRole("button", { name: "Accept" });
const answered = () => screen.findByText("Declined, Rhythm & Sound is answered");

/** The desk opened last. */
let desk: Awaited<ReturnType<typeof open>>;

/** Score, D, Enter. */
async function answerOne(...demos: Parameters<typeof keepDesk>): Promise<KeptDesk> {
  const kept = keepDesk(...demos);
  desk = await open();
  await onDesk("Rhythm & Sound");
  press("$", { code: "Digit4", shiftKey: true });
  press("d");
  press("Enter");
  await answered();
  return kept;
}

/** Another admin changes the state of the first demo. */
function moveOn(kept: KeptDesk): void {
  kept.demos = kept.demos.map((demo) =>
    demo.id === first.id ? { ...demo, state: "accepted" as const } : demo,
  );
}

describe("UNDO", () => {
  it("takes back letter and decision by one key, and the score by the next", async () => {
    const kept = await answerOne(first, second);
    press("u");
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ state: "heard", answers: [] }));
    expect(kept.demos[0]?.my_score).toBe(4);
    await screen.findByText("Score 4, Rhythm & Sound");
    press("u");
    await waitFor(() => expect(kept.demos[0]?.my_score).toBeNull());
    // Only the score had marked it as heard.
    await waitFor(() => expect(kept.demos[0]?.state).toBe("new"));
    await waitFor(() => expect(undoKey().getAttribute("aria-disabled")).toBe("true"));
  });

  it("takes back what is still on its way when it is pressed", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press("d");
    await screen.findByRole("textbox", { name: "Text" });
    press("Enter");
    press("u");
    await waitFor(() => expect(calls(kept)).toContain("DELETE answers"));
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ state: "new", answers: [] }));
  });

  it("leaves what somebody else has decided since, and says so", async () => {
    const kept = await answerOne(first, second);
    moveOn(kept);
    press("u");
    expect(
      await screen.findByText(
        "The letter alone is taken back: someone else has moved it on since.",
      ),
    ).toBeTruthy();
    expect(kept.demos[0]).toMatchObject({ state: "accepted", answers: [] });
    // It does not block the step before it.
    press("u");
    await waitFor(() => expect(kept.demos[0]?.my_score).toBeNull());
  });

  it("leaves a state that somebody else has changed since, and goes on to the step before", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("$", { code: "Digit4", shiftKey: true });
    press("s");
    await screen.findByText("Shortlisted, Rhythm & Sound");
    moveOn(kept);
    press("u");
    expect(
      await screen.findByText("Not taken back: someone else has moved it on since."),
    ).toBeTruthy();
    expect(kept.demos[0]?.state).toBe("accepted");
    await waitFor(() => expect(acceptKey().getAttribute("aria-pressed")).toBe("true"));
    press("u");
    await waitFor(() => expect(kept.demos[0]?.my_score).toBeNull());
  });

  it("leaves a score that was given in another tab since", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("#", { code: "Digit3", shiftKey: true });
    await screen.findByText("Score 3, Rhythm & Sound");
    kept.demos = kept.demos.map((demo) => ({ ...demo, my_score: 5 }));
    act(() => {
      FakeEventSource.current.open();
      FakeEventSource.current.say("change", { table: "demos", op: "update", key: first.id }, "7");
    });
    const five = within(judgement()).getByRole("button", { name: "Score 5" });
    await waitFor(() => expect(five.getAttribute("aria-pressed")).toBe("true"));
    press("u");
    expect(await screen.findByText("Not taken back: you have scored it anew since.")).toBeTruthy();
    await waitFor(() => expect(five.getAttribute("aria-pressed")).toBe("true"));
    expect(calls(kept)).toEqual(["PUT score"]);
    expect(kept.demos[0]).toMatchObject({ my_score: 5, state: "heard" });
  });

  it("goes on where it was cut off", async () => {
    const kept = await answerOne(first, second);
    server.use(
      http.put("*/api/admin/desk/demos/:id/state", () => HttpResponse.error(), { once: true }),
    );
    press("u");
    expect(
      await screen.findByText(/^The letter alone is taken back: the server did not/),
    ).toBeTruthy();
    press("u");
    await waitFor(() => expect(kept.demos[0]?.state).toBe("heard"));
    expect(calls(kept).filter((call) => call === "DELETE answers")).toHaveLength(1);
  });

  it("counts no letter that was taken back among the answers, and goes on to its decision", async () => {
    const kept = await answerOne(first, second);
    press("p");
    await onDesk("Rhythm & Sound");
    const { user } = desk;
    await user.click(await screen.findByRole("button", { name: /^Take back answer/ }));
    await screen.findByText("Declined, Rhythm & Sound");
    press("u");
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ state: "heard", answers: [] }));
    expect(screen.queryByText(/^Not taken back/)).toBeNull();
    expect(calls(kept).filter((call) => call === "DELETE answers")).toHaveLength(1);
  });

  it("goes on to the decision of a letter that another admin has taken back", async () => {
    const kept = await answerOne(first, second);
    kept.demos = kept.demos.map((demo) => ({ ...demo, answers: [] }));
    kept.refuseNext(404);
    press("u");
    await waitFor(() => expect(kept.demos[0]?.state).toBe("heard"));
    expect(screen.queryByText(/^Not taken back/)).toBeNull();
  });

  it("is not offered again for a letter that has left", async () => {
    const kept = await answerOne(first, second);
    kept.refuseNext(409);
    press("u");
    expect(await screen.findByText("Not taken back: Refused.")).toBeTruthy();
    expect(kept.demos[0]).toMatchObject({ state: "declined" });
    await screen.findByText("Score 4, Rhythm & Sound");
  });
});

describe("what somebody else has decided", () => {
  it("is not undone by hearing a demo that looks new here", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    playTo(19);
    moveOn(kept);
    playTo(21, 19);
    await waitFor(() => expect(calls(kept)).toEqual(["PUT state"]));
    await waitFor(() => expect(acceptKey().getAttribute("aria-pressed")).toBe("true"));
    expect(kept.demos[0]?.state).toBe("accepted");
    expect(screen.queryByText(/^Not done/)).toBeNull();
  });
});
