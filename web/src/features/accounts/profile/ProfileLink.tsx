// Mailed links that lead to the profile, inspected and redeemed before the session decides what shows.
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { apiError, call } from "../../../api/client.ts";
import { useProfileChanges } from "../../../session/profileQuery.ts";
import { forgetSignup } from "../../../session/signupState.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { wordsFor } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { MessagePage } from "../../../ui/MessagePage.tsx";
import { messageText } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { PageHead } from "../../../ui/PageHead.tsx";
import { useToastsAhead } from "../../../ui/toasts/Toasts.tsx";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { ReturnHome } from "../callback/Confirmation.tsx";
import { isOwnLink, LinkQuestion, lookAtLink } from "../link/LinkQuestion.tsx";
import { dropMailedLink } from "../mailedLink.ts";
import { useOnce } from "../useOnce.ts";

const NAME = "PROFILE";

const USED_BEFORE = "If you used this link before, your account has its new address.";

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

export function ProfileLink(props: ProfileLinkProps) {
  useToastsAhead();
  const [tries, setTries] = useState(1);
  return <OneTry key={tries} {...props} onTryAgain={() => setTries(tries + 1)} />;
}

interface TryProps extends ProfileLinkProps {
  onTryAgain: () => void;
}

function OneTry(props: TryProps) {
  const { type, token, onTryAgain } = props;
  const giveUp = useGiveUp(type);
  const [isAgreed, setAgreed] = useState(false);
  const look = useOnce(async () => {
    try {
      return await lookAtLink(type, token);
    } catch (error) {
      await giveUp(error);
      return undefined;
    }
  });
  if (look.at === "failed") return <Failed error={look.error} onTryAgain={onTryAgain} />;
  const view = look.at === "done" ? look.value : undefined;
  if (view && !isAgreed && !isOwnLink(view)) {
    return <LinkQuestion view={view} onGo={() => setAgreed(true)} />;
  }
  return view ? <Redeeming {...props} /> : <Checking />;
}

function Redeeming({ type, token, onRedeemed, onTryAgain }: TryProps) {
  const { adopt, enter } = useAuth();
  const { readAgain } = useProfileChanges();
  const giveUp = useGiveUp(type);

  async function redeem(): Promise<Redeemed> {
    if (type === "recovery") {
      const session = await enter(() => call("POST", "/api/auth/reset", { body: { token } }));
      forgetSignup();
      adopt(session);
      return { type };
    }
    const { email } = await call("POST", "/api/auth/email-change/confirm", {
      body: { token },
    });
    await readAgain();
    showToast({ title: "EMAIL UPDATED", description: email });
    return { type, email };
  }

  const outcome = useOnce(async () => {
    try {
      onRedeemed(await redeem());
      dropMailedLink();
    } catch (error) {
      await giveUp(error);
    }
  });

  if (outcome.at === "failed") return <Failed error={outcome.error} onTryAgain={onTryAgain} />;
  return <Checking />;
}

function Checking() {
  return (
    <>
      <PageHead name={NAME} />
      <Notice busy>CHECKING YOUR LINK...</Notice>
    </>
  );
}

function Failed({ error, onTryAgain }: { error: unknown; onTryAgain: () => void }) {
  return (
    <MessagePage
      name={NAME}
      message={
        <p role="alert" className="text-signal">
          {failureText(error)}
        </p>
      }
    >
      <Button variant="main" onClick={onTryAgain}>
        Try again
      </Button>
      <ReturnHome />
    </MessagePage>
  );
}

function failureText(error: unknown): string {
  return wordsFor(error, messageText("callback_unexpected"));
}

/** Says why a link was refused, and leads home. Throws any other failure: the link is still good. */
function useGiveUp(type: ProfileLinkType): (error: unknown) => Promise<void> {
  const router = useRouter();
  return async (error) => {
    if (apiError(error).isTransient) throw error;
    // The answer to its first use may be lost.
    const mayBeUsed = type === "email_change" && apiError(error).code === "otp_expired";
    showToast({
      title: failureText(error),
      ...(mayBeUsed && { description: USED_BEFORE }),
      isError: true,
    });
    // Only from this page. Leaving it drops the link.
    if (router.state.location.pathname === "/profile")
      await router.navigate({ to: "/", replace: true });
  };
}
