// The desk's address, and what other admins see of this one.
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { aDeskDemo, keepDesk } from "../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk as open, press } from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";

beforeEach(fakePlayers);

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  submitted_at: new Date().toISOString(),
});
const third = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f3",
  artist_name: "Kesto Vann",
  submitted_at: new Date().toISOString(),
});

describe("the address", () => {
  it("holds the demo that is on the desk at first", async () => {
    keepDesk(first, second);
    const { router } = await open();
    await onDesk("Rhythm & Sound");
    await waitFor(() =>
      expect(router.state.location.search).toEqual(expect.objectContaining({ demo: first.id })),
    );
  });

  it("opens the demo that a link within the app names", async () => {
    keepDesk(first, second, third);
    const { router } = await open(`/admin/demos?demo=${first.id}`);
    await onDesk("Rhythm & Sound");
    await act(() => router.navigate({ to: "/admin/demos", search: { demo: third.id } }));
    await onDesk("Kesto Vann");
    press("p");
    await onDesk("Rhythm & Sound");
    press("n");
    press("n");
    await onDesk("Kesto Vann");
    await waitFor(() =>
      expect(router.state.location.search).toEqual(expect.objectContaining({ demo: third.id })),
    );
    await onDesk("Kesto Vann");
  });
});

describe("what is overdue", () => {
  it("is marked in the queue, and listed by its figure", async () => {
    const kept = keepDesk({ ...first, submitted_at: "2020-01-01T00:00:00Z" }, second);
    const { user, router } = await open();
    await onDesk("Rhythm & Sound");
    const rows = within(screen.getByRole("list", { name: "Demos" })).getAllByRole("listitem");
    await waitFor(() =>
      expect(rows.map(({ textContent }) => textContent?.includes("Overdue"))).toEqual([
        true,
        false,
      ]),
    );
    const figure = await screen.findByRole("button", { name: /^Overdue\s*1$/ });
    await user.click(figure);
    await waitFor(() => expect(kept.asked.at(-1)).toContain("overdue=yes"));
    expect(figure.getAttribute("aria-pressed")).toBe("true");
    expect(router.state.location.search).toMatchObject({ overdue: "yes" });
    await user.click(screen.getByRole("button", { name: "All waits" }));
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty("overdue"));
  });
});

describe("what is heard here", () => {
  it("is sent in order, the next once the one before has arrived", async () => {
    keepDesk(first, second);
    const arrived: unknown[] = [];
    const held: (() => void)[] = [];
    server.use(
      http.put("*/api/admin/desk/listening", async ({ request }) => {
        const { demo_id } = (await request.json()) as { demo_id: unknown };
        await new Promise<void>((resolve) => held.push(resolve));
        arrived.push(demo_id);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await open();
    await onDesk("Rhythm & Sound");
    press(" ");
    await waitFor(() => expect(held).toHaveLength(1));
    press(" ");
    press("n");
    await onDesk("Zoë");
    expect(held).toHaveLength(1);
    held[0]?.();
    await waitFor(() => expect(held).toHaveLength(2));
    held[1]?.();
    await waitFor(() => expect(arrived).toEqual([first.id, second.id]));
    window.dispatchEvent(new Event("pagehide"));
    await waitFor(() => expect(held).toHaveLength(3));
    held[2]?.();
    await waitFor(() => expect(arrived.at(-1)).toBeNull());
  });
});
