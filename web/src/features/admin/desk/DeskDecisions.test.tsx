import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { anEditableRelease } from "../../../testing/backOffice.ts";
import { aDeskDemo, anAnswer, keepDesk } from "../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk as open, press } from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

beforeEach(fakePlayers);

describe("what the server tells of a decision", () => {
  it("is that a waiting letter with another decision is not sent", async () => {
    keepDesk(aDeskDemo({ state: "declined", answers: [anAnswer()] }));
    await open();
    await onDesk("Rhythm & Sound");
    press("a");
    expect(await screen.findAllByText("Letter taken back")).toBeTruthy();
  });

  it("is nothing where none waited", async () => {
    const answer = anAnswer({ sent_at: "2026-11-20T10:00:31Z" });
    keepDesk(aDeskDemo({ state: "declined", answers: [answer] }));
    await open();
    await onDesk("Rhythm & Sound");
    press("a");
    await screen.findByText("Accepted, Rhythm & Sound");
    expect(screen.queryByText("Letter taken back")).toBeNull();
  });

  it("is the draft that was made of it before", async () => {
    const release = { release_id: "draft-of-it", catalog: "404-048" };
    keepDesk(aDeskDemo({ state: "accepted", release }));
    await open();
    expect(await screen.findByText("Its draft is in the catalogue as 404-048.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "OPEN THE DRAFT" })).toBeTruthy();
  });

  it("is that a draft was deleted for good, and another may be made", async () => {
    const kept = keepDesk(aDeskDemo({ state: "accepted" }));
    const draft = anEditableRelease({ state: "draft" });
    server.use(http.get("*/api/admin/releases/:id", () => HttpResponse.json(draft)));
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole("button", { name: "DRAFT A RELEASE" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    await user.click(form.getByRole("button", { name: "CLOSE" }));
    expect(await screen.findByText("Its draft is in the catalogue as 404-001.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "OPEN THE DRAFT" }));
    const again = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    await user.click(again.getByRole("button", { name: "CLOSE" }));
    expect(kept.sent.map(({ call }) => call)).toEqual(["POST release", "POST release"]);
    FakeEventSource.current.open();
    const deleted = { table: "demos", op: "update", key: aDeskDemo().id };
    FakeEventSource.current.say("change", deleted, "7");
    expect(await screen.findByRole("button", { name: "DRAFT A RELEASE" })).toBeTruthy();
  });

  it("is which of them had no letter", async () => {
    const kept = keepDesk(aDeskDemo({ state: "declined" }));
    const user = userEvent.setup();
    await open();
    await user.selectOptions(screen.getByRole("combobox", { name: "Answer" }), "Not answered");
    await waitFor(() => expect(kept.asked.at(-1)).toContain("answered=no"));
  });
});

describe("a decision of long ago", () => {
  it("is taken back to where the demo stood before", async () => {
    const kept = keepDesk(aDeskDemo({ state: "declined", heard_at: "2026-11-02T10:00:00Z" }));
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole("button", { name: "Back To Heard" }));
    await waitFor(() => expect(kept.demos[0]?.state).toBe("heard"));
    expect(document.activeElement).toBe(await screen.findByText("Heard, Rhythm & Sound"));
    await user.click(await screen.findByRole("button", { name: "Back To Unheard" }));
    await waitFor(() => expect(kept.demos[0]?.state).toBe("new"));
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Back To/ })).toBeNull());
    expect(document.activeElement).toBe(await screen.findByText("Unheard, Rhythm & Sound"));
  });
});

describe("the way on", () => {
  it("says so where it leads nowhere", async () => {
    keepDesk(aDeskDemo({ state: "heard" }));
    await open();
    await onDesk("Rhythm & Sound");
    press("n");
    expect(await screen.findByText("No other demo of this list is unheard.")).toBeTruthy();
  });
});
