import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { answerCall, seeAs } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { anAdmin, anUnprotectedAdmin } from "../../../testing/people.ts";
import { aProfile, MFA_OK, MFA_SECRET } from "../../../testing/profile.ts";
import { renderPath } from "../../../testing/renderPath.tsx";

const HEADING = "Two-factor authentication first";

describe("where every admin needs a second factor", () => {
  it("leads one who has none to its set-up, and asks for nothing of the dashboard", async () => {
    seeAs(anUnprotectedAdmin());
    answerCall("get", "/api/profile", aProfile());
    const { router } = renderPath("/admin/login");
    expect(await screen.findByRole("heading", { name: HEADING })).toBeTruthy();
    expect(router.state.location.pathname).toBe("/admin");
    expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
    expect(screen.queryByRole("tab")).toBeNull();
  });

  it("opens the dashboard when it is set up and the recovery codes are kept", async () => {
    seeAs(anUnprotectedAdmin());
    answerCall("get", "/api/profile", aProfile());
    server.use(
      http.post("*/api/auth/mfa-operations", async ({ request }) => {
        const { action } = (await request.json()) as { action: string };
        if (action === "generate_secret") return HttpResponse.json(MFA_SECRET);
        seeAs(anAdmin());
        return HttpResponse.json({ ...MFA_OK, recovery_codes: ["AAAA-BBBB", "CCCC-DDDD"] });
      }),
    );
    const { user } = renderPath("/admin");
    await user.click(await screen.findByRole("button", { name: "Enable MFA" }));
    await user.type(await screen.findByLabelText("6-digit code"), "123456{Enter}");
    // The session is verified, and the codes stay until the admin has saved them.
    expect(await screen.findByText("AAAA-BBBB")).toBeTruthy();
    expect(screen.queryByRole("tab")).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: "I have kept these codes" }));
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(await screen.findByRole("tab", { name: "Content" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: HEADING })).toBeNull();
  });
});
