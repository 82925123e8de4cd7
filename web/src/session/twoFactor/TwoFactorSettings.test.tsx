import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answerCall } from "../../testing/calls.ts";
import { aProfile, openProfileTo } from "../../testing/profile.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { type Profile, profileQuery } from "../profileQuery.ts";

const OFF = aProfile();
const ON = aProfile({ mfa_enabled: true, recovery_codes_left: 9 });
const BY_RECOVERY_CODE = { ...ON, can_replace_authenticator: true };
const SECRET = {
  status: "ok",
  code: "ok",
  message: "",
  request_id: "r",
  secret: "JBSWY3DPEHPK3PXP",
  qrCodeUrl: "otpauth://totp/label:mira?secret=JBSWY3DPEHPK3PXP&issuer=label",
  manualEntryKey: "JBSW Y3DP EHPK 3PXP",
};

async function open(profile: Profile) {
  openProfileTo(profile);
  answerCall("post", "/api/auth/mfa-operations", SECRET);
  const { user, client } = renderPath("/profile");
  const read = async (next: Profile) => {
    answerCall("get", "/api/profile", next);
    await act(() => client.refetchQueries({ queryKey: profileQuery.queryKey }));
  };
  const press = async (name: string) => user.click(await screen.findByRole("button", { name }));
  return { user, read, press };
}

describe("a read that changes the second factor's state after a closed pane", () => {
  it.each([
    ["in another tab to on", "Enable MFA", OFF, ON, "Disable MFA"],
    ["in another tab to off", "Disable MFA", ON, OFF, "Enable MFA"],
    ["so that it cannot be replaced", "Replace authenticator", BY_RECOVERY_CODE, ON, "Disable MFA"],
  ])("%s leaves the focus where it is", async (_, opener, before, after, shown) => {
    const { user, read, press } = await open(before);
    await press(opener);
    await press("Cancel");
    expect(document.activeElement).toBe(await screen.findByRole("button", { name: opener }));
    const field = screen.getByLabelText("New Password");
    await user.click(field);
    await read(after);
    expect(await screen.findByRole("button", { name: shown })).toBeTruthy();
    expect(document.activeElement).toBe(field);
  });

  it("takes no focus from the page itself", async () => {
    const { user, read, press } = await open(OFF);
    await press("Enable MFA");
    await press("Cancel");
    await user.click(document.body);
    await read(ON);
    expect(await screen.findByRole("button", { name: "Disable MFA" })).toBeTruthy();
    expect(document.activeElement).toBe(document.body);
  });
});
