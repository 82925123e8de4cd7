// The account's address, and one that waits for confirmation.
import type { Profile } from "../../../session/profileQuery.ts";
import { Button } from "../../../ui/Button.tsx";
import { Fact, FactList } from "../../../ui/Facts.tsx";
import { PendingEmail } from "./PendingEmail.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

export function EmailSection({ profile, onChange }: { profile: Profile; onChange: () => void }) {
  return (
    <ProfileSection
      name="EMAIL CONFIGURATION"
      about="Links, codes and notices about your account go to this address."
    >
      <FactList>
        <Fact
          name="Current address"
          actions={
            <Button data-focus-home onClick={onChange}>
              Change Email
            </Button>
          }
        >
          {profile.email}
        </Fact>
        {profile.pending_email && <PendingEmail email={profile.pending_email} />}
      </FactList>
    </ProfileSection>
  );
}
