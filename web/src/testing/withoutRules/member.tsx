// A member's changes without the rules.
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { MESSAGES } from "../../rules/generated/messages.ts";
import { answerCall, refuseCall } from "../calls.ts";
import { aMember } from "../people.ts";
import { answerChange, aProfile, MFA_OK, MFA_SECRET, openProfileTo } from "../profile.ts";
import { renderPath } from "../renderPath.tsx";
import { aFile, fill, invalid, REFUSED, says, saysAt, toast } from "./screen.ts";

describe("a member", () => {
  async function open(profile = aProfile()) {
    openProfileTo(profile);
    const app = renderPath("/profile");
    await screen.findByRole("heading", { name: "IDENTITY" });
    return app;
  }

  it("takes another name", async () => {
    const { user } = await open();
    answerCall("post", "/api/profile/username-check", { available: true });
    await user.click(screen.getByRole("button", { name: "Edit username" }));
    const field = screen.getByRole("textbox", { name: "Username" });
    refuseCall("patch", "/api/profile", 422, invalid({ username: REFUSED }));
    await fill(user, field, "m");
    await user.keyboard("{Enter}");
    await saysAt(field, REFUSED);
    await toast(MESSAGES.validation_error.title, REFUSED);
    answerChange("patch", "/api/profile", aProfile({ username: "mira-404" }));
    await fill(user, field, "mira-404");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.username_updated.title);
    expect(screen.getByText("mira-404")).toBeTruthy();
  });

  it("takes another address, with the password once more", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Edit email" }));
    const field = screen.getByRole("textbox", { name: "Email" });
    refuseCall("post", "/api/auth/email-change", 422, invalid({ email: REFUSED }));
    await fill(user, field, "nowhere");
    await user.keyboard("{Enter}");
    await saysAt(field, REFUSED);
    await toast(MESSAGES.validation_error.title, REFUSED);
    refuseCall("post", "/api/auth/email-change", 403, { code: "reauthentication_needed" });
    await fill(user, field, "new@example.org");
    await user.keyboard("{Enter}");
    const question = within(await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" }));
    refuseCall("post", "/api/auth/reauthenticate", 401, {
      code: "invalid_credentials",
      detail: REFUSED,
    });
    await fill(user, question.getByLabelText("Password"), "a guess");
    await user.keyboard("{Enter}");
    expect(await question.findByText(REFUSED)).toBeTruthy();
    answerCall("post", "/api/auth/reauthenticate", aMember());
    answerCall("post", "/api/auth/email-change", {});
    await fill(user, question.getByLabelText("Password"), "a password");
    await user.keyboard("{Enter}");
    await says("email_update_initiated");
  });

  it("takes another password", async () => {
    const { user } = await open();
    refuseCall("put", "/api/auth/password", 422, invalid({ confirm_password: REFUSED }));
    const [first, second] = [
      screen.getByLabelText("New Password"),
      screen.getByLabelText("Confirm Password"),
    ];
    await fill(user, first, "eight888");
    await fill(user, second, "nine99999");
    await user.keyboard("{Enter}");
    await saysAt(second, REFUSED);
    await toast(MESSAGES.security_error.title, REFUSED);
    answerCall("put", "/api/auth/password", aMember());
    await fill(user, second, "eight888");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.password_updated.title);
  });

  it("takes another picture, and none", async () => {
    const { user } = await open();
    const input = screen.getByLabelText<HTMLInputElement>("Avatar file");
    refuseCall("post", "/api/profile/avatar", 422, invalid({ file: REFUSED }));
    await user.upload(input, aFile("me.png"));
    await toast(MESSAGES.avatar_failed.title, REFUSED);
    answerChange("post", "/api/profile/avatar", aProfile({ avatar_url: "/media/avatars/a.jpg" }));
    await user.upload(input, aFile("me.png"));
    await toast(MESSAGES.avatar_updated.title);
    answerChange("delete", "/api/profile/avatar", aProfile());
    await user.click(await screen.findByRole("button", { name: "Remove Avatar" }));
    await toast(MESSAGES.avatar_removed.title);
  });

  it("sets up the second factor", async () => {
    const { user } = await open();
    answerCall("post", "/api/auth/mfa-operations", MFA_SECRET);
    await user.click(screen.getByRole("button", { name: "Enable MFA" }));
    const field = await screen.findByLabelText("6-digit code");
    const wrong = { ...MFA_OK, status: "error", code: "invalid_otp", message: REFUSED };
    answerCall("post", "/api/auth/mfa-operations", wrong, 422);
    await fill(user, field, "123456");
    await user.keyboard("{Enter}");
    expect(await screen.findByText(REFUSED)).toBeTruthy();
    answerCall("post", "/api/auth/mfa-operations", { ...MFA_OK, recovery_codes: ["AAAAA-00001"] });
    await fill(user, field, "654321");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.mfa_enabled.title);
    expect(screen.getByText("AAAAA-00001")).toBeTruthy();
  });

  it("ends the account, or not", async () => {
    const { user, router } = await open();
    await user.click(screen.getByRole("button", { name: "Delete Account" }));
    refuseCall("delete", "/api/auth/account", 500, { code: "internal" });
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await says("termination_failed");
    answerCall("delete", "/api/auth/account", {});
    await user.click(screen.getByRole("button", { name: "Delete Account" }));
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });
});
