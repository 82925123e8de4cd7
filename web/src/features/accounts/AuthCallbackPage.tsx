// The page of mailed links: the confirmation of a sign-up, and objections.
import { useRouterState } from "@tanstack/react-router";
import { useRules } from "../../rules/useRules.ts";
import { useAuth } from "../../session/useAuth.ts";
import { messageText } from "../../ui/messages.ts";
import { CallbackFailed, CallbackLoading, Confirmation } from "./callback/Confirmation.tsx";
import { isObjection, Objection, ObjectionLeft } from "./callback/Objection.tsx";
import { useMailedLink } from "./mailedLink.ts";

export function AuthCallbackPage() {
  const link = useMailedLink();
  const rules = useRules();
  const { loading, user } = useAuth();
  const openedBy = useRouterState({ select: ({ location }) => location.state.mailedLink });
  if (link.token && isObjection(link.type)) {
    return <Objection key={link.token} kind={link.type} token={link.token} />;
  }
  // Without a link, only a session shows that the address was confirmed.
  if (rules === "loading" || (loading && !link.token)) return <CallbackLoading />;
  if (!link.token && isObjection(openedBy)) return <ObjectionLeft kind={openedBy} />;
  // The link may still be good, but a reload has forgotten it.
  if (!link.token && !user && openedBy === "signup" && !link.fragment && !link.query) {
    return <CallbackFailed text={messageText("mailed_link_left")} />;
  }
  return <Confirmation key={link.fragment + link.query} link={link} />;
}
