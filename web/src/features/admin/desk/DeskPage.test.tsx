import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerCall, holdCall, seeAs } from "../../../testing/calls.ts";
import { aDeskDemo, keepDesk } from "../../../testing/desk.ts";
import {
  fakePlayers,
  onDesk,
  openDesk as open,
  pathOf,
  players,
  playTo,
  press,
  started,
  judgement as state,
} from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";
import { anAdmin } from "../../../testing/people.ts";
import { renderPath } from "../../../testing/renderPath.tsx";

beforeEach(fakePlayers);

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  email: "zoe@example.org",
  submitted_at: "2026-11-02T10:00:00Z",
});
const third = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f3",
  artist_name: "Kesto Vann",
  submitted_at: "2026-11-03T10:00:00Z",
});
describe("the demo desk", () => {
  it("opens from the Media tab, with what came in first on it and nothing playing", async () => {
    keepDesk(second, first, aDeskDemo({ id: "h", state: "heard", artist_name: "Heard" }));
    seeAs(anAdmin());
    const { user } = renderPath("/admin?tab=media");
    await user.click(await screen.findByRole("link", { name: "OPEN THE DESK" }));
    expect(await onDesk("Rhythm & Sound")).toBeTruthy();
    expect(started).toEqual([]);
    const rows = within(screen.getByRole("list", { name: "Demos" })).getAllByRole("listitem");
    expect(rows.map((row) => within(row).getByRole("button").textContent)).toEqual([
      "Rhythm & Sound",
      "Zoë",
      "Heard",
    ]);
    expect(screen.getByText("Two takes.")).toBeTruthy();
  });

  it("is worked by keys alone", async () => {
    const kept = keepDesk(first, second, third);
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    expect(started).toEqual([pathOf(first.id)]);
    press("$", { code: "Digit4", shiftKey: true });
    press("s");
    await waitFor(() => expect(kept.demos[0]).toMatchObject({ my_score: 4, state: "shortlisted" }));
    press("n");
    expect(started.at(-1)).toBe(pathOf(second.id));
    await onDesk("Zoë");
    press("d");
    await waitFor(() => expect(kept.demos[1]?.state).toBe("declined"));
    press("p");
    await onDesk("Rhythm & Sound");
    expect(started.at(-1)).toBe(pathOf(first.id));
    press("n");
    await onDesk("Kesto Vann");
    expect(kept.sent.map(({ call }) => call)).toEqual(["PUT score", "PUT state", "PUT state"]);
  });

  it("takes steps back, the last one first", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press("a");
    await screen.findByText("Accepted, Rhythm & Sound");
    press("s");
    await screen.findByText("Shortlisted, Rhythm & Sound");
    press("u");
    await waitFor(() => expect(kept.demos[0]?.state).toBe("accepted"));
    await screen.findByText("Accepted, Rhythm & Sound");
    press("u");
    await waitFor(() => expect(kept.demos[0]?.state).toBe("new"));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "UNDO" }).getAttribute("aria-disabled")).toBe(
        "true",
      ),
    );
  });

  it("hears no key in a field, and none at all where shortcuts are off", async () => {
    const kept = keepDesk(first, second);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("/");
    const search = screen.getByRole("searchbox", { name: "Search demos" });
    expect(document.activeElement).toBe(search);
    await user.keyboard("sad");
    expect((search as HTMLInputElement).value).toBe("sad");
    await user.clear(search);
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("switch", { name: "SHORTCUTS" }));
    press("s");
    press("n");
    expect(screen.getByRole("heading", { level: 2, name: "Rhythm & Sound" })).toBeTruthy();
    expect(kept.sent).toEqual([]);
    expect(localStorage.getItem("deadwax.desk-shortcuts")).toBe("false");
  });

  it("lets the space bar press the key that has the focus", async () => {
    const kept = keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    within(state()).getByRole("button", { name: "Shortlist" }).focus();
    await user.keyboard(" ");
    await waitFor(() => expect(kept.demos[0]?.state).toBe("shortlisted"));
    expect(started).toEqual([]);
  });

  it("shows all keys", async () => {
    keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("?");
    const dialog = within(await screen.findByRole("dialog", { name: "Keys" }));
    expect(dialog.getByText("Next unheard demo")).toBeTruthy();
    // Space, as in its first line, would switch them off.
    const close = dialog.getByRole("button", { name: "CLOSE" });
    await waitFor(() => expect(document.activeElement).toBe(close));
    await user.click(dialog.getByRole("button", { name: "CLOSE" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("judges once however often a key is pressed", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    press("s");
    press("s");
    await screen.findByText("Shortlisted, Rhythm & Sound");
    press("s");
    expect(kept.sent).toHaveLength(1);
  });

  it("counts a demo as heard after twenty seconds of it, and at its end", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    playTo(19);
    expect(kept.sent).toEqual([]);
    playTo(21, 19);
    await waitFor(() => expect(kept.demos[0]?.state).toBe("heard"));
    press("n");
    await onDesk("Zoë");
    players.at(-1)?.dispatchEvent(new Event("ended"));
    await waitFor(() => expect(kept.demos[1]?.state).toBe("heard"));
    expect(kept.sent.map(({ body }) => body)).toEqual([
      { state: "heard", from: "new" },
      { state: "heard", from: "new" },
    ]);
  });

  it("leaves what was heard for less as it is", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    playTo(10);
    press("n");
    await onDesk("Zoë");
    expect(kept.demos[0]?.state).toBe("new");
    expect(kept.sent).toEqual([]);
  });

  it("shows the others' scores once one's own is given", async () => {
    keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    expect(screen.getByText("The others' scores show once yours is given")).toBeTruthy();
    press("#", { code: "Digit3", shiftKey: true });
    expect(await screen.findByText("No one else has scored it yet")).toBeTruthy();
    const three = screen.getByRole("button", { name: "Score 3" });
    expect(three.getAttribute("aria-pressed")).toBe("true");
  });

  it("keeps notes and tags", async () => {
    const kept = keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("e");
    await user.keyboard("Drums!{Control>}{Enter}{/Control}");
    expect(await screen.findByText("Drums!")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /^Delete note: Drums!/ }));
    await waitFor(() => expect(screen.queryByText("Drums!")).toBeNull());
    await user.type(screen.getByRole("combobox", { name: "Tags" }), "Dub{Enter}");
    expect(await screen.findByRole("button", { name: "Take tag dub off" })).toBeTruthy();
    await waitFor(() => expect(kept.demos[0]?.tags).toEqual(["dub"]));
  });

  it("keeps what is typed while a note is kept", async () => {
    const kept = keepDesk(first);
    const letGo = holdCall("post", "/api/admin/desk/demos/:id/notes");
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("e");
    await user.keyboard("Drums!{Control>}{Enter}{/Control} Hats?");
    letGo();
    expect(await screen.findByText("Drums!")).toBeTruthy();
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
    await waitFor(() => expect(field.value).toBe(" Hats?"));
    expect(kept.demos[0]?.notes).toHaveLength(1);
  });

  it("has the next demo ready while one is heard", async () => {
    keepDesk(first, second);
    const { client } = await open();
    await onDesk("Rhythm & Sound");
    const key = [`/api/admin/desk/demos/${second.id}`];
    await waitFor(() => expect(client.getQueryState(key)?.status).toBe("success"));
  });

  it("keeps what a search has put out of the list", async () => {
    keepDesk(first, second);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    await user.type(screen.getByRole("searchbox", { name: "Search demos" }), "zoe@");
    const list = within(screen.getByRole("list", { name: "Demos" }));
    await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(1));
    expect(screen.getByRole("heading", { level: 2, name: "Rhythm & Sound" })).toBeTruthy();
  });

  it("shows what the same sender has sent before", async () => {
    keepDesk(
      {
        ...first,
        earlier: [
          {
            id: second.id,
            original_name: "rough.mp3",
            submitted_at: "2026-03-01T10:00:00Z",
            state: "declined",
          },
        ],
      },
      second,
    );
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    await user.click(await screen.findByRole("button", { name: /^rough.mp3/ }));
    await onDesk("Zoë");
  });

  it("asks before a note that is not kept goes", async () => {
    keepDesk(first, second);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("e");
    await user.keyboard("Half a tho");
    await user.click(screen.getByRole("button", { name: "Next" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
    await user.click(question.getByRole("button", { name: "Leave Without Saving" }));
    await onDesk("Zoë");
  });

  it("has settings", async () => {
    const kept = keepDesk(first);
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
    const days = dialog.getByRole("textbox", { name: "Overdue after days" });
    await user.clear(days);
    await user.type(days, "14");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    // Unchanged fields may contain another admin's change, so they are not sent.
    expect(kept.sent.at(-1)?.body).toEqual({ overdue_days: 14 });
  });

  it("asks before its settings are left unsaved", async () => {
    keepDesk(first);
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
    await user.type(dialog.getByRole("textbox", { name: "Overdue after days" }), "0");
    await user.keyboard("{Escape}");
    expect(await screen.findByRole("alertdialog", { name: "Unsaved changes" })).toBeTruthy();
  });

  it("leaves the keys of an input method alone", async () => {
    keepDesk(first, second);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press("/");
    const search = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search demos" });
    const note = screen.getByRole("textbox", { name: "Note" });
    const tag = screen.getByRole<HTMLInputElement>("combobox", { name: "Tags" });
    for (const field of [search, note, tag]) {
      field.focus();
      for (const key of ["Enter", "Escape"]) {
        press(key, { isComposing: true });
        // The key that ends a composition, as in Safari.
        press(key, { keyCode: 229 });
        expect(document.activeElement, key).toBe(field);
      }
    }
    await user.type(tag, "てく");
    press("Enter", { isComposing: true });
    expect(tag.value).toBe("てく");
  });

  it("asks nothing where nothing is left, and guards what stays", async () => {
    keepDesk(first);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    await user.type(screen.getByRole("textbox", { name: "Note" }), "Half a note");
    await user.click(screen.getByRole("button", { name: "Rhythm & Sound" }));
    press("Escape");
    press("p");
    press("n");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Note" }).value).toBe(
      "Half a note",
    );
  });

  it("says when a file is missing, and when the browser cannot play it", async () => {
    keepDesk(first);
    server.use(
      http.get("*/api/admin/demos/:id/file", () => new HttpResponse(null, { status: 404 })),
    );
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    players[0]?.dispatchEvent(new Event("error"));
    expect(await screen.findByText("Its file is missing.")).toBeTruthy();
  });

  it("says when a demo is gone, and goes on", async () => {
    const kept = keepDesk(first, second);
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    await user.type(screen.getByRole("textbox", { name: "Note" }), "Keep the b-side");
    press("Escape");
    kept.demos = [second];
    press("s");
    expect(await screen.findByText(/This demo is gone/)).toBeTruthy();
    // An unsaved note can still be copied, and leaving asks first.
    expect(screen.getByText("Keep the b-side")).toBeTruthy();
    press("n");
    await user.click(await screen.findByRole("button", { name: "Leave Without Saving" }));
    await onDesk("Zoë");
  });

  it("says what was not done, and leaves it as it was", async () => {
    const kept = keepDesk(first);
    await open();
    await onDesk("Rhythm & Sound");
    kept.refuseNext(409);
    press("s");
    expect(await screen.findByText("Not done: Refused.")).toBeTruthy();
    const key = within(state()).getByRole("button", { name: "Shortlist" });
    expect(key.getAttribute("aria-pressed")).toBe("false");
  });

  it("tells what is heard here, and who else hears it", async () => {
    const kept = keepDesk(first, second);
    kept.others = [
      { person: "dana", is_me: false, demo_id: second.id, since: "2026-11-20T10:00:00Z" },
    ];
    await open();
    await onDesk("Rhythm & Sound");
    expect(await screen.findByText("dana listening")).toBeTruthy();
    press(" ");
    await waitFor(() => expect(kept.listening).toEqual([first.id]));
    press(" ");
    await waitFor(() => expect(kept.listening).toEqual([first.id, null]));
  });

  it("reports nothing after a sign-out, which would be refused", async () => {
    const kept = keepDesk(first);
    answerCall("post", "/api/auth/sign-out", {});
    const { user } = await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    await waitFor(() => expect(kept.listening).toEqual([first.id]));
    await user.click(screen.getByRole("button", { name: "Sign Out" }));
    await screen.findByRole("heading", { level: 1, name: "Admin Login" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(kept.listening).toEqual([first.id]);
  });

  it("shows what another admin decides", async () => {
    const kept = keepDesk(first, second);
    await open();
    await onDesk("Rhythm & Sound");
    kept.demos = [{ ...first, state: "accepted" }, second];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "demos", op: "update", key: first.id }, "7");
    const key = () => within(state()).getByRole("button", { name: "Accept" });
    await waitFor(() => expect(key().getAttribute("aria-pressed")).toBe("true"));
  });

  it("lists by state and search, as its address says", async () => {
    const kept = keepDesk(first, { ...second, state: "declined" });
    const { router, user } = await open("/admin/demos?state=declined");
    await onDesk("Zoë");
    expect(kept.asked[0]).toContain("state=declined");
    await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "All states");
    const list = await screen.findByRole("list", { name: "Demos" });
    await within(list).findByText("Rhythm & Sound");
    expect(router.state.location.search).not.toHaveProperty("state");
  });

  it("reads a demo again when asked, and does not wait for the next try", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    keepDesk(first);
    let isDown = true;
    server.use(
      http.get("*/api/admin/desk/demos/:id", () =>
        isDown
          ? HttpResponse.json({ status: 503 }, { status: 503, headers: { "retry-after": "60" } })
          : HttpResponse.json({ ...second }),
      ),
    );
    const { user } = await open(`/admin/demos?demo=${second.id}`);
    const key = await screen.findByRole("button", { name: /try again/i });
    isDown = false;
    await user.click(key);
    expect(await onDesk("Zoë")).toBeTruthy();
  });

  it("says when nothing lies on it", async () => {
    keepDesk();
    await open();
    expect(await screen.findByText("No demo selected.")).toBeTruthy();
    expect(screen.getByText("No demo has come in yet")).toBeTruthy();
  });
});
