import { useQuery } from "@tanstack/react-query";
import { profileQuery } from "../../../session/profileQuery.ts";
import {
  CODES_ARE_LOST,
  TwoFactorSettings,
} from "../../../session/twoFactor/TwoFactorSettings.tsx";
import { useAuth } from "../../../session/useAuth.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { Reading } from "../lists/RowList.tsx";

interface OwnFactorProps {
  /** Whether recovery codes are shown and not yet saved. */
  hasCodes: boolean;
  onChange: () => void;
  onCodes: (areUnkept: boolean) => void;
}

/** The admin's own second factor. It asks before unsaved recovery codes are left behind. */
export function OwnFactor({ hasCodes, onChange, onCodes }: OwnFactorProps) {
  const query = useQuery(profileQuery);
  const profile = query.data;
  const { question } = useUnsaved(hasCodes, CODES_ARE_LOST);
  if (profile) {
    return (
      <div className="flex flex-col gap-6 px-gutter py-5">
        <TwoFactorSettings
          profile={profile}
          onChange={onChange}
          onCodes={onCodes}
          lastWay="the person who runs the server turns it off (deadwax admin reset-two-factor)"
        />
        {question}
      </div>
    );
  }
  return <Reading query={query} of={profileQuery} label="two-factor authentication" />;
}

interface RequiredFactorProps {
  hasCodes: boolean;
  onCodes: (areUnkept: boolean) => void;
}

export function RequiredFactor({ hasCodes, onCodes }: RequiredFactorProps) {
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
      <OwnFactor hasCodes={hasCodes} onChange={() => void checkAgain()} onCodes={onCodes} />
    </section>
  );
}
