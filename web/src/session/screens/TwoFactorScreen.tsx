// The second step of signing in: the authenticator's code, or a recovery code where the phone is out of reach. It
// belongs to no page; the login dialog, the admin login and the profile show it.
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
  /** After the factor was given and the session is known anew. */
  onVerified: () => void;
  /** The person does not go on; without it there is no way back but closing what shows the screen. */
  onCancel?: () => void;
}

export function TwoFactorScreen({ onVerified, onCancel }: TwoFactorScreenProps) {
  const [isRecovering, setRecovering] = useState(false);
  const [isVerified, setVerified] = useState(false);
  const heading = useId();
  useRules();
  useGoOn(isVerified, onVerified);

  return (
    <section aria-labelledby={heading} className="flex flex-col gap-5">
      <h2 id={heading} className="type-title">
        Two-Factor Authentication
      </h2>
      {isRecovering ? (
        <RecoveryForm
          isDone={isVerified}
          onVerified={() => setVerified(true)}
          onBack={() => setRecovering(false)}
        />
      ) : (
        <AuthenticatorForm
          isDone={isVerified}
          onVerified={() => setVerified(true)}
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

/** Leads on once the message could be read, with the session read anew and the other tabs told. */
function useGoOn(isVerified: boolean, onVerified: () => void): void {
  const { checkAgain, adopt } = useAuth();
  const goOn = useRef(onVerified);
  useEffect(() => {
    goOn.current = onVerified;
  });
  useEffect(() => {
    if (!isVerified) return;
    const timer = setTimeout(async () => {
      const view = await checkAgain();
      if (view) adopt(view);
      goOn.current();
    }, MFA_SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [isVerified, checkAgain, adopt]);
}
