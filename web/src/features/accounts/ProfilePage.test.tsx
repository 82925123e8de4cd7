import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signupState, updateSignupState } from "../../session/signupState.ts";
import { answerCall, breakCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { aMember, aPendingMember, VISITOR } from "../../testing/people.ts";
import { aProfile, openProfileTo } from "../../testing/profile.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { expectToast } from "../../testing/toast.ts";
import type { LinkView } from "./link/LinkQuestion.tsx";
import { dropMailedLink } from "./mailedLink.ts";

afterEach(dropMailedLink);

/** Sets the preview of the link; by default this browser asked for it. */
function seeLink(changes: Partial<LinkView> = {}) {
  return answerCall("post", "/api/auth/link", {
    type: "recovery",
    used: false,
    email: "m***@example.org",
    asked_here: true,
    signed_in_as_other: false,
    ...changes,
  });
}

describe("who may open the profile", () => {
  it("is not a visitor: they are led home", async () => {
    const { router } = renderPath("/profile");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it("is a member, who sees every section", async () => {
    openProfileTo();
    renderPath("/profile");
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
    const sections = [
      "IDENTITY",
      "PASSWORD",
      "MULTI-FACTOR AUTHENTICATION",
      "AVATAR",
      "EMAIL CONFIGURATION",
      "SESSIONS",
      "DANGER ZONE",
    ];
    const shown = screen.getAllByRole("heading").map((heading) => heading.textContent ?? "");
    expect(shown.filter((name) => sections.includes(name))).toEqual(sections);
    expect(screen.getByText("November 2026")).toBeTruthy();
    expect(screen.getAllByText("mira@example.org").length).toBeGreaterThan(0);
  });

  it("is asked for the second factor first, where it is still to be given", async () => {
    seeAs(aPendingMember());
    renderPath("/profile");
    expect(await screen.findByRole("heading", { name: "Two-Factor Authentication" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "IDENTITY" })).toBeNull();
  });

  it("gets a missing profile made anew", async () => {
    openProfileTo();
    refuseCall("get", "/api/profile", 404, { code: "profile_missing" });
    const heard = answerCall("post", "/api/profile", aProfile({ username: "mira2" }));
    renderPath("/profile");
    expect(await screen.findByText("mira2")).toBeTruthy();
    expect(heard).toHaveLength(1);
  });

  it("says so when even that fails", async () => {
    openProfileTo();
    refuseCall("get", "/api/profile", 404, { code: "profile_missing" });
    refuseCall("post", "/api/profile", 409, { code: "conflict" });
    renderPath("/profile");
    await expectToast("PROFILE ERROR");
    await expectToast("Profile not properly loaded. Please refresh the page.");
  });

  it("says so after three failed tries, and the page opens by itself once one does", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    openProfileTo();
    const heard = refuseCall("get", "/api/profile", 500, { code: "internal" });
    renderPath("/profile");
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(screen.queryByText("PROFILE ERROR")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(3_500));
    expect(heard).toHaveLength(3);
    await expectToast("PROFILE ERROR");
    await expectToast("Profile not properly loaded. Please refresh the page.");
    answerCall("get", "/api/profile", aProfile());
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
    vi.useRealTimers();
  });
});

describe("a mailed link that a reload has forgotten", () => {
  it.each([
    ["recovery", "NEW PASSWORD"],
    ["email_change", "NEW ADDRESS"],
  ])("is asked for once more: %s", async (mailedLink, name) => {
    const { router } = renderPath("/");
    await act(() => router.navigate({ to: "/profile", state: { mailedLink } }));
    expect(await screen.findByRole("heading", { name, level: 1 })).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toContain("open the link in the mail once more");
    expect(router.state.location.pathname).toBe("/profile");
  });

  it("is no matter to whoever was here and has signed out", async () => {
    openProfileTo();
    const { router, client } = renderPath("/");
    await act(() => router.navigate({ to: "/profile", state: { mailedLink: "recovery" } }));
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
    answerCall("post", "/api/auth/sign-out", null, 204);
    seeAs(VISITOR);
    await act(() => client.setQueryData(["/api/auth/session"], VISITOR));
    await waitFor(() => expect(router.state.location.pathname).not.toBe("/profile"));
  });
});

describe("a reset link", () => {
  it("signs in, and has the new password at hand", async () => {
    openProfileTo();
    seeAs(VISITOR);
    seeLink();
    const heard = answerCall("post", "/api/auth/reset", aMember());
    const { router } = renderPath("/profile#type=recovery&token=abc");
    const field = await screen.findByLabelText("New Password");
    expect(document.activeElement).toBe(field);
    expect(router.state.location.href).toBe("/profile");
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });

  it("forgets a sign-up that was begun in this browser", async () => {
    openProfileTo();
    seeAs(VISITOR);
    seeLink();
    answerCall("post", "/api/auth/reset", aMember());
    updateSignupState({ email: "mira@example.org", username: "mira", success: true });
    renderPath("/profile#type=recovery&token=abc");
    await screen.findByLabelText("New Password");
    expect(signupState()).toMatchObject({ email: "", username: "", success: false });
  });

  it("signs in only after the sign-out that the server is owed", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    localStorage.setItem("deadwax.sign-out-owed", "true");
    breakCall("post", "/api/auth/sign-out");
    seeLink();
    const heard = answerCall("post", "/api/auth/reset", aMember());
    renderPath("/profile#type=recovery&token=abc");
    expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
    expect(heard).toEqual([]);
    localStorage.clear();
  });

  it("in a browser that did not ask for it waits for a key", async () => {
    openProfileTo();
    seeAs(VISITOR);
    seeLink({ asked_here: false });
    const heard = answerCall("post", "/api/auth/reset", aMember());
    const { user, router } = renderPath("/profile#type=recovery&token=abc");
    const key = await screen.findByRole("button", { name: "Set a new password" });
    expect(screen.getByText("m***@example.org")).toBeTruthy();
    expect(screen.queryByText(/You are signed in here/)).toBeNull();
    expect(router.state.location.pathname).toBe("/profile");
    expect(heard).toEqual([]);
    await user.click(key);
    expect(await screen.findByLabelText("New Password")).toBeTruthy();
    expect(heard).toHaveLength(1);
  });

  it("asks first where somebody else is signed in, though this browser asked for it", async () => {
    openProfileTo();
    seeLink({ signed_in_as_other: true });
    const heard = answerCall("post", "/api/auth/reset", aMember());
    renderPath("/profile#type=recovery&token=abc");
    expect(await screen.findByRole("button", { name: "Set a new password" })).toBeTruthy();
    expect(await screen.findByText("mira@example.org")).toBeTruthy();
    expect(screen.getByText(/Going on signs that account out here/)).toBeTruthy();
    expect(heard).toEqual([]);
  });

  it("no longer asks for the new password once that is set", async () => {
    openProfileTo();
    seeAs(VISITOR);
    seeLink();
    answerCall("post", "/api/auth/reset", aMember());
    answerCall("put", "/api/auth/password", aMember());
    const { user } = renderPath("/profile#type=recovery&token=abc");
    await user.type(await screen.findByLabelText("New Password"), "a new password");
    expect(screen.getByText(/Choose the new password now/)).toBeTruthy();
    await user.type(screen.getByLabelText("Confirm Password"), "a new password{Enter}");
    await expectToast("PASSWORD UPDATED");
    await waitFor(() => expect(screen.queryByText(/Choose the new password now/)).toBeNull());
  });

  it("that was opened too long ago does not ask for the forgotten password, and says how to get another", async () => {
    openProfileTo();
    seeAs(VISITOR);
    seeLink();
    answerCall("post", "/api/auth/reset", aMember());
    refuseCall("put", "/api/auth/password", 403, { code: "reauthentication_needed" });
    const { user } = renderPath("/profile#type=recovery&token=abc");
    await user.type(await screen.findByLabelText("New Password"), "a new password");
    await user.type(screen.getByLabelText("Confirm Password"), "a new password{Enter}");
    expect(await screen.findByText(/Log out and use LOGIN, then Forgot password\?/)).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("does not pass the second factor", async () => {
    seeAs(VISITOR);
    seeLink();
    answerCall("post", "/api/auth/reset", aPendingMember());
    renderPath("/profile#type=recovery&token=abc");
    expect(await screen.findByRole("heading", { name: "Two-Factor Authentication" })).toBeTruthy();
  });

  it("that is no good leads home and says so", async () => {
    refuseCall("post", "/api/auth/link", 422, {
      code: "otp_expired",
      detail: "This reset link has expired.",
    });
    const { router } = renderPath("/profile#type=recovery&token=abc");
    await expectToast("This reset link has expired.");
    expect(screen.queryByText(/your account has its new address/)).toBeNull();
    expect(router.state.location.href).toBe("/");
  });

  it("without an answer stays, and can be tried again", async () => {
    openProfileTo();
    seeAs(VISITOR);
    breakCall("post", "/api/auth/link");
    const { user, router } = renderPath("/profile#type=recovery&token=abc");
    expect(await screen.findByText("An unexpected error occurred")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/profile");
    seeLink();
    const heard = answerCall("post", "/api/auth/reset", aMember());
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByLabelText("New Password")).toBeTruthy();
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });
});

describe("the link to a new address", () => {
  it("waits for a key elsewhere, and says there what the account has now", async () => {
    seeAs(VISITOR);
    seeLink({ type: "email_change", email: "n***@example.org", asked_here: false });
    const heard = answerCall("post", "/api/auth/email-change/confirm", {
      email: "new@example.org",
    });
    const { user } = renderPath("/profile#type=email_change&token=abc");
    const key = await screen.findByRole("button", { name: "Use this address" });
    expect(heard).toEqual([]);
    await user.click(key);
    const message = await screen.findByText("Your account has the address new@example.org now.");
    // The pressed button is gone.
    await waitFor(() => expect(document.activeElement?.contains(message)).toBe(true));
    expect(document.activeElement).not.toBe(document.body);
    expect(heard).toHaveLength(1);
  });

  it("shows it on the profile", async () => {
    openProfileTo(aProfile({ email: "new@example.org" }));
    seeLink({ type: "email_change", email: "n***@example.org" });
    const heard = answerCall("post", "/api/auth/email-change/confirm", {
      email: "new@example.org",
    });
    renderPath("/profile#type=email_change&token=abc");
    expect((await screen.findAllByText("new@example.org")).length).toBeGreaterThan(0);
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });

  it.each([429, 500, 503])("can be tried again after status %i", async (status) => {
    openProfileTo();
    seeLink({ type: "email_change" });
    const path = "/api/auth/email-change/confirm";
    const refused = refuseCall("post", path, status, { code: "busy", detail: "Later, please." });
    const { user } = renderPath("/profile#type=email_change&token=abc");
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(() => expect(refused).toHaveLength(2));
    answerCall("post", path, { email: "new@example.org" });
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
  });

  it("that is no good leads home, a member too", async () => {
    openProfileTo();
    seeLink({ type: "email_change" });
    refuseCall("post", "/api/auth/email-change/confirm", 422, {
      code: "otp_expired",
      detail: "Invalid confirmation link or expired token",
    });
    const { router } = renderPath("/profile#type=email_change&token=abc");
    await expectToast("Invalid confirmation link or expired token");
    expect(router.state.location.href).toBe("/");
  });

  it("that was used by a call without an answer says what the account has if so", async () => {
    seeAs(VISITOR);
    seeLink({ type: "email_change" });
    breakCall("post", "/api/auth/email-change/confirm");
    const { user } = renderPath("/profile#type=email_change&token=abc");
    const key = await screen.findByRole("button", { name: "Try again" });
    refuseCall("post", "/api/auth/link", 422, {
      code: "otp_expired",
      detail: "Invalid confirmation link or expired token",
    });
    await user.click(key);
    await expectToast("If you used this link before, your account has its new address.");
  });
});
