import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answerCall, breakCall, holdCall, refuseCall } from "../../../testing/calls.ts";
import { aMember } from "../../../testing/people.ts";
import {
  answerChange,
  aProfile,
  loseChange,
  MFA_OK,
  openProfileTo,
} from "../../../testing/profile.ts";
import { renderPath } from "../../../testing/renderPath.tsx";
import { expectOneAlert, expectToast } from "../../../testing/toast.ts";

async function edit(name: "username" | "email", value: string) {
  const { user } = renderPath("/profile");
  await user.click(await screen.findByRole("button", { name: `Edit ${name}` }));
  const field = screen.getByRole("textbox", { name: name === "email" ? "Email" : "Username" });
  await user.clear(field);
  if (value) await user.type(field, value);
  return { user, field };
}

const save = () => screen.getByRole("button", { name: "Save" });

describe("the username", () => {
  it("tells while it is typed whether it is free", async () => {
    openProfileTo();
    const heard = answerCall("post", "/api/profile/username-check", { available: true });
    const { user, field } = await edit("username", "mira_404");
    expect(await screen.findByText("This username is available.")).toBeTruthy();
    expect(heard.at(-1)?.body).toEqual({ username: "mira_404" });
    answerCall("post", "/api/profile/username-check", { available: false });
    await user.type(field, "5");
    expect(await screen.findByText("This username is taken.")).toBeTruthy();
  });

  it("tells nothing where the server does not say whether it is free", async () => {
    openProfileTo();
    const heard = refuseCall("post", "/api/profile/username-check", 429, { code: "rate_limited" });
    await edit("username", "mira_404");
    await waitFor(() => expect(heard).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText("Checking...")).toBeNull(), { timeout: 1_000 });
  });

  it("is saved, and shown from then on", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    const heard = answerChange("patch", "/api/profile", aProfile({ username: "mira_404" }));
    const { user } = await edit("username", "mira_404");
    await user.click(save());
    await expectToast("USERNAME UPDATED");
    expect(heard.map(({ body }) => body)).toEqual([{ username: "mira_404" }]);
    expect(screen.getByText("mira_404")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit username" }));
  });

  it("is read again by other tabs once it is saved", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    answerChange("patch", "/api/profile", aProfile({ username: "mira_404" }));
    const otherTab = new BroadcastChannel("deadwax-session");
    const heard: unknown[] = [];
    otherTab.onmessage = ({ data }) => heard.push(data);
    const { user } = await edit("username", "mira_404");
    await user.click(save());
    await expectToast("USERNAME UPDATED");
    await waitFor(() => expect(heard).toContainEqual({ kind: "account_changed" }));
    otherTab.close();
  });

  it("that is typed while another is saved stays, to be saved next", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    answerChange("patch", "/api/profile", aProfile({ username: "mira_404" }));
    const letGo = holdCall("patch", "/api/profile");
    const { user, field } = await edit("username", "mira_404");
    await user.click(save());
    await user.type(field, "5");
    letGo();
    await expectToast("USERNAME UPDATED");
    expect(field.isConnected && (field as HTMLInputElement).value).toBe("mira_4045");
  });

  it("that breaks a rule is not sent", async () => {
    openProfileTo();
    const { user, field } = await edit("username", "ab");
    await user.click(save());
    await expectToast("VALIDATION ERROR");
    await expectToast("Username must be at least 3 characters");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expectOneAlert("Username must be at least 3 characters");
  });

  it("that somebody has says so in its own words", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    refuseCall("patch", "/api/profile", 409, { code: "username_taken", detail: "taken" });
    const { user } = await edit("username", "taken_one");
    await user.click(save());
    await expectToast("USERNAME TAKEN");
    await expectToast("This username is already in use. Please choose another.");
  });

  it("refused by the service shows the service's words", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    refuseCall("patch", "/api/profile", 429, { code: "rate_limited", detail: "Slow down." });
    const { user } = await edit("username", "mira_404");
    await user.click(save());
    await expectToast("UPDATE FAILED");
    await expectToast("Slow down.");
  });

  it("that nothing answers is a system error", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    breakCall("patch", "/api/profile");
    const { user } = await edit("username", "mira_404");
    await user.click(save());
    await expectToast("SYSTEM ERROR");
    await expectToast("Failed to update username");
    expect(screen.queryByText("UPDATE FAILED")).toBeNull();
  });

  it("is shown as it is by then where the answer was lost", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    loseChange("patch", "/api/profile", aProfile({ username: "mira_404" }));
    const { user } = await edit("username", "mira_404");
    await user.click(save());
    await expectToast("SYSTEM ERROR");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText("mira_404")).toBeTruthy();
  });

  it("stays as it was after Cancel", async () => {
    openProfileTo();
    const { user } = await edit("username", "");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("textbox", { name: "Username" })).toBeNull();
    expect(screen.getByText("mira")).toBeTruthy();
  });
});

describe("Escape", () => {
  it.each(["username", "email"] as const)(
    "closes the edit of the %s as Cancel does",
    async (name) => {
      openProfileTo();
      answerCall("post", "/api/profile/username-check", { available: true });
      const heard = answerChange("patch", "/api/profile", aProfile());
      const { user, field } = await edit(name, "other");
      await user.keyboard("{Escape}");
      expect(field.isConnected).toBe(false);
      expect(document.activeElement).toBe(screen.getByRole("button", { name: `Edit ${name}` }));
      expect(heard).toEqual([]);
    },
  );

  it("ends what is being composed, and not the edit", async () => {
    openProfileTo();
    const { field } = await edit("username", "");
    fireEvent.keyDown(field, { key: "Escape", isComposing: true });
    expect(field.isConnected).toBe(true);
  });
});

describe("the address", () => {
  it("is changed by a link to the new one", async () => {
    openProfileTo();
    const heard = answerCall("post", "/api/auth/email-change", {});
    const { user } = await edit("email", "new@example.org");
    answerCall("get", "/api/profile", aProfile({ pending_email: "new@example.org" }));
    await user.click(save());
    await expectToast("EMAIL UPDATE INITIATED");
    await expectToast("Check your new email address for a confirmation link...");
    expect(heard.map(({ body }) => body)).toEqual([{ email: "new@example.org" }]);
    expect(await screen.findByText("Waiting for confirmation")).toBeTruthy();
  });

  it("that is none is not sent", async () => {
    openProfileTo();
    const { user } = await edit("email", "nobody");
    await user.click(save());
    await expectToast("VALIDATION ERROR");
    await expectToast("Please enter a valid email address");
  });

  it("that is the account's own is not sent", async () => {
    openProfileTo();
    const heard = answerCall("post", "/api/auth/email-change", {});
    const { user } = await edit("email", "MIRA@example.org");
    await user.click(save());
    await expectToast("VALIDATION ERROR");
    await expectToast("This is your address already");
    expect(heard).toEqual([]);
  });

  it("that waits is sent its link again, and can be called off", async () => {
    openProfileTo(aProfile({ pending_email: "new@example.org" }));
    const { user } = renderPath("/profile");
    expect(await screen.findByText("new@example.org")).toBeTruthy();
    const detail = "Please wait a moment.";
    refuseCall("post", "/api/auth/email-change/resend", 429, { code: "rate_limited", detail });
    await user.click(screen.getByRole("button", { name: "Send link again" }));
    await expectToast("UPDATE FAILED");
    await expectToast(detail);
    const again = answerCall("post", "/api/auth/email-change/resend", {});
    await user.click(screen.getByRole("button", { name: "Send link again" }));
    await expectToast("EMAIL UPDATE INITIATED");
    expect(again).toHaveLength(1);
    const heard = answerCall("delete", "/api/auth/email-change", null, 204);
    answerCall("get", "/api/profile", aProfile());
    await user.click(screen.getByRole("button", { name: "Call off" }));
    await expectToast("EMAIL UPDATE CALLED OFF");
    expect(heard).toHaveLength(1);
    await waitFor(() => expect(screen.queryByText("Waiting for confirmation")).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Change Email" }));
  });

  it("without an answer is a system error", async () => {
    openProfileTo();
    breakCall("post", "/api/auth/email-change");
    const { user } = await edit("email", "new@example.org");
    await user.click(save());
    await expectToast("SYSTEM ERROR");
    await expectToast("Failed to update email address");
  });

  it("waits for its confirmation also where only the answer was lost", async () => {
    openProfileTo();
    const pending = aProfile({ pending_email: "new@example.org" });
    loseChange("post", "/api/auth/email-change", pending);
    const { user } = await edit("email", "new@example.org");
    await user.click(save());
    expect(await screen.findByText("Waiting for confirmation")).toBeTruthy();
  });

  it("is not sent before the second factor was given, by whoever has one", async () => {
    openProfileTo(aProfile({ mfa_enabled: true, recovery_codes_left: 10 }));
    const { user } = await edit("email", "new@example.org");
    const heard = answerCall("post", "/api/auth/email-change", {});
    await user.click(save());
    const question = await screen.findByRole("dialog");
    expect(heard).toEqual([]);
    answerCall("post", "/api/auth/mfa-operations", MFA_OK);
    await user.type(await within(question).findByRole("textbox"), "123456");
    await user.click(within(question).getByRole("button", { name: "Verify" }));
    await waitFor(() => expect(heard).toHaveLength(1));
    await expectToast("EMAIL UPDATE INITIATED");
  });

  it("is asked for the password where the server wants it, and says nothing when that is closed", async () => {
    openProfileTo();
    refuseCall("post", "/api/auth/email-change", 403, { code: "reauthentication_needed" });
    const { user } = await edit("email", "new@example.org");
    await user.click(save());
    const question = await screen.findByRole("dialog");
    expect(
      within(question).getByText(
        "To change your email address, enter the password of your account once more.",
      ),
    ).toBeTruthy();
    const wrong = "This is not the password of your account.";
    refuseCall("post", "/api/auth/reauthenticate", 401, {
      code: "invalid_credentials",
      detail: wrong,
    });
    await user.type(within(question).getByLabelText("Password"), "guess{Enter}");
    expect(await within(question).findByText(wrong)).toBeTruthy();
    await user.click(within(question).getByRole("button", { name: "CLOSE" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByText("UPDATE FAILED")).toBeNull();
    expect(screen.getByRole("textbox", { name: "Email" })).toBeTruthy();
  });
});

describe("the password", () => {
  async function change(first: string, second: string) {
    openProfileTo();
    const { user } = renderPath("/profile");
    await user.type(await screen.findByLabelText("New Password"), first);
    await user.type(screen.getByLabelText("Confirm Password"), second);
    await user.click(screen.getByRole("button", { name: "Update Password" }));
    return user;
  }

  it("is changed when both are equal and long enough", async () => {
    const heard = answerCall("put", "/api/auth/password", aMember());
    await change("eight888", "eight888");
    await expectToast("PASSWORD UPDATED");
    expect(heard.map(({ body }) => body)).toEqual([
      { password: "eight888", confirm_password: "eight888" },
    ]);
    expect(screen.getByLabelText<HTMLInputElement>("New Password").value).toBe("");
  });

  it.each([
    ["short", "other", "Passwords do not match"],
    ["seven77", "seven77", "Password must be at least 8 characters"],
  ])("%s and %s: %s", async (first, second, text) => {
    await change(first, second);
    await expectToast("SECURITY ERROR");
    await expectToast(text);
    expectOneAlert(text);
  });

  it("asks for the old one where the server wants to be sure", async () => {
    refuseCall("put", "/api/auth/password", 403, { code: "reauthentication_needed" });
    const user = await change("eight888", "eight888");
    const question = await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" });
    answerCall("post", "/api/auth/reauthenticate", aMember());
    const heard = answerCall("put", "/api/auth/password", aMember());
    await user.type(within(question).getByLabelText("Password"), "the old one");
    await user.click(within(question).getByRole("button", { name: "Confirm" }));
    await expectToast("PASSWORD UPDATED");
    expect(heard).toHaveLength(1);
  });

  it("without an answer is a system error", async () => {
    breakCall("put", "/api/auth/password");
    await change("eight888", "eight888");
    await expectToast("SYSTEM ERROR");
    await expectToast("Failed to update password");
  });
});
