// The second step of signing in, by the authenticator or a recovery code. The login dialog, the admin login and the
// profile show it.
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import { mapChecked, useRulesForm } from "../../rules/forms/useRulesForm.ts";
import {
  MFA_SUCCESS_MS,
  RECOVERY_DIGITS,
  RECOVERY_MINUTES,
  RECOVERY_RESEND_MS,
} from "../../rules/generated/constants.ts";
import { useRules } from "../../rules/useRules.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { FormProblem, FormStatus } from "../../ui/FormLine.tsx";
import { messageText } from "../../ui/messages.ts";
import { TextButton } from "../../ui/TextButton.tsx";
import { takeFocus, takeFocusIn } from "../../ui/takeFocus.ts";
import { toastSuccess } from "../../ui/toasts/toast.ts";
import { sendRecoveryCode, verifyRecoveryCode, verifyTotp } from "../mfaCalls.ts";
import { mfaMessage, mfaProblem, recoveryProblem } from "../mfaMessages.ts";
import { keepDigits } from "../twoFactor/CodeForm.tsx";
import { useAuth } from "../useAuth.ts";
import { useWait } from "../useWait.ts";

interface TwoFactorScreenProps {
  /** Called once the factor was given and the session is read again. */
  onVerified: () => void;
  /** Called once the factor was right: from then on, closing cancels nothing. */
  onGiven?: () => void;
  /** Without it, closing the surrounding dialog is the only way back. */
  onCancel?: () => void;
}

export function TwoFactorScreen({ onVerified, onGiven, onCancel }: TwoFactorScreenProps) {
  const { noteFactorGiven } = useAuth();
  const [isRecovering, setRecovering] = useState(false);
  const [isVerified, setVerified] = useState(false);
  const sending = useSending();
  const heading = useId();
  useRules();
  useGoOn(isVerified, onVerified);

  function takeGiven(): void {
    noteFactorGiven();
    setVerified(true);
    onGiven?.();
  }

  return (
    <section aria-labelledby={heading} className="flex flex-col gap-5">
      <h2 id={heading} className="type-title">
        Two-Factor Authentication
      </h2>
      {isRecovering ? (
        <RecoveryForm
          isDone={isVerified}
          sending={sending}
          onVerified={takeGiven}
          onBack={() => setRecovering(false)}
        />
      ) : (
        <AuthenticatorForm
          isDone={isVerified}
          onVerified={takeGiven}
          onLost={() => {
            setRecovering(true);
            sending.begin();
          }}
        />
      )}
      <FormStatus>{isVerified ? mfaMessage("ok") : undefined}</FormStatus>
      {onCancel && (
        <Button disabled={isVerified} className="self-start" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </section>
  );
}

/**
 * Leads on after the message was readable, with a fresh session in all tabs. Leaving earlier refreshes the session too.
 */
function useGoOn(isVerified: boolean, onVerified: () => void): void {
  const { checkAgain, adopt } = useAuth();
  const goOn = useEffectEvent(onVerified);
  useEffect(() => {
    if (!isVerified) return;
    let isRead = false;
    let isLeft = false;
    async function readAnew(): Promise<void> {
      isRead = true;
      const view = await checkAgain();
      if (view) adopt(view);
    }
    const timer = setTimeout(() => readAnew().then(() => isLeft || goOn()), MFA_SUCCESS_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      if (!isRead) void readAnew();
    };
  }, [isVerified, checkAgain, adopt]);
}

interface AuthenticatorFormProps {
  isDone: boolean;
  onVerified: () => void;
  onLost: () => void;
}

function AuthenticatorForm({ isDone, onVerified, onLost }: AuthenticatorFormProps) {
  const form = useRulesForm({
    check: (rules, { code }) => rules.totpCode(code),
    unchecked: ({ code }) => code,
    blank: { code: "" },
    rechecks: false,
    async send(code) {
      if (isDone) return;
      try {
        await verifyTotp(code);
        onVerified();
      } catch (error) {
        form.setError("code", mfaProblem(error));
        form.setFocus("code", { shouldSelect: true });
      }
    },
  });

  return (
    <form ref={takeFocusIn} noValidate className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <p className="text-dim">Enter the code that your authenticator app shows for this account.</p>
      <Field
        label="Verification code"
        aria-required
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        {...form.field("code", { onChange: ({ target }) => keepDigits(form, target.value) })}
      />
      <Button type="submit" isBusy={form.isSending || isDone} variant="main" size="large">
        {form.isSending ? "Verifying..." : "Verify"}
      </Button>
      <TextButton size="large" disabled={isDone} onClick={onLost}>
        Can't access your authenticator app?
      </TextButton>
    </form>
  );
}

interface RecoveryFormProps {
  isDone: boolean;
  sending: Sending;
  onVerified: () => void;
  onBack: () => void;
}

function RecoveryForm({ isDone, sending, onVerified, onBack }: RecoveryFormProps) {
  const [hasCode, setHasCode] = useState(false);
  const isEntering = sending.isSent || hasCode;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-dim">
        {sending.isSent
          ? `An email code is on its way to the email address of your account. It works for ${RECOVERY_MINUTES} minutes.`
          : "An email code is sent to the email address of your account."}
      </p>
      <FormProblem>{sending.problem}</FormProblem>
      {isEntering && (
        <EnterCode isDone={isDone} onTry={sending.forgetProblem} onVerified={onVerified} />
      )}
      <div className="type-label flex flex-wrap gap-3">
        <Button
          // The button that led here is gone.
          ref={takeFocus}
          variant={isEntering ? undefined : "main"}
          isBusy={sending.isBusy || sending.waitSeconds > 0}
          onClick={() => sending.send()}
        >
          {labelOf(sending)}
        </Button>
        {!isEntering && <Button onClick={() => setHasCode(true)}>I have a code</Button>}
        <Button disabled={isDone} onClick={onBack}>
          Back to authenticator
        </Button>
      </div>
    </div>
  );
}

function labelOf({ isBusy, isSent, waitSeconds }: Sending): string {
  if (isBusy) return "Sending...";
  if (!isSent) return "Send email code";
  return waitSeconds > 0 ? `Resend code in ${waitSeconds} s` : "Resend code";
}

type Sending = ReturnType<typeof useSending>;

/** Sends a code where the recovery begins, and again on demand after a minute. */
function useSending() {
  /** Until then another code would be refused: the last one still works. */
  const [resendAt, setResendAt] = useState<number>();
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState<string>();
  const waitSeconds = useWait(resendAt);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: sendRecoveryCode,
    onMutate: () => setProblem(undefined),
    onSuccess() {
      setSent(true);
      setResendAt(Date.now() + RECOVERY_RESEND_MS);
      toastSuccess("recovery_code_sent");
    },
    onError: (failure) => setProblem(recoveryProblem(failure, "recovery_send_failed")),
  });

  const forgetProblem = () => setProblem(undefined);
  function begin(): void {
    const isRecent = resendAt !== undefined && Date.now() < resendAt;
    setSent(isRecent);
    forgetProblem();
    if (!isRecent) mutate();
  }
  return { isSent, problem, forgetProblem, isBusy: isPending, waitSeconds, begin, send: mutate };
}

interface EnterCodeProps extends Pick<RecoveryFormProps, "isDone" | "onVerified"> {
  /** Called for each submitted code: the mail's own problem no longer matters. */
  onTry: () => void;
}

function EnterCode({ isDone, onTry, onVerified }: EnterCodeProps) {
  const form = useRulesForm({
    check: (rules, typed) => mapChecked(rules.recoveryCode(typed.code), ({ code }) => code),
    unchecked: ({ code }) => code,
    blank: { code: "" },
    rechecks: false,
    async send(code) {
      if (isDone) return;
      onTry();
      try {
        if (await verifyRecoveryCode(code)) return onVerified();
        form.setError("code", messageText("recovery_code_invalid"));
      } catch (error) {
        form.setError("code", recoveryProblem(error, "recovery_failed"));
      }
      form.setFocus("code", { shouldSelect: true });
    },
  });

  return (
    <form ref={takeFocusIn} noValidate className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <Field
        label="Email code or recovery code"
        aria-required
        // Mailed codes are digits, recovery codes have letters: phones must offer both.
        inputMode="text"
        autoCapitalize="characters"
        autoComplete="one-time-code"
        spellCheck={false}
        hint={`${RECOVERY_DIGITS} digits from the mail, or one of your recovery codes.`}
        {...form.field("code")}
      />
      <Button type="submit" isBusy={form.isSending || isDone} variant="main" size="large">
        {form.isSending ? "Verifying..." : "Verify code"}
      </Button>
    </form>
  );
}
