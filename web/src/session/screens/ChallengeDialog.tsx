// The dialog of a challenge: the password once more, or the second factor.
import { useState } from "react";
import { call } from "../../api/client.ts";
import { mapChecked, useRulesForm } from "../../rules/forms/useRulesForm.ts";
import { Button } from "../../ui/Button.tsx";
import { PasswordField } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { Modal } from "../../ui/Modal.tsx";
import { messageText } from "../../ui/messages.ts";
import type { Challenge } from "../challenge.ts";
import { useAuth } from "../useAuth.ts";
import { wordsFor } from "../wordsFor.ts";
import { TwoFactorScreen } from "./TwoFactorScreen.tsx";

interface ChallengeDialogProps {
  challenge: Challenge;
  /** Its purpose, as it follows `To`. */
  aim: string;
  onSettle: (hasPassed: boolean) => void;
}

export function ChallengeDialog({ challenge, aim, onSettle }: ChallengeDialogProps) {
  const [isGiven, setGiven] = useState(false);
  return (
    <Modal
      title={challenge === "password" ? "CONFIRM PASSWORD" : "VERIFICATION REQUIRED"}
      onClose={() => onSettle(isGiven)}
    >
      <div className="p-gutter">
        {challenge === "password" ? (
          <PasswordQuestion aim={aim} onPassed={() => onSettle(true)} />
        ) : (
          <div className="flex flex-col gap-5">
            <p className="text-dim">To {aim}, give your second factor once more.</p>
            <TwoFactorScreen
              onGiven={() => setGiven(true)}
              onVerified={() => onSettle(true)}
              onCancel={() => onSettle(false)}
            />
          </div>
        )}
      </div>
    </Modal>
  );
}

function PasswordQuestion({ aim, onPassed }: { aim: string; onPassed: () => void }) {
  const { user, adopt } = useAuth();
  const form = useRulesForm({
    // The only check for a bare password; the person is known.
    check: (rules, typed) =>
      mapChecked(rules.checkLogin({ identifier: user?.email ?? "-", ...typed }), () => typed),
    blank: { password: "" },
    async send({ password }) {
      try {
        adopt(await call("POST", "/api/auth/reauthenticate", { body: { password } }));
        onPassed();
      } catch (error) {
        form.setProblem(wordsFor(error, messageText("login_unreachable")));
      }
    },
  });
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <p className="text-dim">To {aim}, enter the password of your account once more.</p>
      {/* Tells the password manager whose password this is. */}
      <input
        hidden
        readOnly
        type="text"
        name="username"
        autoComplete="username"
        value={user?.email ?? ""}
      />
      <PasswordField
        autoFocus
        label="Password"
        aria-required
        autoComplete="current-password"
        {...form.field("password")}
      />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" isBusy={form.isSending} variant="main" size="large">
        {form.isSending ? "Confirming..." : "Confirm"}
      </Button>
    </form>
  );
}
