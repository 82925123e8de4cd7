import { apiError } from "../../../api/client.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { wordsFor } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmailField, Field, PasswordField, UsernameField } from "../../../ui/Field.tsx";
import { FormProblem } from "../../../ui/FormLine.tsx";
import { messageText } from "../../../ui/messages.ts";
import { signUp } from "../signUp.ts";

/** The state of the tab, kept by the dialog while another tab is on show. */
export function useSignUpForm(onSignedUp: () => void) {
  const form = useRulesForm({
    // Sent as typed: the server normalises it the same way.
    check: (rules, typed) => mapChecked(rules.checkSignupDialog(typed), () => typed),
    unchecked: (typed) => typed,
    blank: { full_name: "", email: "", username: "", password: "" },
    async send(typed) {
      try {
        const { email, password, full_name, username } = typed;
        await signUp({ email, password, data: { username, full_name } });
        onSignedUp();
      } catch (error) {
        const failure = apiError(error);
        const isBesideFields = failure.isRefusal && form.showRefusal(failure);
        // A rule only the server can apply; its message beside the field is enough.
        if (isBesideFields && failure.status === 422) return;
        const failed = messageText("registration_unreachable");
        form.setProblem(wordsFor(error, failed, { refused: "registration_failed" }));
      }
    },
  });
  return form;
}

export function SignUpForm({ form }: { form: ReturnType<typeof useSignUpForm> }) {
  return (
    <form noValidate aria-label="Sign up" className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <Field label="Full name" aria-required autoComplete="name" {...form.field("full_name")} />
      <EmailField aria-required {...form.field("email")} />
      <UsernameField aria-required {...form.field("username")} />
      <PasswordField
        label="Password"
        aria-required
        autoComplete="new-password"
        {...form.field("password")}
      />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" isBusy={form.isSending} variant="main" size="large">
        {form.isSending ? "SIGNING UP..." : "SIGN UP"}
      </Button>
    </form>
  );
}
