// Signs in without the authenticator: by an email code, or a recovery code.
import { useEffect, useRef, useState } from "react";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import {
  RECOVERY_DIGITS,
  RECOVERY_MINUTES,
  RECOVERY_RESEND_MS,
} from "../../rules/generated/constants.ts";
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
  /** When a code was last sent from this window, in milliseconds since 1970. */
  sentAt: number | undefined;
  onSent: (at: number) => void;
  onVerified: () => void;
  onBack: () => void;
}

export function RecoveryForm({ isDone, sentAt, onSent, onVerified, onBack }: RecoveryFormProps) {
  const sending = useSending(sentAt, onSent);
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
          onClick={sending.send}
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

function labelOf({ isBusy, isSent, waitSeconds }: ReturnType<typeof useSending>): string {
  if (isBusy) return "Sending...";
  if (!isSent) return "Send email code";
  return waitSeconds > 0 ? `Resend code in ${waitSeconds} s` : "Resend code";
}

/** Sends a code at once, and again on demand after a minute. */
function useSending(sentAt: number | undefined, onSent: (at: number) => void) {
  const [isSent, setSent] = useState(() => isRecent(sentAt));
  const resendAt = sentAt === undefined ? undefined : sentAt + RECOVERY_RESEND_MS;
  const [problem, setProblem] = useState<string>();
  const waitSeconds = useWait(resendAt);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: sendRecoveryCode,
    onMutate: () => setProblem(undefined),
    onSuccess() {
      setSent(true);
      onSent(Date.now());
      toastSuccess("recovery_code_sent");
    },
    onError: (failure) => setProblem(recoveryProblem(failure, "recovery_send_failed")),
  });

  function send(): void {
    if (waitSeconds === 0) mutate();
  }

  const first = useRef(send);
  useEffect(() => first.current(), []);
  const forgetProblem = () => setProblem(undefined);
  return { isSent, problem, forgetProblem, isBusy: isPending, waitSeconds, send };
}

/** True while another code would be refused: the last one still works. */
function isRecent(sentAt: number | undefined): boolean {
  return sentAt !== undefined && Date.now() < sentAt + RECOVERY_RESEND_MS;
}

interface EnterCodeProps extends Pick<RecoveryFormProps, "isDone" | "onVerified"> {
  /** Called for each submitted code: the mail's own problem no longer matters. */
  onTry: () => void;
}

function EnterCode({ isDone, onTry, onVerified }: EnterCodeProps) {
  const form = useCodeForm({
    isDone,
    check(rules, typed) {
      const { value, problems } = rules.recoveryCode(typed);
      return { code: value?.code, problem: problems?.[0]?.message };
    },
    async verify(code) {
      onTry();
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
        // Mailed codes are digits, recovery codes have letters: phones must offer both.
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
