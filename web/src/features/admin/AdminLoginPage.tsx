// The admin sign-in: address and password, then the second factor.
import "../../style/whole.css";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useState, useSyncExternalStore } from "react";
import { apiError } from "../../api/client.ts";
import { useRulesForm } from "../../rules/forms/useRulesForm.ts";
import { withRules } from "../../rules/rules.ts";
import { useRules } from "../../rules/useRules.ts";
import { createBrowserStore } from "../../session/browserStore.ts";
import { TwoFactorScreen } from "../../session/screens/TwoFactorScreen.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { useWait } from "../../session/useWait.ts";
import { wordsFor } from "../../session/wordsFor.ts";
import { Button } from "../../ui/Button.tsx";
import { Field, PasswordField } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { GroovesBehind } from "../../ui/Grooves.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { messageText } from "../../ui/messages.ts";
import { SkeletonLines } from "../../ui/Skeleton.tsx";

export function AdminLoginPage() {
  return (
    <div className="relative flex flex-1 flex-col overflow-hidden">
      <GroovesBehind
        seed="Admin Login"
        className="-right-1/2 -bottom-1/4 w-[140%] lg:-right-24 lg:w-3/4"
      />
      <div className="grid-sheet relative flex-1 content-center gap-y-9 py-12">
        <header className="col-span-12 flex flex-col gap-4 lg:col-span-6">
          <h1 className="type-display text-balance">
            <span className="knockout">Admin Login</span>
          </h1>
          <p className="type-lead">
            <span className="knockout">Access the CMS dashboard</span>
          </p>
        </header>
        <div className="col-span-12 border border-ink bg-ground p-gutter lg:col-span-5 lg:col-start-8">
          <Step />
        </div>
        <LinkButton to="/" className="col-span-12 justify-self-start bg-ground lg:col-span-6">
          Live Site
        </LinkButton>
      </div>
    </div>
  );
}

function Step() {
  const rules = useRules();
  const next = useRouterState({ select: ({ location }) => location.state.next });
  const { lastKnown, loading, isFailing, signOut } = useAuth();
  // Whether the form is locked is a rule, so it waits for the rules.
  if ((loading && !isFailing) || rules === "loading") return <SkeletonLines lines={4} />;
  // A failed session check keeps the current step.
  const { isAdmin, authStage, mfaSetupRequired } = lastKnown;
  if (isAdmin && (authStage === "authenticated" || mfaSetupRequired))
    return <LeadOn to={next?.startsWith("/admin") ? next : "/admin"} />;
  if (isAdmin && authStage === "mfa_pending") {
    return <TwoFactorScreen onVerified={() => undefined} onCancel={() => void signOut()} />;
  }
  return <AdminLoginForm />;
}

/** Navigates once: on the way the requested address is no longer known. */
function LeadOn({ to }: { to: string }) {
  const { history } = useRouter();
  const [target] = useState(to);
  useEffect(() => history.replace(target), [history, target]);
  return null;
}

/** The admin sign-in. Members who are not admins are signed out again. */
function AdminLoginForm() {
  const { signIn, signOut } = useAuth();
  const lock = useLoginLock();
  const form = useRulesForm({
    check: (rules, typed) => rules.checkAdminLogin(typed),
    blank: { email: "", password: "" },
    async send({ email, password }) {
      if (lock.isLocked) return;
      try {
        const { isAdmin } = await signIn(email, password);
        if (isAdmin) {
          lock.clear();
        } else {
          lock.countFailure();
          form.setProblem(messageText("admin_required"));
          await signOut();
        }
      } catch (error) {
        const { isRefusal, status } = apiError(error);
        // A request the server could not read was no attempt.
        if (isRefusal && status !== 422) lock.countFailure();
        form.setProblem(wordsFor(error, messageText("admin_login_unexpected")));
      }
    },
  });
  const problem = lock.isLocked ? messageText("admin_login_locked") : form.problem;

  return (
    <form
      noValidate
      aria-label="Admin Login"
      className="flex flex-col gap-5"
      onSubmit={form.onSubmit}
    >
      {lock.isLocked && (
        <p role="alert" tabIndex={-1} data-focus-home className="border border-signal p-4">
          {messageText("admin_login_lock_alert")}
        </p>
      )}
      <Field
        autoFocus
        label="Email"
        aria-required
        // Not "email": browsers would judge and trim the value before the rules see it.
        type="text"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field("email")}
      />
      <PasswordField
        label="Password"
        aria-required
        autoComplete="current-password"
        {...form.field("password")}
      />
      <FormProblem>{problem}</FormProblem>
      <div role="status" className="empty:-mt-5">
        {lock.hasHint && (
          <p className="border border-hairline p-4 text-dim">{messageText("admin_login_hint")}</p>
        )}
      </div>
      <Button
        type="submit"
        disabled={lock.isLocked}
        isBusy={form.isSending}
        variant="main"
        size="large"
      >
        {form.isSending ? "Signing in..." : "Sign In"}
      </Button>
    </form>
  );
}

const OPEN = { locked: false, hint: false, wait_seconds: 0 };

const failures = createBrowserStore(
  "deadwax.admin-login-failures",
  (found) =>
    Array.isArray(found) ? found.filter((at): at is number => typeof at === "number") : [],
  "tab",
);

function useLoginLock() {
  const failedAt = useSyncExternalStore(failures.subscribe, failures.get);
  const lastFailure = failedAt.at(-1);
  const lock = withRules((rules) => rules.loginLock(failedAt, Date.now())) ?? OPEN;
  // Renders every second while the lock lasts, to notice its end.
  useWait(lock.locked ? (lastFailure ?? 0) + lock.wait_seconds * 1_000 : undefined);

  return {
    isLocked: lock.locked,
    hasHint: lock.hint,
    countFailure(): void {
      failures.update((before) => [
        ...(withRules((rules) => rules.loginLockAfterFailure(before, Date.now())) ?? before),
      ]);
    },
    clear: () => failures.clear(),
  };
}
