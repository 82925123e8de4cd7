import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { loadRules } from "../../../../rules/rules.ts";
import { answerCall, holdCall, refuseCall } from "../../../../testing/calls.ts";
import { aDeskDemo, keepDesk } from "../../../../testing/desk.ts";
import { fakePlayers, openDesk } from "../../../../testing/deskScreen.tsx";

beforeEach(fakePlayers);

const REFUSED = "Demos are overdue after 1 to 365 days.";

it.each(["abc", "", "3.5", "1e2", "-3", "0", "366", "99999999999999999999999"])(
  "days that are none (%j) are refused in the rules' words, beside the field, and never sent",
  async (typed) => {
    await loadRules();
    keepDesk(aDeskDemo());
    const heard = answerCall("patch", "/api/admin/desk/settings", {});
    const { user } = await openDesk();
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
    const days = dialog.getByRole("textbox", { name: "Overdue after days" });
    await user.clear(days);
    if (typed) await user.type(days, typed);
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(days.getAttribute("aria-invalid")).toBe("true"));
    expect(dialog.getAllByText(REFUSED)).toHaveLength(1);
    expect(document.activeElement).toBe(days);
    expect(heard).toEqual([]);
  },
);

it("days between characters that are not seen are sent", async () => {
  keepDesk(aDeskDemo());
  const heard = answerCall("patch", "/api/admin/desk/settings", {});
  const { user } = await openDesk();
  await user.click(await screen.findByRole("button", { name: "Settings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
  const days = dialog.getByRole("textbox", { name: "Overdue after days" });
  await user.clear(days);
  await user.type(days, "\u206019\u200b");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(heard).toEqual([{ body: { overdue_days: 19 } }]));
});

it("what the server refuses stands beside the field", async () => {
  keepDesk(aDeskDemo());
  refuseCall("patch", "/api/admin/desk/settings", 422, {
    code: "invalid_overdue_days",
    detail: REFUSED,
    fields: { overdue_days: REFUSED },
  });
  const { user } = await openDesk();
  await user.click(await screen.findByRole("button", { name: "Settings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(REFUSED)).toBeTruthy();
});

it("what is typed while it is saved stays, to be saved next", async () => {
  keepDesk(aDeskDemo());
  const heard = answerCall("patch", "/api/admin/desk/settings", {
    overdue_days: 5,
    hides_decision: true,
  });
  const letGo = holdCall("patch", "/api/admin/desk/settings");
  const { user } = await openDesk();
  await user.click(await screen.findByRole("button", { name: "Settings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
  const days = dialog.getByRole<HTMLInputElement>("textbox", { name: "Overdue after days" });
  await user.clear(days);
  await user.type(days, "5");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await user.type(days, "0");
  letGo();
  await user.click(await dialog.findByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(heard.map(({ body }) => (body as { overdue_days: number }).overdue_days)).toEqual([5, 50]);
});

it("what is typed and taken back while it is saved keeps nothing open", async () => {
  keepDesk(aDeskDemo());
  answerCall("patch", "/api/admin/desk/settings", { overdue_days: 5, hides_decision: true });
  const letGo = holdCall("patch", "/api/admin/desk/settings");
  const { user } = await openDesk();
  await user.click(await screen.findByRole("button", { name: "Settings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
  const days = dialog.getByRole("textbox", { name: "Overdue after days" });
  await user.clear(days);
  await user.type(days, "5");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await user.type(days, "0{Backspace}");
  letGo();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("left while it is saved closes no other dialog", async () => {
  keepDesk(aDeskDemo());
  answerCall("patch", "/api/admin/desk/settings", { overdue_days: 5, hides_decision: true });
  const letGo = holdCall("patch", "/api/admin/desk/settings");
  const { user } = await openDesk();
  await user.click(await screen.findByRole("button", { name: "Settings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
  const days = dialog.getByRole("textbox", { name: "Overdue after days" });
  await user.clear(days);
  await user.type(days, "5");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Leave Without Saving" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Letters" }));
  const letters = within(await screen.findByRole("dialog", { name: "Letters" }));
  const card = within(await letters.findByRole("form", { name: "Declined" }));
  await user.type(card.getByRole("textbox", { name: "Subject" }), "!");
  letGo();
  await new Promise((wake) => setTimeout(wake, 100));
  expect(screen.queryByRole("dialog", { name: "Letters" })).not.toBeNull();
});

it.each([
  [
    "says that nothing is saved where the server fails",
    500,
    "That did not work. Nothing was saved.",
  ],
  [
    "says that it may be saved where no answer came",
    504,
    "The server did not answer. It may be saved: look before you try again.",
  ],
])("%s", async (_, status, said) => {
  keepDesk(aDeskDemo());
  refuseCall("patch", "/api/admin/desk/settings", status, { code: "internal" });
  const { user } = await openDesk();
  await user.click(await screen.findByRole("button", { name: "Settings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(said)).toBeTruthy();
});
