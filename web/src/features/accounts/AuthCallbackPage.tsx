// Where the links of mails lead: the confirmation of a sign-up, and the links that object to something.
import { useRouterState } from "@tanstack/react-router";
import { useRules } from "../../rules/useRules.ts";
import { useAuth } from "../../session/useAuth.ts";
import { messageText } from "../../ui/messages.ts";
import { CallbackFailed, CallbackLoading } from "./callback/CallbackScreens.tsx";
import { Confirmation } from "./callback/Confirmation.tsx";
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
  // Only a session tells an address without a link from one that was confirmed; a link need not wait for it.
  if (rules === "loading" || (loading && !link.token)) return <CallbackLoading />;
  if (!link.token && isObjection(openedBy)) return <ObjectionLeft kind={openedBy} />;
  // It may be as good as ever: it is only not here any more.
  if (!link.token && !user && openedBy === "signup" && !link.fragment && !link.query) {
    return <CallbackFailed text={messageText("mailed_link_left")} />;
  }
  return <Confirmation key={link.fragment + link.query} link={link} />;
}
