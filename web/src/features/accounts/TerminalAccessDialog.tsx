// The login dialog: sign-in, sign-up, and the second factor if the account has one.
import { Tabs } from "@base-ui/react/tabs";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { apiError, call } from "../../api/client.ts";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import { mapChecked, useRulesForm } from "../../rules/forms/useRulesForm.ts";
import { FULL_NAME_REQUIRED, USERNAME_TOO_SHORT } from "../../rules/generated/constants.ts";
import { loadRules, withRules } from "../../rules/rules.ts";
import { useRules } from "../../rules/useRules.ts";
import { mfaMessage } from "../../session/mfaMessages.ts";
import { TwoFactorScreen } from "../../session/screens/TwoFactorScreen.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { wordsFor } from "../../session/wordsFor.ts";
import { Button } from "../../ui/Button.tsx";
import { EmailField, Field, PasswordField, UsernameField } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { Modal } from "../../ui/Modal.tsx";
import { messageText } from "../../ui/messages.ts";
import { TextButton } from "../../ui/TextButton.tsx";
import { useToastsAhead } from "../../ui/toasts/Toasts.tsx";
import { toastSuccess } from "../../ui/toasts/toast.ts";
import { useIsMounted } from "../../ui/useIsMounted.ts";
import { redirectTo } from "./redirectTo.ts";
import { signUp } from "./signUp.ts";

type LeftBecause = "cancelled" | "expired";

/** Closing discards what its forms hold. */
export function TerminalAccessDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const wantsReset = useRouterState({ select: (state) => state.location.search.reset === true });
  const { user, ended, mfaRequired, isFactorGiven, signOut } = useAuth();
  const [isSecondStep, setSecondStep] = useState(false);
  const [isGivenHere, setGivenHere] = useState(false);
  const [left, setLeft] = useState<LeftBecause>();
  const [tab, setTab] = useState<string>("login");
  const loginForm = useLoginForm(() => setLeft(undefined));
  // Replaces the dialog's entry: Back leads to the page under it.
  const signUpForm = useSignUpForm(() => {
    // If the dialog was closed in the meantime, the page stays; the letter says the rest.
    if (isMounted()) void navigate({ to: "/auth/signup-success", replace: true });
  });
  const leave = useCallback(() => {
    if (wantsReset) void navigate({ to: "/profile", replace: true });
    else onClose();
  }, [wantsReset, navigate, onClose]);
  useRules();
  useToastsAhead();

  const { setFocus } = loginForm;
  useEffect(() => {
    if (left) setFocus("identifier");
  }, [left, setFocus]);

  // A code given here stays until the screen leads on, though the session may be verified earlier.
  if (isSecondStep && !isGivenHere && user && !mfaRequired) setSecondStep(false);
  if (mfaRequired && !isSecondStep && !left) setSecondStep(true);
  if (isSecondStep && !isFactorGiven && user === null) leaveSecondStep("expired");
  const isSignedIn = user !== null && !mfaRequired && !isSecondStep;
  useEffect(() => {
    // In this tab or another one.
    if (isSignedIn) leave();
  }, [isSignedIn, leave]);

  function leaveSecondStep(because: LeftBecause): void {
    setLeft(because);
    setSecondStep(false);
    setTab("login");
  }
  async function cancel(): Promise<void> {
    leaveSecondStep("cancelled");
    await signOut();
  }

  if (isSecondStep) {
    return (
      <Modal title="TERMINAL ACCESS" onClose={isFactorGiven ? leave : () => void cancel()}>
        <div className="p-gutter">
          <TwoFactorScreen
            onGiven={() => setGivenHere(true)}
            onVerified={leave}
            onCancel={() => void cancel()}
          />
        </div>
      </Modal>
    );
  }
  return (
    <Modal title="TERMINAL ACCESS" onClose={onClose}>
      <Tabs.Root value={tab} onValueChange={setTab}>
        <Tabs.List
          activateOnFocus
          className="type-label grid grid-cols-2 border-hairline border-b"
          aria-label="Access"
        >
          {TABS.map(({ value, name }) => (
            <Tabs.Tab
              key={value}
              value={value}
              className="group flex min-h-12 items-center gap-[min(0.625rem,4%)] px-[min(var(--gutter),6%)] text-dim -outline-offset-2 hover:text-ink aria-selected:text-ink not-first:border-hairline not-first:border-l"
            >
              <span
                aria-hidden="true"
                className="block-cursor hidden text-signal group-aria-selected:inline-block"
              />
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* A closing panel fades out with its content; two forms at once would share field names. */}
        <Tabs.Panel value="login" className="p-gutter">
          {tab === "login" && (
            <LoginForm
              form={loginForm}
              notice={
                left === "cancelled"
                  ? messageText("mfa_cancelled")
                  : ended || left === "expired"
                    ? mfaMessage("no_session")
                    : undefined
              }
              wantsReset={wantsReset}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="signup" className="p-gutter">
          {tab === "signup" && <SignUpForm form={signUpForm} />}
        </Tabs.Panel>
      </Tabs.Root>
    </Modal>
  );
}

const TABS = [
  { value: "login", name: "LOGIN" },
  { value: "signup", name: "SIGN UP" },
] as const;

const BLANK = { identifier: "", password: "" };

/** The state of the tab, kept by the dialog while another tab is on show. */
function useLoginForm(onTry: () => void) {
  const { signIn } = useAuth();
  const form = useRulesForm({
    // Sent as typed: the server normalises it the same way.
    check: (rules, typed) => mapChecked(rules.checkLogin(typed), () => typed),
    blank: BLANK,
    async send({ identifier, password }) {
      onTry();
      try {
        await signIn(identifier, password);
        form.reset(BLANK);
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

function LoginForm({ form, notice, wantsReset = false }: LoginFormProps) {
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

/** The forgot-password action, which uses the identifier's field. */
function useReset(form: ReturnType<typeof useLoginForm>) {
  const { getValues, setError, clearError, setProblem } = form;
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

function useSignUpForm(onSignedUp: () => void) {
  const form = useRulesForm({
    // Sent as typed: the server normalises it the same way.
    check: (rules, typed) => mapChecked(rules.checkSignupDialog(typed), () => typed),
    blank: { full_name: "", email: "", username: "", password: "" },
    async send(typed) {
      const { email, password, full_name, username } = typed;
      // Without the rules these were not reported, and the server takes a sign-up without them from the page.
      const fields = {
        ...(!full_name.trim() && { full_name: FULL_NAME_REQUIRED }),
        ...(!username.trim() && { username: USERNAME_TOO_SHORT }),
      };
      if (form.showRefusal({ fields })) return;
      try {
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

function SignUpForm({ form }: { form: ReturnType<typeof useSignUpForm> }) {
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
