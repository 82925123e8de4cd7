// The frame of all admin pages: who may see them, who is signed in, and the ways to the site and out.
import "../../style/whole.css";
import { Navigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { version } from "../../../package.json";
import { useRules } from "../../rules/useRules.ts";
import { ServerUnreachablePage } from "../../session/ServerUnreachablePage.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { useUnreachable } from "../../session/useMember.ts";
import { Button } from "../../ui/Button.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { useLabelName } from "../../ui/labelName.ts";
import { SkeletonBlock } from "../../ui/Skeleton.tsx";
import { UnsavedFrame, useAskBefore } from "../../ui/unsaved/UnsavedFrame.tsx";
import { RequiredFactor } from "./security/OwnFactor.tsx";

const BUILD_LABEL = `v${version}`;

interface AdminFrameProps {
  /** The link back to the dashboard, on other pages. */
  wayBack?: ReactNode;
  children: ReactNode;
}

export function AdminFrame({ wayBack, children }: AdminFrameProps) {
  const { user, ended, lastKnown, isKnown } = useAuth();
  const isUnreachable = useUnreachable();
  const [hasCodes, setHasCodes] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const { state } = useRouter();
  const [address] = useState(state.location.href);
  const owner = user ?? ended;
  useRules();
  if (isUnreachable) return <ServerUnreachablePage />;
  if (!isKnown) {
    return <SkeletonBlock lines={4} />;
  }
  // A failed session check leaves the page open, and so does a session that ended on it, until its owner signs in again or leaves.
  const isOpen = (lastKnown.isAdmin && lastKnown.authStage === "authenticated") || ended !== null;
  // The dashboard opens only once the recovery codes are kept.
  if ((lastKnown.isAdmin && lastKnown.mfaSetupRequired) || (hasCodes && ended === null)) {
    return (
      <UnsavedFrame>
        <Header email={user?.email} />
        <h1 className="sr-only">Admin Dashboard</h1>
        <RequiredFactor onCodes={setHasCodes} />
      </UnsavedFrame>
    );
  }
  if (isOpen && !wasOpen) setWasOpen(true);
  // A visitor who followed a link is led on to it after signing in; after leaving, the next sign-in starts anew.
  if (!isOpen)
    return <Navigate to="/admin/login" replace state={wasOpen ? {} : { next: address }} />;
  return (
    // The next admin does not go on with the work of the one before.
    <UnsavedFrame key={owner?.id}>
      <Header email={owner?.email} wayBack={wayBack} />
      {children}
    </UnsavedFrame>
  );
}

function Header({ email, wayBack }: { email: string | undefined; wayBack?: ReactNode }) {
  const { signOut } = useAuth();
  const label = useLabelName();
  const askBefore = useAskBefore();
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-hairline border-b px-gutter py-2 sm:py-4">
      <div className="min-w-0">
        <p className="flex items-baseline gap-3">
          <span className="type-wordmark text-[0.8125rem] tracking-normal">{label}</span>
          <span className="type-label text-dim">{BUILD_LABEL}</span>
        </p>
        <p className="text-dim sm:mt-1">Welcome, {email}</p>
      </div>
      <div className="type-label flex flex-wrap gap-3">
        {wayBack}
        <LinkButton to="/">Live Site</LinkButton>
        <Button variant="outline" onClick={() => askBefore(() => void signOut())}>
          Sign Out
        </Button>
      </div>
    </header>
  );
}
