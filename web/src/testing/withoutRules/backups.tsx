// An admin's backups without the rules.
import { screen } from "@testing-library/react";
import { describe, it } from "vitest";
import { openTab } from "../backOffice.ts";
import { answerCall, refuseCall } from "../calls.ts";
import { aProfile } from "../profile.ts";
import { fill, invalid, REFUSED, saysAt } from "./screen.ts";

describe("an admin and the backups", () => {
  it("sets how many backups are kept", async () => {
    answerCall("get", "/api/profile", aProfile());
    answerCall("get", "/api/admin/security/checklist", { items: [] });
    refuseCall("put", "/api/admin/backups/settings", 422, invalid({ keep_days: REFUSED }));
    const { user } = openTab("security");
    await user.click(await screen.findByRole("button", { name: "HOW OFTEN, AND HOW MANY" }));
    const days = screen.getByLabelText<HTMLInputElement>("Days");
    await fill(user, days, "0");
    await user.click(screen.getByRole("button", { name: "SAVE" }));
    await saysAt(days, REFUSED);
  });
});
