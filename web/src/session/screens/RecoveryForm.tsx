// A way in without the authenticator: a code sent by e-mail, or one of the recovery codes kept since set-up.
import { useEffect, useRef, useState } from "react";
import { apiError } from "../../api/client.ts";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import { RECOVERY_DIGITS, RECOVERY_RESEND_MS } from "../../rules/generated/constants.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { messageText } from "../../ui/messages.ts";
import { takeFocus } from "../../ui/takeFocus.ts";
import { toastSuccess } from "../../ui/toasts/toast.ts";
import { sendRecoveryCode, verifyRecoveryCode } from "../mfaCalls.ts";
import { recoveryProblem } from "../mfaMessages.ts";
import { useWait } from "../useWait.ts";
import { useCodeForm } from "./useCodeForm.ts";

interface RecoveryFormProps {
  isDone: boolean;
  onVerified: () => void;
  /** Back to the authenticator. */
  onBack: () => void;
}

export function RecoveryForm({ isDone, onVerified, onBack }: RecoveryFormProps) {
  const sending = useSending();
  const [hasRecoveryCode, setHasRecoveryCode] = useState(false);
  const isEntering = sending.state !== "unsent" || hasRecoveryCode;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-dim">{SENT_WORDS[sending.state]}</p>
      <FormProblem>{sending.problem}</FormProblem>
      {isEntering && <EnterCode isDone={isDone} onVerified={onVerified} />}
      <div className="type-label flex flex-wrap gap-3">
        <Button
          // What led here is gone, and the focus with it.
          ref={takeFocus}
          variant={isEntering ? undefined : "main"}
          isBusy={sending.isBusy || sending.waitSeconds > 0}
          onClick={sending.send}
        >
          {labelOf(sending)}
        </Button>
        {!isEntering && (
          <Button onClick={() => setHasRecoveryCode(true)}>I have a recovery code</Button>
        )}
        <Button disabled={isDone} onClick={onBack}>
          Back to authenticator
        </Button>
      </div>
    </div>
  );
}

const SENT_WORDS = {
  unsent: "An email code is sent to the email address of your account.",
  sent: "An email code is on its way to the email address of your account. It works for ten minutes.",
  recent:
    "An email code was sent less than a minute ago. If you asked for it in this window, enter it; another one can be sent in a moment.",
} as const;

function labelOf({ isBusy, state, waitSeconds }: ReturnType<typeof useSending>): string {
  if (isBusy) return "Sending...";
  if (state === "unsent") return "Send email code";
  return waitSeconds > 0 ? `Resend code in ${waitSeconds} s` : "Resend code";
}

/** Sends at once, and again when asked to and not sooner than a minute later. */
function useSending() {
  const [state, setState] = useState<keyof typeof SENT_WORDS>("unsent");
  const [resendAt, setResendAt] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const waitSeconds = useWait(resendAt);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: sendRecoveryCode,
    onMutate: () => setProblem(undefined),
    onSuccess() {
      setState("sent");
      setResendAt(Date.now() + RECOVERY_RESEND_MS);
      toastSuccess("recovery_code_sent");
    },
    onError(failure) {
      const waitMs = shortWait(failure);
      if (waitMs === undefined) {
        setProblem(recoveryProblem(failure, "recovery_send_failed"));
      } else {
        setState("recent");
        setResendAt(Date.now() + waitMs);
      }
    },
  });

  function send(): void {
    if (waitSeconds === 0) mutate();
  }

  const first = useRef(send);
  useEffect(() => first.current(), []);
  return { state, problem, isBusy: isPending, waitSeconds, send };
}

/** The wait of a person who asks twice within a minute: no failure, the first code is on its way. */
function shortWait(failure: unknown): number | undefined {
  const { status, retryAfterSeconds = Number.POSITIVE_INFINITY } = apiError(failure);
  if (status !== 429) return undefined;
  const waitMs = retryAfterSeconds * 1_000;
  return waitMs <= RECOVERY_RESEND_MS ? waitMs : undefined;
}

function EnterCode({ isDone, onVerified }: Omit<RecoveryFormProps, "onBack">) {
  const form = useCodeForm({
    isDone,
    check(rules, typed) {
      const { value, problems } = rules.recoveryCode(typed);
      return { code: value?.code, problem: problems?.[0]?.message };
    },
    async verify(code) {
      try {
        return (await verifyRecoveryCode(code)) ? undefined : messageText("recovery_code_invalid");
      } catch (failure) {
        return recoveryProblem(failure, "recovery_failed");
      }
    },
    onVerified,
  });

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <Field
        ref={form.input}
        autoFocus
        label="Email code or recovery code"
        aria-required
        name="recovery-code"
        // Digits by mail, letters among them offline: the keys of a phone must offer both.
        inputMode="text"
        autoCapitalize="characters"
        autoComplete="one-time-code"
        spellCheck={false}
        hint={`${RECOVERY_DIGITS} digits from the mail, or one of your recovery codes.`}
        error={form.error}
        value={form.code}
        onChange={({ target }) => form.setCode(target.value)}
      />
      <Button type="submit" isBusy={form.isSending || isDone} variant="main" size="large">
        {form.isSending ? "Verifying..." : "Verify code"}
      </Button>
    </form>
  );
}
