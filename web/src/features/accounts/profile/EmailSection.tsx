// The account's address, and one that waits for confirmation.
import type { Profile } from "../../../session/profileQuery.ts";
import { Button } from "../../../ui/Button.tsx";
import { Fact, FactList } from "../../../ui/Facts.tsx";
import { useFocusKept } from "../../../ui/useFocusKept.ts";
import { PendingEmail } from "./PendingEmail.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

export function EmailSection({ profile, onChange }: { profile: Profile; onChange: () => void }) {
  const { frame, refuge } = useFocusKept();
  return (
    <ProfileSection
      ref={frame}
      name="EMAIL CONFIGURATION"
      about="Links, codes and notices about your account go to this address."
    >
      <FactList>
        <Fact
          name="Current address"
          actions={
            <Button ref={refuge} onClick={onChange}>
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
