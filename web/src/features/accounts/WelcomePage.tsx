// The first page after a confirmed sign-up.

import { WELCOME_REDIRECT_MS } from "../../rules/generated/constants.ts";
import { useAuth } from "../../session/useAuth.ts";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { MessagePage } from "../../ui/MessagePage.tsx";
import { useRedirectAfter } from "./useRedirectAfter.ts";

export function WelcomePage() {
  const { user, loading, isFailing } = useAuth();
  useRedirectAfter("/", WELCOME_REDIRECT_MS);
  const name = user?.user_metadata.username || user?.email.split("@")[0] || "User";
  return (
    <MessagePage
      name="WELCOME"
      message={
        <>
          <p className="type-heading min-h-[1em]">
            {(!loading || isFailing) && `Welcome, ${name}!`}
          </p>
          <p>Good to have you with us.</p>
        </>
      }
    >
      <LinkButton to="/releases" className="button-main">
        Explore Releases
      </LinkButton>
      <LinkButton to="/">Go To Home</LinkButton>
    </MessagePage>
  );
}
