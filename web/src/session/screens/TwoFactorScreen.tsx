// The second step of signing in, by the authenticator or a recovery code. The login dialog, the admin login and the
// profile show it.
import { useEffect, useId, useRef, useState } from "react";
import { MFA_SUCCESS_MS } from "../../rules/generated/constants.ts";
import { useRules } from "../../rules/useRules.ts";
import { Button } from "../../ui/Button.tsx";
import { FormStatus } from "../../ui/FormLine.tsx";
import { mfaMessage } from "../mfaMessages.ts";
import { useAuth } from "../useAuth.ts";
import { AuthenticatorForm } from "./AuthenticatorForm.tsx";
import { RecoveryForm } from "./RecoveryForm.tsx";

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
  const [codeSentAt, setCodeSentAt] = useState<number>();
  const [isVerified, setVerified] = useState(false);
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
          sentAt={codeSentAt}
          onSent={setCodeSentAt}
          onVerified={takeGiven}
          onBack={() => setRecovering(false)}
        />
      ) : (
        <AuthenticatorForm
          isDone={isVerified}
          onVerified={takeGiven}
          onLost={() => setRecovering(true)}
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
  const goOn = useRef(onVerified);
  useEffect(() => {
    goOn.current = onVerified;
  });
  useEffect(() => {
    if (!isVerified) return;
    let isRead = false;
    async function readAnew(): Promise<void> {
      isRead = true;
      const view = await checkAgain();
      if (view) adopt(view);
    }
    const timer = setTimeout(() => readAnew().then(() => goOn.current()), MFA_SUCCESS_MS);
    return () => {
      clearTimeout(timer);
      if (!isRead) void readAnew();
    };
  }, [isVerified, checkAgain, adopt]);
}
