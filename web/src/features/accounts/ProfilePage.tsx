// A signed-in person's own page, and who is let onto it.
import { Navigate } from "@tanstack/react-router";
import { useState } from "react";
import { TwoFactorScreen } from "../../session/screens/TwoFactorScreen.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { useMember } from "../../session/useMember.ts";
import { Notice } from "../../ui/Notice.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { useMailedLink } from "./mailedLink.ts";
import { ProfileSheet } from "./profile/ProfileSheet.tsx";
import { type ProfileLinkType, Redeeming } from "./profile/Redeeming.tsx";

export function ProfilePage() {
  const { token, type } = useMailedLink();
  const [redeemed, setRedeemed] = useState<ProfileLinkType>();
  return (
    <>
      <PageHead name="PROFILE" />
      {token && (type === "recovery" || type === "email_change") ? (
        <Redeeming key={token} type={type} token={token} onRedeemed={setRedeemed} />
      ) : (
        <Guarded isPasswordAtHand={redeemed === "recovery"} />
      )}
    </>
  );
}

function Guarded({ isPasswordAtHand }: { isPasswordAtHand: boolean }) {
  const member = useMember();
  const { signOut } = useAuth();
  switch (member.at) {
    case "loading":
      return <Notice busy>LOADING PROFILE...</Notice>;
    case "visitor":
      return <Navigate to="/" replace />;
    case "pending":
      return (
        <div className="grid-sheet py-10 lg:py-14">
          <div className="col-span-12 lg:col-span-6 lg:col-start-4">
            <TwoFactorScreen onVerified={() => undefined} onCancel={() => void signOut()} />
          </div>
        </div>
      );
    case "member":
      return <ProfileSheet isPasswordAtHand={isPasswordAtHand} />;
  }
}
