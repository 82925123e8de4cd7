import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { aDeskDemo, keepDesk } from "../../../../testing/desk.ts";
import {
  fakePlayers,
  onDesk,
  openDesk,
  players,
  playTo,
  press,
} from "../../../../testing/deskScreen.tsx";
import { Sender } from "./Sender.tsx";

vi.mock("./Sender.tsx", async (original) => {
  const sender = await original<typeof import("./Sender.tsx")>();
  return { ...sender, Sender: vi.fn(sender.Sender) };
});

beforeEach(fakePlayers);

it("draws the player alone for what is played", async () => {
  keepDesk(aDeskDemo());
  const { client } = await openDesk();
  await onDesk("Rhythm & Sound");
  press(" ");
  await waitFor(() => expect(client.isFetching()).toBe(0));
  const { calls } = vi.mocked(Sender).mock;
  const before = calls.length;
  expect(before).toBeGreaterThan(0);
  act(() => {
    players.at(-1)?.dispatchEvent(new Event("canplay"));
    playTo(10);
  });
  expect(await screen.findByText("0:10")).toBeTruthy();
  expect(calls.length).toBe(before);
});
