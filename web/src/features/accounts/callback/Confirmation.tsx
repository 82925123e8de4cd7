// A confirmation link from its opening to the next page.
import { useState } from "react";
import { send } from "../../../api/send.ts";
import { withRules } from "../../../rules/rules.ts";
import { textOf } from "../../../rules/words.ts";
import type { SessionView } from "../../../session/types.ts";
import { useAuth } from "../../../session/useAuth.ts";
import type { MailedLink } from "../mailedLink.ts";
import { useOnce } from "../useOnce.ts";
import { useRedirectAfter } from "../useRedirectAfter.ts";
import {
  CallbackAlreadyConfirmed,
  CallbackFailed,
  CallbackLoading,
  CallbackSuccess,
  failureText,
} from "./CallbackWords.tsx";

interface Confirmed {
  status: "confirmed" | "already_confirmed";
  username: string | null;
  /** Given only to the browser that signed up. */
  session: SessionView | null;
}

export function Confirmation({ link }: { link: MailedLink }) {
  const { user } = useAuth();
  // Decided once: the session that redeeming brings must not turn a success into something else.
  const [start] = useState(() =>
    withRules((rules) => rules.callback(link.fragment, link.query, user !== null)),
  );
  switch (start?.state) {
    case "redeem":
      return <Redeeming token={start.token} />;
    case "already_confirmed":
      return <AlreadyConfirmed />;
    default:
      return <CallbackFailed text={start?.message ?? textOf("callback_unexpected")} />;
  }
}

function Redeeming({ token }: { token: string }) {
  const { adopt } = useAuth();
  const outcome = useOnce(async () => {
    const confirmed = await send<Confirmed>("POST", "/api/auth/confirm", { body: { token } });
    if (confirmed.session) adopt(confirmed.session);
    return confirmed;
  });
  if (outcome.at === "pending") return <CallbackLoading />;
  if (outcome.at === "failed") return <CallbackFailed text={failureText(outcome.error)} />;
  return outcome.value.status === "confirmed" ? <Success /> : <AlreadyConfirmed />;
}

function Success() {
  useRedirectAfter("/auth/welcome", redirectMs());
  return <CallbackSuccess />;
}

function AlreadyConfirmed() {
  useRedirectAfter("/", redirectMs());
  return <CallbackAlreadyConfirmed />;
}

function redirectMs(): number | undefined {
  return withRules((rules) => rules.limits().confirmed_redirect_ms);
}
