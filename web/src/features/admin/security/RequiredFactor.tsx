// The dashboard's first screen where the label asks every admin for a second factor, and this one has none yet.
import { useAuth } from "../../../session/useAuth.ts";
import { OwnFactor } from "./OwnFactor.tsx";

interface RequiredFactorProps {
  /** Whether recovery codes stand on the screen that nobody has kept yet. */
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
