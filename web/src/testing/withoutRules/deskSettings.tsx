// The settings of the desk without the rules.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerCall, refuseCall } from "../calls.ts";
import { keepDesk } from "../desk.ts";
import { fakePlayers, openDesk } from "../deskScreen.tsx";
import { fill, invalid, REFUSED, saysAt } from "./screen.ts";

it("without the rules the days of the desk's settings are the server's to judge", async () => {
  fakePlayers();
  keepDesk();
  const path = "/api/admin/desk/settings";
  const taken = answerCall("patch", path, { overdue_days: 9, hides_decision: true });
  const refused = refuseCall("patch", path, 422, invalid({ overdue_days: REFUSED }), {
    once: true,
  });
  const { user } = await openDesk();
  await user.click(await screen.findByRole("button", { name: "Settings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Desk Settings" }));
  const days = dialog.getByRole("textbox", { name: "Overdue after days" });
  await fill(user, days, "nine");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await saysAt(days, REFUSED);
  // Not a number, sent as one the server refuses.
  expect(refused[0]?.body).toMatchObject({ overdue_days: -1 });
  await fill(user, days, "9");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(taken[0]?.body).toMatchObject({ overdue_days: 9 }));
});
