import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import { holdCall } from "../../../../testing/calls.ts";
import { aDeskDemo, keepDesk } from "../../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk as open, press } from "../../../../testing/deskScreen.tsx";
import { server } from "../../../../testing/fakeApi.ts";

beforeEach(fakePlayers);

const many = Array.from({ length: 202 }, (_, at) => {
  const number = String(at).padStart(3, "0");
  return aDeskDemo({
    id: `019aa000-0000-7000-8000-000000000${number}`,
    artist_name: `Artist ${number}`,
    submitted_at: new Date(Date.UTC(2026, 9, 1) + at * 60_000).toISOString(),
  });
});

const states = (kept: ReturnType<typeof keepDesk>) => {
  const counts: Record<string, number> = {};
  for (const { state } of kept.demos) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

async function declineAll(user: Awaited<ReturnType<typeof open>>["user"], count: number) {
  await user.click(screen.getByRole("button", { name: `Decline ${count}` }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: `Decline ${count} demos` }));
}

/** Answers the bulk decline's `number`-th call. */
function failCall(number: number, answer: () => Response) {
  let calls = 0;
  server.use(
    http.post("*/api/admin/desk/decline", () => {
      calls += 1;
      return calls === number ? answer() : undefined;
    }),
  );
}

const busy = () =>
  HttpResponse.json({ status: 503, code: "busy", detail: "Busy." }, { status: 503 });

it("says what was done where a batch fails, keeps the rest chosen, and undoes all of it", async () => {
  const kept = keepDesk(...many);
  const { user } = await open();
  await onDesk("Artist 000");
  await user.click(await screen.findByRole("checkbox", { name: /choose all loaded$/ }));
  failCall(2, busy);
  await declineAll(user, 202);
  expect(await screen.findByText("2 of 202 demos not declined: Busy.")).toBeTruthy();
  expect(await screen.findByText("Declined, 200 demos")).toBeTruthy();
  await screen.findByText(/^2 chosen/);
  expect(states(kept)).toEqual({ declined: 200, new: 2 });

  await declineAll(user, 2);
  expect(await screen.findByText("Declined, 2 demos")).toBeTruthy();
  expect(states(kept)).toEqual({ declined: 202 });
  press("u");
  press("u");
  await waitFor(() => expect(states(kept)).toEqual({ new: 202 }));
  const calls = kept.sent.map(({ call }) => call);
  expect(calls).toEqual(["POST decline", "POST decline", "POST states", "POST states"]);
}, 60_000);

it("keeps everything as it was where the first batch fails", async () => {
  const kept = keepDesk(...many.slice(0, 3));
  const { user } = await open();
  await onDesk("Artist 000");
  await user.click(await screen.findByRole("checkbox", { name: /choose all loaded$/ }));
  failCall(1, busy);
  await declineAll(user, 3);
  expect(await screen.findByText("Not done: Busy.")).toBeTruthy();
  expect(screen.getByText(/^3 chosen/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "UNDO" }).getAttribute("aria-disabled")).toBe("true");
  expect(states(kept)).toEqual({ new: 3 });
});

it("puts back what was declined though its answer got lost", async () => {
  const kept = keepDesk(...many.slice(0, 3));
  const { user } = await open();
  await onDesk("Artist 000");
  await user.click(await screen.findByRole("checkbox", { name: /choose all loaded$/ }));
  failCall(1, () => {
    kept.demos = kept.demos.map((demo) => ({ ...demo, state: "declined" as const }));
    return HttpResponse.error();
  });
  await declineAll(user, 3);
  expect(
    await screen.findByText("3 of 3 demos may not be declined: the server did not answer."),
  ).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByRole("list", { name: "Demos" }).textContent).toContain("Declined"),
  );
  press("u");
  await waitFor(() => expect(states(kept)).toEqual({ new: 3 }));
});

it("puts back what it has declined alone", async () => {
  const kept = keepDesk(...many.slice(0, 4));
  const { user } = await open();
  await onDesk("Artist 000");
  await user.click(await screen.findByRole("checkbox", { name: /choose all loaded$/ }));
  await user.click(screen.getByRole("button", { name: "Decline 4" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  const setState = (place: number, state: "shortlisted" | "declined") => {
    kept.demos = kept.demos.map((demo, at) => (at === place ? { ...demo, state } : demo));
  };
  setState(1, "declined");
  setState(2, "shortlisted");
  await user.click(dialog.getByRole("button", { name: "Decline 4 demos" }));
  await screen.findByText("Declined, 2 demos");
  setState(2, "declined");
  press("u");
  await waitFor(() =>
    expect(kept.demos.map(({ state }) => state)).toEqual(["new", "declined", "declined", "new"]),
  );
});

it("is no step where others have moved all of them on", async () => {
  const kept = keepDesk(...many.slice(0, 2));
  const { user } = await open();
  await onDesk("Artist 000");
  await user.click(await screen.findByRole("checkbox", { name: /choose all loaded$/ }));
  kept.demos = kept.demos.map((demo) => ({ ...demo, state: "accepted" as const }));
  await declineAll(user, 2);
  expect(await screen.findByText("2 demos were left")).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByRole("list", { name: "Demos" }).textContent).toContain("Accepted"),
  );
  expect(screen.getByRole("button", { name: "UNDO" }).getAttribute("aria-disabled")).toBe("true");
});

it("is put back in one call, beside which other keys work", async () => {
  const kept = keepDesk(...many.slice(0, 4));
  const { user } = await open();
  await onDesk("Artist 000");
  for (const name of ["001", "002", "003"]) {
    await user.click(screen.getByRole("checkbox", { name: `Choose Artist ${name}` }));
  }
  await declineAll(user, 3);
  await screen.findByText("Declined, 3 demos");
  const letGo = holdCall("post", "/api/admin/desk/states");
  press("u");
  await waitFor(() =>
    expect(screen.getByRole("list", { name: "Demos" }).textContent).not.toContain("Declined"),
  );
  press("$", { code: "Digit4", shiftKey: true });
  await waitFor(() => expect(kept.demos[0]?.my_score).toBe(4));
  expect(states(kept)).toEqual({ heard: 1, declined: 3 });
  letGo();
  await waitFor(() => expect(states(kept)).toEqual({ heard: 1, new: 3 }));
  expect(kept.sent.map(({ call }) => call)).toEqual(["POST decline", "PUT score", "POST states"]);
});
