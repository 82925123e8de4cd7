// The two mailed links that lead to the profile, redeemed before anything is decided about who is here.
import { useRouter } from "@tanstack/react-router";
import { ApiError } from "../../../api/client.ts";
import { send } from "../../../api/send.ts";
import { loadRules } from "../../../rules/rules.ts";
import { textOf } from "../../../rules/words.ts";
import { useProfileChanges } from "../../../session/profileQuery.ts";
import type { SessionView } from "../../../session/types.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { dropMailedLink } from "../mailedLink.ts";
import { useOnce } from "../useOnce.ts";

export type ProfileLinkType = "recovery" | "email_change";

interface RedeemingProps {
  type: ProfileLinkType;
  token: string;
  /** After a link that was good. */
  onRedeemed: (type: ProfileLinkType) => void;
}

export function Redeeming({ type, token, onRedeemed }: RedeemingProps) {
  const { adopt } = useAuth();
  const { readAgain } = useProfileChanges();
  const router = useRouter();

  async function redeem(): Promise<void> {
    if (type === "recovery") {
      adopt(await send<SessionView>("POST", "/api/auth/reset", { body: { token } }));
      return;
    }
    const { email } = await send<{ email: string }>("POST", "/api/auth/email-change/confirm", {
      body: { token },
    });
    await readAgain();
    showToast({ title: "EMAIL UPDATED", description: email });
  }

  useOnce(async () => {
    try {
      // The words for a link that is no good come with the rules.
      await loadRules();
      await redeem();
      onRedeemed(type);
      dropMailedLink();
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status !== 0;
      showToast({
        title: textOf(isRefused ? "callback_invalid" : "callback_unexpected"),
        isError: true,
      });
      // Whoever has gone elsewhere meanwhile stays there. Leaving the page drops the link.
      if (router.state.location.pathname === "/profile")
        await router.navigate({ to: "/", replace: true });
    }
  });

  return <Notice busy>CHECKING YOUR LINK...</Notice>;
}
