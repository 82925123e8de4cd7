import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { loadRules, withRules } from "../../../rules/rules.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { wordsFor } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { PasswordField, UsernameField } from "../../../ui/Field.tsx";
import { FormProblem } from "../../../ui/FormLine.tsx";
import { messageText } from "../../../ui/messages.ts";
import { TextButton } from "../../../ui/TextButton.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { redirectTo } from "../redirectTo.ts";

const BLANK = { identifier: "", password: "" };

/** The state of the tab, kept by the dialog while another tab is on show. */
export function useLoginForm(onTry: () => void) {
  const { signIn } = useAuth();
  const form = useRulesForm({
    // Sent as typed: the server normalises it the same way.
    check: (rules, typed) => mapChecked(rules.checkLogin(typed), () => typed),
    unchecked: (typed) => typed,
    blank: BLANK,
    async send({ identifier, password }) {
      onTry();
      try {
        await signIn(identifier, password);
        form.reopen(BLANK);
      } catch (error) {
        const failed = messageText("login_unreachable");
        form.setProblem(wordsFor(error, failed, { refused: "login_failed" }));
      }
    },
  });
  return form;
}

interface LoginFormProps {
  form: ReturnType<typeof useLoginForm>;
  /** Shown until the next try. */
  notice: string | undefined;
  /** True if the person came for a new password. */
  wantsReset?: boolean;
}

export function LoginForm({ form, notice, wantsReset = false }: LoginFormProps) {
  const reset = useReset(form);
  return (
    <form noValidate aria-label="Login" className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      {wantsReset && (
        <p className="max-w-[52ch] text-dim">
          For a new password, enter your email address and press Forgot password? below. A link to
          it comes by mail.
        </p>
      )}
      <UsernameField label="Email or username" aria-required {...form.field("identifier")} />
      <PasswordField
        label="Password"
        aria-required
        autoComplete="current-password"
        {...form.field("password")}
      />
      <FormProblem>{form.problem ?? (form.isSending ? undefined : notice)}</FormProblem>
      <Button type="submit" isBusy={form.isSending} variant="main" size="large">
        {form.isSending ? "LOGGING IN..." : "LOG IN"}
      </Button>
      <TextButton size="large" aria-disabled={reset.isSending} onClick={() => reset.send()}>
        Forgot password?
      </TextButton>
    </form>
  );
}

interface IdentifierForm {
  getValues: (field: "identifier") => string;
  setError: (field: "identifier", message: string) => void;
  clearError: (field: "identifier" | "password") => void;
  setProblem: (problem: string | undefined) => void;
}

/** The forgot-password action, which uses the identifier's field. */
function useReset({ getValues, setError, clearError, setProblem }: IdentifierForm) {
  async function ask(): Promise<void> {
    setProblem(undefined);
    clearError("identifier");
    clearError("password");
    await loadRules();
    const typed = getValues("identifier");
    const checked = withRules((rules) => rules.checkForgot(typed));
    const broken = checked?.problems?.[0];
    if (broken && broken.code !== "email_domain_not_ascii")
      return setError("identifier", broken.message);
    try {
      await call("POST", "/api/auth/forgot", {
        body: { email: checked?.value ?? typed, redirect_to: redirectTo("/profile") },
      });
      toastSuccess("reset_sent");
    } catch (error) {
      setProblem(wordsFor(error, messageText("login_unreachable")));
    }
  }

  const { mutate, isPending } = useSingleMutation({ mutationFn: ask });
  return { isSending: isPending, send: () => mutate() };
}
