// How mail reaches this account: the address, and one that is still to be confirmed.

import type { Profile } from "../../../session/profileQuery.ts";
import { Fact, FactList } from "../../../ui/Facts.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

export function EmailSection({ profile, onChange }: { profile: Profile; onChange: () => void }) {
  return (
    <ProfileSection
      name="EMAIL CONFIGURATION"
      about="Sign-in links, codes and notices about your account go to this address."
    >
      <FactList>
        <Fact
          name="Current address"
          keys={
            <button type="button" className="key uppercase" onClick={onChange}>
              Change Email
            </button>
          }
        >
          {profile.email}
        </Fact>
        {profile.pending_email && (
          <Fact name="Waiting for confirmation">
            {profile.pending_email}
            <p className="mt-1 text-[0.8125rem] text-dim">
              Open the link that was sent to it. Until then your address stays as it is.
            </p>
          </Fact>
        )}
      </FactList>
    </ProfileSection>
  );
}
