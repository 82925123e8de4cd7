// The settings of one's account.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { useRules } from "../../../rules/useRules.ts";
import { isCancelled, withChallenges } from "../../../session/challenge.ts";
import { type Profile, profileQuery } from "../../../session/profileQuery.ts";
import { TwoFactorSettings } from "../../../session/twoFactor/TwoFactorSettings.tsx";
import { useAuth } from "../../../session/useAuth.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { Fact, FactList } from "../../../ui/Facts.tsx";
import { messageText } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { AvatarSection } from "./AvatarSection.tsx";
import { EmailEdit, EmailSection } from "./EmailSection.tsx";
import { PasswordSection } from "./PasswordSection.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { SessionsSection } from "./SessionsSection.tsx";
import { sessionsQuery } from "./sessionsQuery.ts";
import { UsernameEdit } from "./UsernameEdit.tsx";

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

interface IdentitySectionProps {
  profile: Profile;
  isEmailOpen: boolean;
  onEmailOpen: (isOpen: boolean) => void;
}

function IdentitySection({ profile, isEmailOpen, onEmailOpen }: IdentitySectionProps) {
  const [isNameOpen, setNameOpen] = useState(false);
  return (
    <ProfileSection name="IDENTITY">
      <div className="flex flex-col gap-8 sm:flex-row sm:items-start">
        <Picture
          of={{ id: profile.id, image_url: profile.avatar_url }}
          alt="Your avatar"
          sizes="12rem"
          isFirst
          className="aspect-square w-40 max-w-full flex-none border border-hairline sm:w-48"
        />
        <FactList>
          {isNameOpen ? (
            <UsernameEdit current={profile.username} onClose={() => setNameOpen(false)} />
          ) : (
            <Fact
              name="Username"
              actions={<EditButton name="username" onPress={() => setNameOpen(true)} />}
            >
              <span className="type-title">{profile.username}</span>
            </Fact>
          )}
          {isEmailOpen ? (
            <EmailEdit profile={profile} onClose={() => onEmailOpen(false)} />
          ) : (
            <Fact
              name="Email"
              actions={<EditButton name="email" onPress={() => onEmailOpen(true)} />}
            >
              {profile.email}
            </Fact>
          )}
          {profile.full_name && <Fact name="Full name">{profile.full_name}</Fact>}
          <Fact name="Member since">{profile.member_since}</Fact>
        </FactList>
      </div>
    </ProfileSection>
  );
}

function EditButton({ name, onPress }: { name: string; onPress: () => void }) {
  return (
    <Button data-focus-home onClick={onPress}>
      Edit <span className="sr-only">{name}</span>
    </Button>
  );
}

function TwoFactorSection({ profile }: { profile: Profile }) {
  const client = useQueryClient();
  return (
    <ProfileSection
      name="MULTI-FACTOR AUTHENTICATION"
      about="A code from your phone besides the password, at every sign-in."
    >
      <TwoFactorSettings
        profile={profile}
        // It ends every other session.
        onChange={() => void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })}
      />
    </ProfileSection>
  );
}

function DangerSection() {
  const [isAsking, setAsking] = useState(false);
  const { leaveForGood } = useAuth();
  const terminate = useSingleMutation({
    mutationFn: () =>
      withChallenges(
        () => leaveForGood(() => call("DELETE", "/api/auth/account")),
        "delete your account",
      ),
    onSuccess: () => toastSuccess("account_terminated"),
    onError: (error) => {
      if (!isCancelled(error)) toastError("termination_failed");
    },
  });
  return (
    <ProfileSection
      name="DANGER ZONE"
      about="Your profile, your avatar, your sessions and your sign-in go for good."
    >
      <Button
        variant="destroy"
        className="self-start"
        isBusy={terminate.isPending}
        onClick={() => setAsking(true)}
      >
        {terminate.isPending ? "Deleting..." : "Delete Account"}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Delete this account?"
          confirm="Yes, delete my account"
          onConfirm={() => {
            setAsking(false);
            terminate.mutate();
          }}
          cancel="Cancel"
          onCancel={() => setAsking(false)}
          isCancelAdvised
        >
          This cannot be undone.
        </ConfirmDialog>
      )}
    </ProfileSection>
  );
}
