// The settings of one's account.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRules } from "../../../rules/useRules.ts";
import { profileQuery } from "../../../session/profileQuery.ts";
import { messageText } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { toastError } from "../../../ui/toasts/toast.ts";
import { AvatarSection } from "./AvatarSection.tsx";
import { DangerSection } from "./DangerSection.tsx";
import { EmailSection } from "./EmailSection.tsx";
import { IdentitySection } from "./IdentitySection.tsx";
import { PasswordSection } from "./PasswordSection.tsx";
import { SessionsSection } from "./SessionsSection.tsx";
import { TwoFactorSection } from "./TwoFactorSection.tsx";

/** Failed reads before the page says so. */
const TRIES = 3;

/** `isPasswordAtHand` after a reset link: the new password comes first. */
export function ProfileSheet({ isPasswordAtHand }: { isPasswordAtHand: boolean }) {
  const { data: profile, isError, failureCount } = useQuery(profileQuery);
  const [isEmailOpen, setEmailOpen] = useState(false);
  const rules = useRules();
  // Shown after three tries; the page keeps trying.
  const isBroken = !profile && (isError || failureCount >= TRIES) && rules !== "loading";
  useEffect(() => {
    if (isBroken) toastError("profile_missing");
  }, [isBroken]);

  if (isBroken) return <Notice>{messageText("profile_missing")}</Notice>;
  if (!profile) return <Notice busy>LOADING PROFILE...</Notice>;
  const password = <PasswordSection email={profile.email} isAtHand={isPasswordAtHand} />;
  return (
    <>
      {isPasswordAtHand && password}
      <IdentitySection profile={profile} isEmailOpen={isEmailOpen} onEmailOpen={setEmailOpen} />
      {!isPasswordAtHand && password}
      <TwoFactorSection profile={profile} />
      <AvatarSection profile={profile} />
      <EmailSection profile={profile} onChange={() => setEmailOpen(true)} />
      <SessionsSection />
      <DangerSection />
    </>
  );
}
