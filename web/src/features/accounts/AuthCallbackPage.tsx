// The page of mailed links: the confirmation of a sign-up, and objections.
import { useRouterState } from "@tanstack/react-router";
import { useRules } from "../../rules/useRules.ts";
import { useAuth } from "../../session/useAuth.ts";
import { useUnreachable } from "../../session/useMember.ts";
import { messageText } from "../../ui/messages.ts";
import {
  CallbackFailed,
  CallbackLoading,
  Confirmation,
  startOf,
} from "./callback/Confirmation.tsx";
import { isObjection, Objection, ObjectionLeft } from "./callback/Objection.tsx";
import { useMailedLink } from "./mailedLink.ts";

export function AuthCallbackPage() {
  const link = useMailedLink();
  const rules = useRules();
  const { loading, user, checkAgain } = useAuth();
  const isUnreachable = useUnreachable();
  const openedBy = useRouterState({ select: ({ location }) => location.state.mailedLink });
  if (link.token && isObjection(link.type)) {
    return <Objection key={link.token} kind={link.type} token={link.token} />;
  }
  if (rules === "loading") return <CallbackLoading />;
  if (!link.token && isObjection(openedBy)) return <ObjectionLeft kind={openedBy} />;
  // Without a link, only a session shows that the address was confirmed.
  if (startOf(link, true).state === "already_confirmed") {
    if (isUnreachable) {
      const text = messageText("callback_unexpected");
      return <CallbackFailed text={text} onTryAgain={() => void checkAgain()} />;
    }
    if (loading) return <CallbackLoading />;
    // The link may still be good, but a reload has forgotten it.
    if (!user && openedBy === "signup" && !link.fragment && !link.query) {
      return <CallbackFailed text={messageText("mailed_link_left")} />;
    }
  }
  return <Confirmation key={link.fragment + link.query} link={link} />;
}
