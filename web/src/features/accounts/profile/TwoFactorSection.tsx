// The second factor of the account, as a section of the profile.
import type { Profile } from "../../../session/profileQuery.ts";
import { TwoFactorSettings } from "../../../session/twoFactor/TwoFactorSettings.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

export function TwoFactorSection({ profile }: { profile: Profile }) {
  return (
    <ProfileSection
      name="MULTI-FACTOR AUTHENTICATION"
      about="A code from your phone besides the password, at every sign-in."
    >
      <TwoFactorSettings profile={profile} />
    </ProfileSection>
  );
}
