// The SIGN UP tab.
import { apiError, serviceMessage } from "../../../api/client.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, PasswordField } from "../../../ui/Field.tsx";
import { FormProblem } from "../../../ui/FormLine.tsx";
import { messageText } from "../../../ui/messages.ts";
import { signUp } from "./signUp.ts";

/** What the tab holds, kept by the dialog while another tab is on show. */
export function useSignUpForm(onSignedUp: () => void) {
  const form = useRulesForm({
    // Sent as typed: the server reads it the same way.
    check: (rules, typed) => mapChecked(rules.checkSignupDialog(typed), () => typed),
    unchecked: (typed) => typed,
    blank: { full_name: "", email: "", username: "", password: "" },
    async send(typed) {
      try {
        await signUp(typed);
        onSignedUp();
      } catch (error) {
        const failure = apiError(error);
        const said = serviceMessage(error);
        const isBesideFields = failure.isRefusal && form.showRefusal(failure);
        // A rule that only the server could apply; beside its field it says everything.
        if (isBesideFields && failure.status === 422) return;
        form.setProblem(
          said ? messageText("registration_failed", said) : messageText("registration_unreachable"),
        );
      }
    },
  });
  return form;
}

export function SignUpForm({ form }: { form: ReturnType<typeof useSignUpForm> }) {
  return (
    <form noValidate aria-label="Sign up" className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <Field
        label="Full name"
        aria-required
        autoComplete="name"
        error={form.errorOf("full_name")}
        {...form.register("full_name")}
      />
      <Field
        label="Email"
        aria-required
        type="email"
        inputMode="email"
        autoComplete="email"
        error={form.errorOf("email")}
        {...form.register("email")}
      />
      <Field
        label="Username"
        aria-required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={form.errorOf("username")}
        {...form.register("username")}
      />
      <PasswordField
        label="Password"
        aria-required
        autoComplete="new-password"
        error={form.errorOf("password")}
        {...form.register("password")}
      />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" isBusy={form.isSending} variant="main" size="large">
        {form.isSending ? "SIGNING UP..." : "SIGN UP"}
      </Button>
    </form>
  );
}
