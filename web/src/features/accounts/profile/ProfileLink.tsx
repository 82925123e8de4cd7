// Mailed links that lead to the profile, inspected and redeemed before the session decides what shows.
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../api/client.ts";
import { useProfileChanges } from "../../../session/profileQuery.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { wordsFor } from "../../../session/wordsFor.ts";
import { messageText } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { PageHead } from "../../../ui/PageHead.tsx";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { isOwnLink, LinkQuestion, lookAtLink } from "../link/LinkQuestion.tsx";
import { dropMailedLink } from "../mailedLink.ts";
import { useOnce } from "../useOnce.ts";

export type ProfileLinkType = "recovery" | "email_change";

/** The effect of a redeemed link. */
export interface Redeemed {
  type: ProfileLinkType;
  /** The account's new address, after a change of it. */
  email?: string;
}

interface ProfileLinkProps {
  type: ProfileLinkType;
  token: string;
  onRedeemed: (redeemed: Redeemed) => void;
}

export function ProfileLink({ type, token, onRedeemed }: ProfileLinkProps) {
  const giveUp = useGiveUp();
  const [isAgreed, setAgreed] = useState(false);
  const look = useOnce(async () => {
    try {
      return await lookAtLink(type, token);
    } catch (error) {
      await giveUp(error);
      return undefined;
    }
  });
  const view = look.at === "done" ? look.value : undefined;
  if (view && !isAgreed && !isOwnLink(view)) {
    return <LinkQuestion view={view} onGo={() => setAgreed(true)} />;
  }
  return (
    <>
      <PageHead name="PROFILE" />
      {view ? (
        <Redeeming type={type} token={token} onRedeemed={onRedeemed} />
      ) : (
        <Notice busy>CHECKING YOUR LINK...</Notice>
      )}
    </>
  );
}

function Redeeming({ type, token, onRedeemed }: ProfileLinkProps) {
  const { adopt, enter } = useAuth();
  const { readAgain } = useProfileChanges();
  const giveUp = useGiveUp();

  async function redeem(): Promise<Redeemed> {
    if (type === "recovery") {
      adopt(await enter(() => call("POST", "/api/auth/reset", { body: { token } })));
      return { type };
    }
    const { email } = await call("POST", "/api/auth/email-change/confirm", {
      body: { token },
    });
    await readAgain();
    showToast({ title: "EMAIL UPDATED", description: email });
    return { type, email };
  }

  useOnce(async () => {
    try {
      onRedeemed(await redeem());
      dropMailedLink();
    } catch (error) {
      await giveUp(error);
    }
  });

  return <Notice busy>CHECKING YOUR LINK...</Notice>;
}

/** Says why a link failed, and leads home. */
function useGiveUp(): (error: unknown) => Promise<void> {
  const router = useRouter();
  return async (error) => {
    showToast({
      title: wordsFor(error, messageText("callback_unexpected")),
      isError: true,
    });
    // Only from this page. Leaving it drops the link.
    if (router.state.location.pathname === "/profile")
      await router.navigate({ to: "/", replace: true });
  };
}
