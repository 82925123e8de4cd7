import type { QueryClient } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { loadRules } from "../../../rules/rules.ts";
import { sessionQuery } from "../../../session/sessionQuery.ts";
import { answerCall, breakCall, holdCall, refuseCall, seeAs } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { aMember, VISITOR } from "../../../testing/people.ts";
import {
  aProfile,
  MFA_OK,
  MFA_SECRET,
  openProfileTo,
  THIS_SESSION,
} from "../../../testing/profile.ts";
import { renderPath } from "../../../testing/renderPath.tsx";
import { expectToast } from "../../../testing/toast.ts";

const CODES = Array.from({ length: 10 }, (_, index) => `AAAAA-0000${index}`);

describe("multi-factor authentication", () => {
  async function setUp() {
    // A test types faster than the rules load, and they refuse short codes.
    await loadRules();
    openProfileTo();
    answerCall("post", "/api/auth/mfa-operations", MFA_SECRET);
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "Enable MFA" }));
    const field = await screen.findByLabelText<HTMLInputElement>("6-digit code");
    return { user, field };
  }

  it("is set up with a picture, a key and the first code, then shows the recovery codes once", async () => {
    const { user, field } = await setUp();
    const picture = await screen.findByRole("img", { name: "QR code for your authenticator app" });
    expect(picture.querySelectorAll("path")).toHaveLength(1);
    expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeTruthy();
    const key = screen.getByRole("button", { name: "Verify and enable" });
    expect(key.hasAttribute("disabled")).toBe(true);
    await user.type(field, "12345{Enter}");
    expect(await screen.findByText("Please enter a 6-digit code")).toBeTruthy();
    const heard = answerCall("post", "/api/auth/mfa-operations", {
      ...MFA_OK,
      recovery_codes: CODES,
    });
    await user.type(field, "6");
    expect(key.hasAttribute("disabled")).toBe(false);
    await user.click(key);
    await expectToast("MFA Enabled");
    expect(heard[0]?.body).toMatchObject({
      action: "enable_mfa",
      mfaSecret: "JBSWY3DPEHPK3PXP",
      totpCode: "123456",
    });
    for (const code of CODES) expect(screen.getByText(code)).toBeTruthy();
    const done = screen.getByRole("button", { name: "Done" });
    expect(done.hasAttribute("disabled")).toBe(true);
    await user.click(screen.getByRole("checkbox", { name: "I have kept these codes" }));
    // A late answer would swap the buttons, and take the focus from where the person is by then.
    const release = holdCall("get", "/api/profile");
    await user.click(done);
    const disable = await screen.findByRole("button", { name: "Disable MFA" });
    expect(document.activeElement).toBe(disable);
    expect(screen.queryByText("AAAAA-00000")).toBeNull();
    expect(screen.getByText("10")).toBeTruthy();
    release();
  });

  it("asks before codes that nobody has kept leave the screen, by a link and by LOGOUT", async () => {
    const { user, field } = await setUp();
    answerCall("post", "/api/auth/mfa-operations", { ...MFA_OK, recovery_codes: CODES });
    const signedOut = answerCall("post", "/api/auth/sign-out", {});
    await user.type(field, "123456{Enter}");
    await screen.findByText("AAAAA-00000");
    const menu = screen.getByRole("navigation", { name: "Main" });
    await user.click(within(menu).getByRole("link", { name: "STORE" }));
    const question = await screen.findByRole("alertdialog");
    expect(within(question).getByText(/Your recovery codes are shown only now/)).toBeTruthy();
    await user.click(within(question).getByRole("button", { name: "Keep Editing" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Account menu" }));
    await user.click(screen.getByRole("button", { name: "LOGOUT" }));
    expect(await screen.findByRole("alertdialog")).toBeTruthy();
    expect(signedOut).toEqual([]);
    expect(screen.getByText("AAAAA-00000")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Leave Without Saving" }));
    await waitFor(() => expect(signedOut).toHaveLength(1));
  });

  it("asks also while codes are on their way", async () => {
    const { user, field } = await setUp();
    answerCall("post", "/api/auth/mfa-operations", { ...MFA_OK, recovery_codes: CODES });
    const release = holdCall("post", "/api/auth/mfa-operations");
    await user.type(field, "123456{Enter}");
    await screen.findByText("Verifying...");
    const menu = screen.getByRole("navigation", { name: "Main" });
    await user.click(within(menu).getByRole("link", { name: "STORE" }));
    const question = await screen.findByRole("alertdialog");
    release();
    await screen.findByText("AAAAA-00000");
    await user.click(within(question).getByRole("button", { name: "Keep Editing" }));
    expect(screen.getByText("AAAAA-00000")).toBeTruthy();
  });

  it("is replaced where a recovery code opened the session, in one step", async () => {
    openProfileTo(
      aProfile({ mfa_enabled: true, can_replace_authenticator: true, recovery_codes_left: 9 }),
    );
    const asked = answerCall("post", "/api/auth/mfa-operations", MFA_SECRET);
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "Replace authenticator" }));
    const field = await screen.findByLabelText("6-digit code");
    expect(asked[0]?.body).toMatchObject({ action: "generate_secret" });
    const heard = answerCall("post", "/api/auth/mfa-operations", {
      ...MFA_OK,
      recovery_codes: CODES,
    });
    await user.type(field, "123456");
    await user.click(screen.getByRole("button", { name: "Verify and replace" }));
    await expectToast("Authenticator replaced");
    expect(heard[0]?.body).toMatchObject({ action: "enable_mfa", totpCode: "123456" });
    expect(screen.getByText("AAAAA-00000")).toBeTruthy();
  });

  it("is not replaced in any other session", async () => {
    openProfileTo(aProfile({ mfa_enabled: true, recovery_codes_left: 9 }));
    renderPath("/profile");
    expect(await screen.findByRole("button", { name: "Disable MFA" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Replace authenticator" })).toBeNull();
    // People who lost their phone find the way here.
    expect(screen.getByText(/^Phone lost\?/).textContent).toContain("recovery code");
  });

  it("copies the key and says so", async () => {
    const { user } = await setUp();
    await user.click(screen.getByRole("button", { name: "Copy key" }));
    expect(await screen.findByText("Copied")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe("JBSWY3DPEHPK3PXP");
  });

  it("shows the key to be copied by hand where the browser lets nobody copy", async () => {
    const { user } = await setUp();
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("refused"));
    await user.click(screen.getByRole("button", { name: "Copy key" }));
    expect(await screen.findByText(/did not let this page copy/)).toBeTruthy();
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Copy key" });
    expect(field.value).toBe("JBSWY3DPEHPK3PXP");
    expect(document.activeElement === field).toBe(true);
  });

  it("shows what is wrong with a code", async () => {
    const { user, field } = await setUp();
    const message = "That code doesn't look right. Please check and try again.";
    const wrong = { ...MFA_OK, status: "error", code: "invalid_otp", message };
    answerCall("post", "/api/auth/mfa-operations", wrong, 422);
    await user.type(field, "123456{Enter}");
    expect(await screen.findByText(message)).toBeTruthy();
  });

  it.each([
    [500, "", "Failed to generate secret"],
    [401, "Session expired", "Not authenticated"],
  ])("that cannot be begun (%i) says why", async (status, message, shown) => {
    openProfileTo();
    const failed = { ...MFA_OK, status: "error", code: "internal", message };
    answerCall("post", "/api/auth/mfa-operations", failed, status);
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "Enable MFA" }));
    expect(await screen.findByText(shown)).toBeTruthy();
  });

  it("is given up by a code", async () => {
    openProfileTo(aProfile({ mfa_enabled: true, recovery_codes_left: 7 }));
    const { user } = renderPath("/profile");
    expect(await screen.findByText("7")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Disable MFA" }));
    const key = screen.getByRole("button", { name: "Disable MFA" });
    expect(key.hasAttribute("disabled")).toBe(true);
    breakCall("post", "/api/auth/mfa-operations");
    await user.type(screen.getByLabelText("6-digit code"), "654321{Enter}");
    expect(await screen.findByText(/^Failed to disable MFA.+may have been done/)).toBeTruthy();
    const heard = answerCall("post", "/api/auth/mfa-operations", MFA_OK);
    const release = holdCall("get", "/api/profile");
    await user.type(screen.getByLabelText("6-digit code"), "{Enter}");
    await expectToast("MFA Disabled");
    expect(heard[0]?.body).toMatchObject({ action: "disable_mfa", totpCode: "654321" });
    const enable = await screen.findByRole("button", { name: "Enable MFA" });
    expect(document.activeElement).toBe(enable);
    release();
  });

  it("gives new recovery codes for a code", async () => {
    openProfileTo(aProfile({ mfa_enabled: true, recovery_codes_left: 1 }));
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "New recovery codes" }));
    answerCall("post", "/api/auth/mfa-operations", { ...MFA_OK, recovery_codes: CODES });
    await user.type(screen.getByLabelText("6-digit code"), "654321");
    await user.click(screen.getByRole("button", { name: "Show new codes" }));
    expect(await screen.findByText("AAAAA-00009")).toBeTruthy();
  });

  it.each(["New recovery codes", "Disable MFA"])("gives the focus back to %s", async (name) => {
    openProfileTo(aProfile({ mfa_enabled: true, recovery_codes_left: 1 }));
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name }));
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(document.activeElement).toBe(await screen.findByRole("button", { name }));
  });
});

describe("sessions", () => {
  const OTHER = {
    ...THIS_SESSION,
    id: "s-other",
    user_agent: "Safari on iOS",
    network: "2001:db8:12::/48",
    current: false,
  };

  it("are listed with this one marked, and ended one by one", async () => {
    openProfileTo();
    answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION, OTHER], next_cursor: null });
    const heard = answerCall("delete", "/api/auth/sessions/s-other", null, 204);
    const { user } = renderPath("/profile");
    const key = await screen.findByRole("button", { name: "Sign out Safari on iOS" });
    expect(screen.getAllByText("THIS BROWSER")).toHaveLength(1);
    const times = screen.getAllByText(/^\d{4}\.\d{2}\.\d{2} \d{2}:\d{2}$/);
    expect(times.map(({ tagName }) => tagName)).toEqual(["TIME", "TIME", "TIME", "TIME"]);
    answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION], next_cursor: null });
    await user.click(key);
    await waitFor(() => expect(screen.queryAllByText("Safari on iOS")).toEqual([]));
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "SESSIONS" }));
    expect(heard).toHaveLength(1);
  });

  it("that a new password has ended are not listed any more", async () => {
    openProfileTo();
    answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION, OTHER], next_cursor: null });
    answerCall("put", "/api/auth/password", aMember());
    const { user } = renderPath("/profile");
    await screen.findByRole("button", { name: "Sign out Safari on iOS" });
    answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION], next_cursor: null });
    await user.type(screen.getByLabelText("New Password"), "long enough");
    await user.type(screen.getByLabelText("Confirm Password"), "long enough");
    await user.click(screen.getByRole("button", { name: "Update Password" }));
    await expectToast("PASSWORD UPDATED");
    await waitFor(() => expect(screen.queryAllByText("Safari on iOS")).toEqual([]));
  });

  it("that have ended by themselves are no failure to end", async () => {
    openProfileTo();
    answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION, OTHER], next_cursor: null });
    refuseCall("delete", "/api/auth/sessions/s-other", 404, { code: "not_found" });
    const { user } = renderPath("/profile");
    const key = await screen.findByRole("button", { name: "Sign out Safari on iOS" });
    answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION], next_cursor: null });
    await user.click(key);
    await waitFor(() => expect(screen.queryAllByText("Safari on iOS")).toEqual([]));
    expect(screen.queryByText("UPDATE FAILED")).toBeNull();
  });

  it("of this browser are ended by signing out", async () => {
    openProfileTo();
    const heard = answerCall("post", "/api/auth/sign-out", {});
    const { user, router } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "Sign out Firefox on Linux" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(heard).toHaveLength(1);
  });
});

describe("the end of the account", () => {
  const path = "/api/auth/account";
  async function terminate() {
    openProfileTo();
    const { user, router, client } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "Delete Account" }));
    return { user, router, client };
  }
  function givePassword(client: QueryClient): void {
    const given = { reauthenticated_until: "2999-01-01T00:00:00Z" };
    client.setQueryData(
      sessionQuery.queryKey,
      (held) => held && { ...held, session: held.session && { ...held.session, ...given } },
    );
  }

  it("takes two steps and leads home", async () => {
    const heard = answerCall("delete", "/api/auth/account", null, 204);
    const { user, router } = await terminate();
    expect(heard).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await expectToast("ACCOUNT TERMINATED");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(heard).toHaveLength(1);
  });

  it("is no news to its person, though the live stream tells of the sessions' end first", async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user, router, client } = await terminate();
    server.use(
      http.delete("*/api/auth/account", async () => {
        await answered;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    seeAs(VISITOR);
    await act(() => client.refetchQueries({ queryKey: ["/api/auth/session"] }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(router.state.location.search).toEqual({});
    answer();
    await expectToast("ACCOUNT TERMINATED");
    await waitFor(() => expect(router.state.location.href).toBe("/"));
    expect(screen.queryByText("Session expired. Please sign in again.")).toBeNull();
  });

  it("is known though its answer is lost, if the password was given", async () => {
    const { user, router, client } = await terminate();
    givePassword(client);
    server.use(
      http.delete("*/api/auth/account", () => {
        seeAs(VISITOR);
        return HttpResponse.error();
      }),
    );
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await expectToast("ACCOUNT TERMINATED");
    await waitFor(() => expect(router.state.location.href).toBe("/"));
    expect(screen.queryByText("Session expired. Please sign in again.")).toBeNull();
  });

  it("is known where a proxy loses its answer after the session's end was read", async () => {
    const { user, client } = await terminate();
    givePassword(client);
    server.use(
      http.delete("*/api/auth/account", async () => {
        seeAs(VISITOR);
        await client.refetchQueries({ queryKey: sessionQuery.queryKey });
        return new HttpResponse(null, { status: 504 });
      }),
    );
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await expectToast("ACCOUNT TERMINATED");
  });

  it("is not believed of a session that ended without the password", async () => {
    const { user } = await terminate();
    server.use(
      http.delete("*/api/auth/account", () => {
        seeAs(VISITOR);
        return HttpResponse.error();
      }),
    );
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await expectToast("TERMINATION FAILED");
  });

  it("is called off by Cancel", async () => {
    const { user } = await terminate();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByRole("button", { name: "Delete Account" })).toBeTruthy();
  });

  it("is called off by Escape, and the focus goes back", async () => {
    const heard = answerCall("delete", "/api/auth/account", null, 204);
    const { user } = await terminate();
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Delete Account" }));
    expect(heard).toEqual([]);
  });

  it.each([
    ["the server refuses", () => refuseCall("delete", path, 409, { code: "last_admin" })],
    ["does not reach the server", () => breakCall("delete", path)],
  ])("that %s says so, and nothing is lost", async (_, fail) => {
    fail();
    const { user, router } = await terminate();
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await expectToast("TERMINATION FAILED");
    await expectToast("Could not delete account. Please try again.");
    expect(router.state.location.pathname).toBe("/profile");
  });
});
