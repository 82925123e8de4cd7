import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answerCall, holdCall } from "../../testing/calls.ts";
import {
  aProfile,
  loseChange,
  MFA_OK,
  MFA_SECRET,
  openProfileTo,
  THIS_SESSION,
} from "../../testing/profile.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { expectToast } from "../../testing/toast.ts";
import { type Profile, profileQuery } from "../profileQuery.ts";

const OFF = aProfile();
const ON = aProfile({ mfa_enabled: true, recovery_codes_left: 9 });
const BY_RECOVERY_CODE = { ...ON, can_replace_authenticator: true };

async function open(profile: Profile, sessions = [THIS_SESSION]) {
  openProfileTo(profile);
  answerCall("get", "/api/auth/sessions", { items: sessions, next_cursor: null });
  answerCall("post", "/api/auth/mfa-operations", MFA_SECRET);
  const { user, client } = renderPath("/profile");
  const read = async (next: Profile) => {
    answerCall("get", "/api/profile", next);
    await act(() => client.refetchQueries({ queryKey: profileQuery.queryKey }));
  };
  const press = async (name: string) => user.click(await screen.findByRole("button", { name }));
  return { user, client, read, press };
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

it("a session of a recovery code that disables the second factor has nothing to replace", async () => {
  const { user, press } = await open(BY_RECOVERY_CODE);
  await press("Disable MFA");
  answerCall("post", "/api/auth/mfa-operations", MFA_OK);
  const release = holdCall("get", "/api/profile");
  await user.type(screen.getByLabelText("6-digit code"), "654321{Enter}");
  await expectToast("MFA Disabled");
  expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
  expect(screen.queryByText(/You came in with a recovery code/)).toBeNull();
  release();
});

it("disabling keeps what was read while its code was on the way", async () => {
  const { user, read, press } = await open(ON);
  await press("Disable MFA");
  const field = screen.getByLabelText("6-digit code");
  await user.type(field, "654321");
  answerCall("post", "/api/auth/mfa-operations", MFA_OK);
  const answer = holdCall("post", "/api/auth/mfa-operations");
  await user.keyboard("{Enter}");
  await read({ ...ON, pending_email: "new@example.org" });
  const release = holdCall("get", "/api/profile");
  answer();
  expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
  expect(screen.getByText("new@example.org")).toBeTruthy();
  release();
});

it.each([
  ["turned on", OFF, "Enable MFA"],
  ["replaced", BY_RECOVERY_CODE, "Replace authenticator"],
  ["turned off", ON, "Disable MFA"],
])(
  "sessions that a second factor has ended when it was %s are not listed any more",
  async (_, profile, opener) => {
    const other = { ...THIS_SESSION, id: "s-other", user_agent: "Safari on iOS", current: false };
    const { user, press } = await open(profile, [THIS_SESSION, other]);
    await press(opener);
    const field = await screen.findByLabelText("6-digit code");
    await screen.findByRole("button", { name: "Sign out Safari on iOS" });
    answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION], next_cursor: null });
    answerCall("post", "/api/auth/mfa-operations", { ...MFA_OK, recovery_codes: ["AAAAA-00000"] });
    await user.type(field, "123456{Enter}");
    await waitFor(() => expect(screen.queryAllByText("Safari on iOS")).toEqual([]));
  },
);

it("a set-up stays the one that was opened, though its lost answer has enabled it", async () => {
  const { user, client, press } = await open(OFF);
  await press("Enable MFA");
  loseChange("post", "/api/auth/mfa-operations", ON);
  await user.type(await screen.findByLabelText("6-digit code"), "123456{Enter}");
  expect(await screen.findByText(/It may have been done/)).toBeTruthy();
  await waitFor(() => expect(client.getQueryData(profileQuery.queryKey)).toEqual(ON));
  await press("Verify and enable");
  expect(screen.queryByText(/count no more/)).toBeNull();
  await press("Cancel");
  expect(await screen.findByRole("button", { name: "Disable MFA" })).toBeTruthy();
});
