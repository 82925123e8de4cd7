import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { profileQuery } from "../../../session/profileQuery.ts";
import { TwoFactorSettings } from "../../../session/twoFactor/TwoFactorSettings.tsx";
import { useAuth } from "../../../session/useAuth.ts";
import { Reading } from "../lists/RowList.tsx";

type OwnFactorProps = Pick<ComponentProps<typeof TwoFactorSettings>, "onChange" | "onCodes">;

/** The admin's own second factor. */
export function OwnFactor(props: OwnFactorProps) {
  const query = useQuery(profileQuery);
  if (!query.data)
    return <Reading query={query} of={profileQuery} label="two-factor authentication" />;
  return (
    <div className="flex flex-col gap-6 px-gutter py-5">
      <TwoFactorSettings
        profile={query.data}
        {...props}
        lastWay="the person who runs the server turns it off (deadwax admin reset-two-factor)"
      />
    </div>
  );
}

/** `onCodes` is called with true while recovery codes on screen are not kept yet. */
export function RequiredFactor({ onCodes }: Required<Pick<OwnFactorProps, "onCodes">>) {
  const { checkAgain } = useAuth();
  return (
    <section aria-labelledby="required-factor" className="max-w-[72rem]">
      <header className="px-gutter pt-7 pb-2">
        <h2 id="required-factor" className="type-heading">
          Two-factor authentication first
        </h2>
        <p className="mt-4 max-w-[60ch] text-dim">
          This label lets admins in with a second factor only. Set yours up with an authenticator
          app, keep the recovery codes, and the dashboard opens.
        </p>
      </header>
      <OwnFactor onChange={() => void checkAgain()} onCodes={onCodes} />
    </section>
  );
}
