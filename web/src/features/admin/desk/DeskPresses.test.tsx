import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { breakCall, holdCall } from "../../../testing/calls.ts";
import { aDeskDemo, keepDesk } from "../../../testing/desk.ts";
import {
  fakePlayers,
  judgement,
  onDesk,
  openDesk as open,
  press,
} from "../../../testing/deskScreen.tsx";

beforeEach(fakePlayers);

const first = aDeskDemo();
const PUT = "/api/admin/desk/demos/:id";

const score = (given: number) => press("!", { code: `Digit${given}`, shiftKey: true });
const stateKey = (name: string) => within(judgement()).getByRole("button", { name });
const tagField = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Tags" });

describe("of several presses the last one counts", () => {
  it("of scores", async () => {
    const kept = keepDesk(first);
    const letGo = holdCall("put", `${PUT}/score`);
    await open();
    await onDesk("Rhythm & Sound");
    score(3);
    score(4);
    score(3);
    letGo();
    await waitFor(() => expect(kept.sent.map(({ body }) => body.score)).toEqual([3, 4, 3]));
    await waitFor(() => expect(kept.demos[0]?.my_score).toBe(3));
    // Each undo returns to the previous score.
    await screen.findByText("Score 3, Rhythm & Sound");
    press("u");
    await waitFor(() => expect(kept.demos[0]?.my_score).toBe(4));
  });

  it("of states, though the first is what is shown", async () => {
    const kept = keepDesk({ ...first, state: "shortlisted" });
    await open();
    await onDesk("Rhythm & Sound");
    const letGo = holdCall("put", `${PUT}/state`);
    press("d");
    press("Escape");
    press("s");
    letGo();
    await waitFor(() => expect(kept.sent).toHaveLength(2));
    await waitFor(() => expect(kept.demos[0]?.state).toBe("shortlisted"));
    await waitFor(() => expect(stateKey("Shortlist").getAttribute("aria-pressed")).toBe("true"));
  });

  it("of a state that is pressed again after another", async () => {
    const kept = keepDesk(first);
    const letGo = holdCall("put", `${PUT}/state`);
    await open();
    await onDesk("Rhythm & Sound");
    press("s");
    press("d");
    press("Escape");
    press("s");
    press("s");
    letGo();
    await waitFor(() =>
      expect(kept.sent.map(({ body }) => body.state)).toEqual([
        "shortlisted",
        "declined",
        "shortlisted",
      ]),
    );
    await waitFor(() => expect(kept.demos[0]?.state).toBe("shortlisted"));
  });
});

describe("tags", () => {
  it("that are typed faster than they are kept are all kept", async () => {
    const kept = keepDesk(first);
    const letGo = holdCall("put", `${PUT}/tags`);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    await user.type(tagField(), "techno{Enter}dub{Enter}");
    letGo();
    expect(await screen.findByRole("button", { name: "Take tag dub off" })).toBeTruthy();
    await waitFor(() => expect(kept.demos[0]?.tags).toEqual(["techno", "dub"]));
    expect(tagField().value).toBe("");
  });

  it("that are taken off while others are put on stay off", async () => {
    const kept = keepDesk({ ...first, tags: ["loud"] });
    const letGo = holdCall("put", `${PUT}/tags`);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    await user.type(tagField(), "techno{Enter}");
    await user.click(screen.getByRole("button", { name: "Take tag loud off" }));
    letGo();
    await waitFor(() => expect(kept.demos[0]?.tags).toEqual(["techno"]));
  });

  it("that were not kept are back in the field", async () => {
    const kept = keepDesk(first);
    breakCall("put", `${PUT}/tags`);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    await user.type(tagField(), "techno{Enter}");
    expect(await screen.findByText("Perhaps not done: the server did not answer.")).toBeTruthy();
    expect(tagField().value).toBe("techno");
    expect(kept.demos[0]?.tags).toEqual([]);
  });
});
