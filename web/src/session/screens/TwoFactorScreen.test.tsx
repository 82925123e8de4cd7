import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { createQueryClient } from "../../app/queryClient.ts";
import { loadRules } from "../../rules/rules.ts";
import { answerCall, breakCall, holdCall, refuseCall } from "../../testing/calls.ts";
import { server } from "../../testing/fakeApi.ts";
import { VISITOR } from "../../testing/people.ts";
import { MFA_OK } from "../../testing/profile.ts";
import { Toasts } from "../../ui/toasts/Toasts.tsx";
import { TwoFactorScreen } from "./TwoFactorScreen.tsx";

const VERIFY = "/api/auth/mfa-operations";
const RECOVER = "/api/auth/mfa-recovery";

async function show() {
  await loadRules();
  const onVerified = vi.fn();
  const onCancel = vi.fn();
  const { unmount } = render(
    <QueryClientProvider client={createQueryClient()}>
      <TwoFactorScreen onVerified={onVerified} onCancel={onCancel} />
      <Toasts />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), onVerified, onCancel, unmount };
}

const codeField = () => screen.getByLabelText<HTMLInputElement>("Verification code");

describe("the authenticator's code", () => {
  it("takes digits only, and a pasted code with its blanks", async () => {
    const { user } = await show();
    expect(codeField().getAttribute("autocomplete")).toBe("one-time-code");
    expect(codeField().getAttribute("inputmode")).toBe("numeric");
    await user.type(codeField(), "12ab");
    expect(codeField().value).toBe("12");
    await user.clear(codeField());
    await user.click(codeField());
    await user.paste(" 123 456 ");
    expect(codeField().value).toBe("123456");
  });

  it("has six digits, or nobody is asked", async () => {
    const heard = answerCall("post", VERIFY, MFA_OK);
    const { user } = await show();
    await user.type(codeField(), "12345{Enter}");
    expect(await screen.findByText("Please enter a 6-digit code")).toBeTruthy();
    expect(heard).toEqual([]);
  });

  it("leads on a second after it was right", async () => {
    const heard = answerCall("post", VERIFY, MFA_OK);
    const { user, onVerified } = await show();
    await user.type(codeField(), "123456{Enter}");
    expect(await screen.findByText("Verification successful!")).toBeTruthy();
    expect(onVerified).not.toHaveBeenCalled();
    await waitFor(() => expect(onVerified).toHaveBeenCalledOnce());
    expect(heard).toMatchObject([{ body: { action: "verify_mfa", totpCode: "123456" } }]);
  });

  it("leads nowhere once it was closed, though the session is read later", async () => {
    answerCall("post", VERIFY, MFA_OK);
    const { user, onVerified, unmount } = await show();
    await user.type(codeField(), "123456{Enter}");
    await screen.findByText("Verification successful!");
    const read = answerCall("get", "/api/auth/session", VISITOR);
    const letGo = holdCall("get", "/api/auth/session");
    const asked = vi.spyOn(globalThis, "fetch");
    await waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 3_000 });
    unmount();
    letGo();
    await waitFor(() => expect(read).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(onVerified).not.toHaveBeenCalled();
  });

  it.each([
    [422, "invalid_otp", "That code doesn't look right. Please check and try again."],
    [422, "expired_otp", "That code has expired. Open your authenticator app for a fresh code."],
    [
      422,
      "time_skew",
      "Your device time appears off. Sync your phone's clock automatically and try again.",
    ],
    [500, "internal", "System error occurred. Please try again in a moment."],
    [409, "conflict", "Verification failed. Please try again."],
  ])(
    "answered %i %s is said in the catalogue's words, and not repeated",
    async (status, code, text) => {
      const heard = answerCall("post", VERIFY, { status: "error", code, message: "m" }, status);
      const { user, onVerified } = await show();
      await user.type(codeField(), "123456{Enter}");
      expect(await screen.findByText(text)).toBeTruthy();
      expect(heard).toHaveLength(1);
      expect(onVerified).not.toHaveBeenCalled();
    },
  );

  it("keeps its refusal while the next code is typed", async () => {
    answerCall("post", VERIFY, { status: "error", code: "invalid_otp", message: "m" }, 422);
    const { user } = await show();
    await user.type(codeField(), "123456{Enter}");
    const refusal = "That code doesn't look right. Please check and try again.";
    await screen.findByText(refusal);
    await user.keyboard("1");
    expect(screen.getByText(refusal)).toBeTruthy();
    expect(screen.queryByText("Please enter a 6-digit code")).toBeNull();
  });

  it("past the limit says how long to wait, in the server's words", async () => {
    const message = "Too many attempts. Please wait 4 minutes and try again.";
    answerCall("post", VERIFY, { status: "error", code: "rate_limited", message }, 429);
    const { user } = await show();
    await user.type(codeField(), "123456{Enter}");
    expect(await screen.findByText(message)).toBeTruthy();
  });

  it("without a session asks to sign in again", async () => {
    refuseCall("post", VERIFY, 401, { code: "not_authenticated", detail: "Not authenticated" });
    const { user } = await show();
    await user.type(codeField(), "123456{Enter}");
    expect(await screen.findByText("Session expired. Please sign in again.")).toBeTruthy();
  });

  it("is sent once more after a second when nothing answered, as the same try", async () => {
    const heard: { body: unknown; id: string | null }[] = [];
    server.use(
      http.post(`*${VERIFY}`, async ({ request }) => {
        heard.push({ body: await request.json(), id: request.headers.get("x-request-id") });
        return heard.length === 1 ? HttpResponse.error() : HttpResponse.json(MFA_OK);
      }),
    );
    const { user } = await show();
    await user.type(codeField(), "123456{Enter}");
    await screen.findByText("Verification successful!");
    expect(heard).toHaveLength(2);
    expect(heard[1]).toEqual(heard[0]);
    expect(heard[0]).toMatchObject({ body: { request_id: heard[0]?.id } });
  });

  it("says that the service is out of reach when nothing answers twice", async () => {
    breakCall("post", VERIFY);
    const { user } = await show();
    await user.type(codeField(), "123456{Enter}");
    expect(
      await screen.findByText("We couldn't reach the verification service. Please try again."),
    ).toBeTruthy();
  });
});

describe("recovery", () => {
  const lost = () => screen.getByRole("button", { name: "Can't access your authenticator app?" });

  it("sends a code at once, takes it, and offers another one after a minute", async () => {
    const heard: unknown[] = [];
    server.use(
      http.post(`*${RECOVER}`, async ({ request }) => {
        const body = (await request.json()) as { action: string };
        heard.push(body);
        return HttpResponse.json(
          body.action === "send_recovery_code" ? { sent: true } : { valid: true },
        );
      }),
    );
    const { user, onVerified } = await show();
    await user.click(lost());
    expect(await screen.findAllByText("RECOVERY CODE SENT")).not.toHaveLength(0);
    const resend = screen.getByRole("button", { name: /^Resend code in \d+ s$/ });
    expect(resend.getAttribute("aria-disabled")).toBe("true");
    await user.type(screen.getByLabelText("Email code or recovery code"), "1234 5678{Enter}");
    expect(await screen.findByText("Verification successful!")).toBeTruthy();
    await waitFor(() => expect(onVerified).toHaveBeenCalledOnce());
    expect(heard).toEqual([
      { action: "send_recovery_code" },
      {
        action: "verify_recovery_code",
        recoveryCode: "12345678",
        request_id: expect.any(String),
      },
    ]);
  });

  it("leads to the field of the code, and back to the authenticator's", async () => {
    answerCall("post", RECOVER, { sent: true });
    const { user } = await show();
    await user.click(lost());
    const field = await screen.findByLabelText("Email code or recovery code");
    expect(document.activeElement).toBe(field);
    await user.click(screen.getByRole("button", { name: "Back to authenticator" }));
    expect(document.activeElement).toBe(codeField());
  });

  it("leaves the focus where the person has moved it while the mail is on its way", async () => {
    answerCall("post", RECOVER, { sent: true });
    const release = holdCall("post", RECOVER);
    const { user } = await show();
    await user.click(lost());
    const back = screen.getByRole("button", { name: "Back to authenticator" });
    while (document.activeElement !== back) await user.tab();
    release();
    expect(await screen.findByLabelText("Email code or recovery code")).toBeTruthy();
    expect(document.activeElement).toBe(back);
  });

  it("is tried once more where nothing answered, as the same attempt", async () => {
    const heard: { action: string; request_id?: string }[] = [];
    server.use(
      http.post(`*${RECOVER}`, async ({ request }) => {
        const body = (await request.json()) as (typeof heard)[number];
        const { action } = body;
        heard.push(body);
        // The first call of each action fails.
        if (heard.filter((same) => same.action === action).length === 1)
          return HttpResponse.error();
        return HttpResponse.json(
          action === "send_recovery_code" ? { sent: true } : { valid: true },
        );
      }),
    );
    const { user } = await show();
    await user.click(lost());
    const field = await screen.findByLabelText("Email code or recovery code", undefined, {
      timeout: 5_000,
    });
    await user.type(field, "12345678{Enter}");
    expect(
      await screen.findByText("Verification successful!", undefined, { timeout: 5_000 }),
    ).toBeTruthy();
    expect(heard).toHaveLength(4);
    expect(heard[2]?.request_id).toBeTruthy();
    expect(heard[3]).toEqual(heard[2]);
  });

  it("stays at the sending where that failed, says why, and can try again", async () => {
    breakCall("post", RECOVER);
    const { user } = await show();
    await user.click(lost());
    expect(await screen.findByText("Failed to send recovery code")).toBeTruthy();
    expect(screen.queryByLabelText("Email code or recovery code")).toBeNull();
    answerCall("post", RECOVER, { sent: true });
    await user.click(screen.getByRole("button", { name: "Send email code" }));
    expect(await screen.findByLabelText("Email code or recovery code")).toBeTruthy();
    expect(screen.queryByText("Failed to send recovery code")).toBeNull();
  });

  it("asked for again within a minute takes the first code, and sends none before the minute is over", async () => {
    const heard = answerCall("post", RECOVER, { sent: true });
    const { user } = await show();
    await user.click(lost());
    await screen.findByRole("button", { name: /^Resend code in \d+ s$/ });
    await user.click(screen.getByRole("button", { name: "Back to authenticator" }));
    await user.click(lost());
    expect(screen.getByLabelText("Email code or recovery code")).toBeTruthy();
    expect(screen.getByRole("button", { name: /^Resend code in \d+ s$/ })).toBeTruthy();
    expect(heard).toHaveLength(1);
  });

  it("asked for again while its mail is on its way sends no other", async () => {
    const heard = answerCall("post", RECOVER, { sent: true });
    const release = holdCall("post", RECOVER);
    const { user } = await show();
    await user.click(lost());
    await user.click(screen.getByRole("button", { name: "Back to authenticator" }));
    await user.click(lost());
    release();
    expect(await screen.findByLabelText("Email code or recovery code")).toBeTruthy();
    expect(heard).toHaveLength(1);
  });

  it("that is refused so soon after one of another window stays at the sending, and a code can be entered", async () => {
    refuseCall("post", RECOVER, 429, { code: "rate_limited", detail: "Slow.", retry_after: 42 });
    const { user } = await show();
    await user.click(lost());
    expect(await screen.findByText("Slow.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Send email code" })).toBeTruthy();
    expect(screen.queryByLabelText("Email code or recovery code")).toBeNull();
    await user.click(screen.getByRole("button", { name: "I have a code" }));
    expect(screen.getByLabelText("Email code or recovery code")).toBeTruthy();
  });

  it("that is spent for the day says what the server says", async () => {
    refuseCall("post", RECOVER, 429, { code: "rate_limited", detail: "Slow.", retry_after: 9_000 });
    const { user } = await show();
    await user.click(lost());
    expect(await screen.findByText("Slow.")).toBeTruthy();
    expect(screen.queryByLabelText("Email code or recovery code")).toBeNull();
  });

  it("that is spent for the day is not taken for sent after a lost answer", async () => {
    refuseCall("post", RECOVER, 429, { code: "rate_limited", detail: "Slow.", retry_after: 9_000 });
    server.use(http.post(`*${RECOVER}`, () => HttpResponse.error(), { once: true }));
    const { user } = await show();
    await user.click(lost());
    expect(await screen.findByText("Slow.", {}, { timeout: 4_000 })).toBeTruthy();
    expect(screen.queryByLabelText("Email code or recovery code")).toBeNull();
  });

  it("takes a code that was kept offline, also where no mail can go", async () => {
    refuseCall("post", RECOVER, 403, {
      code: "recovery_hold",
      detail: "Recovery codes are on hold for a day after a password reset.",
    });
    const { user } = await show();
    await user.click(lost());
    await screen.findByText("Recovery codes are on hold for a day after a password reset.");
    await user.click(screen.getByRole("button", { name: "I have a code" }));
    const heard = answerCall("post", RECOVER, { valid: true });
    await user.type(screen.getByLabelText("Email code or recovery code"), "abcde-fghjk{Enter}");
    expect(await screen.findByText("Verification successful!")).toBeTruthy();
    expect(screen.queryByText(/on hold for a day/)).toBeNull();
    expect(heard).toEqual([
      {
        body: {
          action: "verify_recovery_code",
          recoveryCode: "ABCDEFGHJK",
          request_id: expect.any(String),
        },
      },
    ]);
  });

  it("tells a wrong code from an incomplete one", async () => {
    answerCall("post", RECOVER, { sent: true, valid: false });
    const { user, onVerified } = await show();
    await user.click(lost());
    const field = await screen.findByLabelText("Email code or recovery code");
    await user.type(field, "1234567{Enter}");
    expect(await screen.findByText("Please enter the 8-digit recovery code")).toBeTruthy();
    await user.type(field, "8{Enter}");
    expect(await screen.findByText("Invalid recovery code. Please try again.")).toBeTruthy();
    expect(onVerified).not.toHaveBeenCalled();
  });

  it("leads back to the authenticator", async () => {
    answerCall("post", RECOVER, { sent: true });
    const { user } = await show();
    await user.click(lost());
    await user.click(screen.getByRole("button", { name: "Back to authenticator" }));
    expect(codeField()).toBeTruthy();
  });
});
