import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { aDeskDemo, keepDesk } from "../../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk, press } from "../../../../testing/deskScreen.tsx";
import { daysSince } from "../deskTypes.ts";

vi.mock("../deskTypes.ts", async (original) => {
  const states = await original<typeof import("../deskTypes.ts")>();
  return { ...states, daysSince: vi.fn(states.daysSince) };
});

beforeEach(fakePlayers);

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  submitted_at: "2026-11-02T10:00:00Z",
});

/** How often a row other than the open demo was rendered. */
const drawn = () =>
  vi.mocked(daysSince).mock.calls.filter(([at]) => at === second.submitted_at).length;

it("draws no row of the queue for what changes on the desk alone", async () => {
  keepDesk(first, second);
  const { client } = await openDesk();
  await onDesk("Rhythm & Sound");
  await screen.findByRole("button", { name: "Zoë" });
  await waitFor(() => expect(client.isFetching()).toBe(0));
  const before = drawn();
  expect(before).toBeGreaterThan(0);
  press("?");
  await screen.findByRole("dialog");
  expect(drawn()).toBe(before);
});
