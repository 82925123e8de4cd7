import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aDeskDemo, keepDesk } from "../../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk as open, press } from "../../../../testing/deskScreen.tsx";

beforeEach(fakePlayers);

const first = aDeskDemo();
const second = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f2",
  artist_name: "Zoë",
  submitted_at: "2026-11-02T10:00:00Z",
});
const third = aDeskDemo({
  id: "019aa000-0000-7000-8000-0000000000f3",
  artist_name: "Kesto Vann",
  submitted_at: "2026-11-03T10:00:00Z",
});

it("declines the chosen ones after one question", async () => {
  const kept = keepDesk(first, second, third);
  const { user } = await open();
  await onDesk("Rhythm & Sound");
  await user.click(screen.getByRole("checkbox", { name: "Choose Zoë" }));
  await user.click(screen.getByRole("checkbox", { name: "Choose Kesto Vann" }));
  await user.click(screen.getByRole("button", { name: "Decline 2" }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "Decline 2 demos?" }));
  await user.click(dialog.getByRole("button", { name: "Decline 2 demos" }));
  await waitFor(() =>
    expect(kept.demos.map((demo) => demo.state)).toEqual(["new", "declined", "declined"]),
  );
  await screen.findByText("3 DEMOS");
  // Its button is gone.
  const all = screen.getByRole("checkbox", { name: /choose all loaded$/ });
  await waitFor(() => expect(document.activeElement).toBe(all));
});

it("takes back that several were declined, each to where it stood", async () => {
  const kept = keepDesk(first, second, { ...third, state: "shortlisted" });
  const { user } = await open();
  await onDesk("Rhythm & Sound");
  press("$", { code: "Digit4", shiftKey: true });
  await screen.findByText("Score 4, Rhythm & Sound");
  await user.click(screen.getByRole("checkbox", { name: "Choose Zoë" }));
  await user.click(screen.getByRole("checkbox", { name: "Choose Kesto Vann" }));
  await user.click(screen.getByRole("button", { name: "Decline 2" }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "Decline 2 demos?" }));
  await user.click(dialog.getByRole("button", { name: "Decline 2 demos" }));
  expect(await screen.findByText("Declined, 2 demos")).toBeTruthy();
  press("u");
  await waitFor(() =>
    expect(kept.demos.map((demo) => demo.state)).toEqual(["heard", "new", "shortlisted"]),
  );
  expect(kept.demos[0]?.my_score).toBe(4);
});
