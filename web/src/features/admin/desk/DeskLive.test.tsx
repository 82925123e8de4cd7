import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http, type JsonBodyType } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { holdCall } from "../../../testing/calls.ts";
import { aDeskDemo, keepDesk } from "../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk, press } from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

beforeEach(() => {
  fakePlayers();
  // More is loaded by a button then.
  vi.stubGlobal("IntersectionObserver", undefined);
});

const demos = Array.from({ length: 6 }, (_, at) =>
  aDeskDemo({
    id: `019aa000-0000-7000-8000-00000000000${at}`,
    artist_name: `Artist ${at}`,
    original_name: `take ${at}.mp3`,
    submitted_at: `2026-11-0${at + 1}T10:00:00Z`,
  }),
);

/** Serves the list in pages of two. */
function keepLongDesk() {
  const desk = keepDesk(...demos);
  const reads: string[] = [];
  server.use(
    http.get("*/api/admin/desk/demos", ({ request }) => {
      const from = Number(new URL(request.url).searchParams.get("cursor") ?? 0);
      reads.push(`list ${from}`);
      const items = desk.demos.slice(from, from + 2) as unknown as JsonBodyType[];
      const next_cursor = from + 2 < desk.demos.length ? String(from + 2) : null;
      return HttpResponse.json({ items, next_cursor, total: desk.demos.length });
    }),
    http.get("*/api/admin/desk/demos/:id", ({ params }) => {
      const demo = desk.demos.find(({ id }) => id === params.id);
      reads.push(`demo ${demo?.artist_name}`);
      return demo
        ? HttpResponse.json(demo as unknown as JsonBodyType)
        : HttpResponse.json({ status: 404, code: "not_found" }, { status: 404 });
    }),
  );
  return { desk, reads };
}

const rows = () => within(screen.getByRole("region", { name: "Queue" })).getAllByRole("listitem");

/** Opens the desk with two of its three pages loaded. */
async function openLongDesk() {
  const kept = keepLongDesk();
  await openDesk();
  await onDesk("Artist 0");
  await userEvent.click(await screen.findByRole("button", { name: "LOAD MORE" }));
  await waitFor(() => expect(rows()).toHaveLength(4));
  act(() => FakeEventSource.current.open());
  kept.reads.length = 0;
  return kept;
}

const say = (key: string | undefined) =>
  act(() => FakeEventSource.current.say("change", { table: "demos", op: "update", key }, "7"));

describe("a change of a demo in a long queue", () => {
  it("reads that demo alone", async () => {
    const { desk, reads } = await openLongDesk();
    desk.demos = desk.demos.map((demo, at) =>
      at === 2 ? { ...demo, original_name: "another take.mp3" } : demo,
    );
    say(demos[2]?.id);
    expect(await screen.findByText("another take.mp3")).toBeTruthy();
    expect(reads).toEqual(["demo Artist 2"]);
  });

  it("takes a deleted demo out", async () => {
    const { desk, reads } = await openLongDesk();
    desk.demos = desk.demos.filter((_, at) => at !== 2);
    say(demos[2]?.id);
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(reads.filter((read) => read.startsWith("list"))).toEqual([]);
  });

  it("reads the queue again for a demo that is new to it", async () => {
    const { reads } = await openLongDesk();
    say("019aa000-0000-7000-8000-0000000000ff");
    await waitFor(() => expect(reads).toEqual(["list 0", "list 2"]));
  });

  it("reads the queue again for its last row, which says what comes next", async () => {
    const { reads } = await openLongDesk();
    say(demos[3]?.id);
    await waitFor(() => expect(reads).toEqual(expect.arrayContaining(["list 0", "list 2"])));
  });
});

describe("the way on", () => {
  it("does not say that it ends while the next page is being loaded", async () => {
    keepLongDesk();
    await openDesk();
    await onDesk("Artist 0");
    const letGo = holdCall("get", "/api/admin/desk/demos");
    press("s");
    press("n");
    await onDesk("Artist 1");
    await screen.findByText("LOADING TRANSMISSIONS...");
    press("s");
    press("n");
    await screen.findByText("Shortlisted, Artist 1");
    expect(screen.queryByText("No other demo of this list is unheard.")).toBeNull();
    letGo();
    await waitFor(() => expect(rows()).toHaveLength(4));
    press("n");
    await onDesk("Artist 2");
  });
});
