// The admin sign-in: address and password, then the second factor.
import "../../style/whole.css";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useRules } from "../../rules/useRules.ts";
import { TwoFactorScreen } from "../../session/screens/TwoFactorScreen.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { GroovesBehind } from "../../ui/Grooves.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { SkeletonLines } from "../../ui/Skeleton.tsx";
import { AdminLoginForm } from "./AdminLoginForm.tsx";

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
  const { lastKnown, loading, isFailing, checkAgain, signOut } = useAuth();
  // Whether the form is locked is a rule, so it waits for the rules.
  if ((loading && !isFailing) || rules === "loading") return <SkeletonLines lines={4} />;
  // A failed session check keeps the current step.
  const { isAdmin, authStage, mfaSetupRequired } = lastKnown;
  if (isAdmin && (authStage === "authenticated" || mfaSetupRequired))
    return <LeadOn to={next?.startsWith("/admin") ? next : "/admin"} />;
  if (isAdmin && authStage === "mfa_pending") {
    return <TwoFactorScreen onVerified={() => void checkAgain()} onCancel={() => void signOut()} />;
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
