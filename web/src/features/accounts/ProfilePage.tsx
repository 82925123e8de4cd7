// The profile page, and who may open it.
import { Navigate, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { ServerUnreachablePage } from "../../session/ServerUnreachablePage.tsx";
import { TwoFactorScreen } from "../../session/screens/TwoFactorScreen.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { useMember } from "../../session/useMember.ts";
import { MessagePage } from "../../ui/MessagePage.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { takeFocus } from "../../ui/takeFocus.ts";
import { ReturnHome } from "./callback/Confirmation.tsx";
import { LinkLeft, LoginButton } from "./link/LinkQuestion.tsx";
import { useMailedLink } from "./mailedLink.ts";
import { ProfileLink, type ProfileLinkType, type Redeemed } from "./profile/ProfileLink.tsx";
import { ProfileSheet } from "./profile/ProfileSheet.tsx";

/** The page names of mailed links that lead here. */
const LINKS: Record<ProfileLinkType, string> = {
  recovery: "NEW PASSWORD",
  email_change: "NEW ADDRESS",
};

function isProfileLink(type: string | undefined): type is ProfileLinkType {
  return type !== undefined && Object.hasOwn(LINKS, type);
}

export function ProfilePage() {
  const { token, type } = useMailedLink();
  const [redeemed, setRedeemed] = useState<Redeemed>();
  if (token && isProfileLink(type)) {
    return <ProfileLink key={token} type={type} token={token} onRedeemed={setRedeemed} />;
  }
  return <Guarded redeemed={redeemed} />;
}

function Guarded({ redeemed }: { redeemed: Redeemed | undefined }) {
  const member = useMember();
  const { signOut } = useAuth();
  const openedBy = useRouterState({ select: ({ location }) => location.state.mailedLink });
  // Anyone who leaves their open profile is led home, whatever link opened it.
  const [wasHere, setWasHere] = useState(redeemed !== undefined);
  if (!wasHere && (member === "pending" || member === "member")) setWasHere(true);
  if (member === "visitor") {
    if (redeemed?.email) return <AddressChanged email={redeemed.email} />;
    if (!wasHere && isProfileLink(openedBy)) return <LinkLeft name={LINKS[openedBy]} />;
    return <Navigate to="/" replace />;
  }
  if (member === "unreachable") return <ServerUnreachablePage />;
  return (
    <>
      <PageHead name="PROFILE" />
      {member === "loading" && <Notice busy>LOADING PROFILE...</Notice>}
      {member === "pending" && (
        <div className="grid-sheet py-10 lg:py-14">
          <div className="col-span-12 lg:col-span-6 lg:col-start-4">
            <TwoFactorScreen onVerified={() => undefined} onCancel={() => void signOut()} />
          </div>
        </div>
      )}
      {member === "member" && <ProfileSheet isPasswordAtHand={redeemed?.type === "recovery"} />}
    </>
  );
}

/** A new address was confirmed in a browser without a session: a link signs no one in. */
function AddressChanged({ email }: { email: string }) {
  return (
    <MessagePage
      name="NEW ADDRESS"
      message={
        // Takes the focus of the pressed button, which is gone.
        <div ref={takeFocus} tabIndex={-1} role="status" className="outline-none">
          <p className="[overflow-wrap:anywhere]">Your account has the address {email} now.</p>
          <p className="text-dim">You can log in with it.</p>
        </div>
      }
    >
      <LoginButton />
      <ReturnHome />
    </MessagePage>
  );
}
