// A way in without the authenticator: a code sent by mail, or one of those kept offline since set-up.
import { useEffect, useRef, useState } from "react";
import { textOf, words } from "../../rules/words.ts";
import { Field } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { takeFocus } from "../../ui/takeFocus.ts";
import { showToast } from "../../ui/toasts/toastQueue.ts";
import { sendRecoveryCode, verifyRecoveryCode } from "../mfaCalls.ts";
import { recoveryProblem } from "../mfaWords.ts";
import { useWait } from "../useWait.ts";
import { useCodeForm } from "./useCodeForm.ts";

/** From a recovery code to the offer of another one. */
const RESEND_MS = 60_000;

interface RecoveryFormProps {
  isDone: boolean;
  onVerified: () => void;
  /** Back to the authenticator. */
  onBack: () => void;
}

export function RecoveryForm({ isDone, onVerified, onBack }: RecoveryFormProps) {
  const sending = useSending();
  const [hasOffline, setHasOffline] = useState(false);
  const isEntering = sending.sentAt !== undefined || hasOffline;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-dim">
        {sending.sentAt === undefined
          ? "A recovery code is sent to the e-mail address of your account."
          : "A recovery code is on its way to the e-mail address of your account. It works for ten minutes."}
      </p>
      <FormProblem>{sending.problem}</FormProblem>
      {isEntering && <EnterCode isDone={isDone} onVerified={onVerified} />}
      <div className="type-label flex flex-wrap gap-3">
        <button
          type="button"
          // What led here is gone, and the focus with it.
          ref={takeFocus}
          aria-disabled={sending.isBusy || sending.waitSeconds > 0}
          className={`key uppercase aria-disabled:text-dim ${isEntering ? "" : "key-main"}`}
          onClick={sending.send}
        >
          {labelOf(sending)}
        </button>
        {!isEntering && (
          <button type="button" className="key uppercase" onClick={() => setHasOffline(true)}>
            I have an offline code
          </button>
        )}
        <button type="button" disabled={isDone} className="key uppercase" onClick={onBack}>
          Back to authenticator
        </button>
      </div>
    </div>
  );
}

function labelOf({ isBusy, sentAt, waitSeconds }: ReturnType<typeof useSending>): string {
  if (isBusy) return "Sending...";
  if (sentAt === undefined) return "Send recovery code";
  return waitSeconds > 0 ? `Resend code in ${waitSeconds} s` : "Resend code";
}

/** Sends at once, and again when asked to and not sooner than a minute later. */
function useSending() {
  const [sentAt, setSentAt] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isOnItsWay = useRef(false);
  const waitSeconds = useWait(sentAt === undefined ? undefined : sentAt + RESEND_MS);

  async function send(): Promise<void> {
    if (isOnItsWay.current || waitSeconds > 0) return;
    isOnItsWay.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await sendRecoveryCode();
      setSentAt(Date.now());
      showToast({ title: words("recovery_code_sent").title });
    } catch (failure) {
      setProblem(recoveryProblem(failure, "recovery_send_failed"));
    } finally {
      isOnItsWay.current = false;
      setBusy(false);
    }
  }

  const first = useRef(send);
  useEffect(() => void first.current(), []);
  return { sentAt, problem, isBusy, waitSeconds, send: () => void send() };
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
        return (await verifyRecoveryCode(code)) ? undefined : textOf("recovery_code_invalid");
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
        label="Recovery code"
        name="recovery-code"
        // Digits by mail, letters among them offline: the keys of a phone must offer both.
        inputMode="text"
        autoCapitalize="characters"
        autoComplete="one-time-code"
        spellCheck={false}
        hint="8 digits from the mail, or one of your offline codes."
        error={form.error}
        value={form.code}
        onChange={({ target }) => form.setCode(target.value)}
      />
      <button
        type="submit"
        aria-disabled={form.isSending || isDone}
        className="key key-main type-label min-h-12 justify-center uppercase"
      >
        {form.isSending ? "Verifying..." : "Verify recovery code"}
      </button>
    </form>
  );
}
