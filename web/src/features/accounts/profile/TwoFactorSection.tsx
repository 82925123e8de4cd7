import { useState } from "react";
import type { Profile } from "../../../session/profileQuery.ts";
import {
  CODES_ARE_LOST,
  TwoFactorSettings,
} from "../../../session/twoFactor/TwoFactorSettings.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

export function TwoFactorSection({ profile }: { profile: Profile }) {
  const [hasCodes, setHasCodes] = useState(false);
  const { question } = useUnsaved(hasCodes, CODES_ARE_LOST);
  return (
    <ProfileSection
      name="MULTI-FACTOR AUTHENTICATION"
      about="A code from your phone besides the password, at every sign-in."
    >
      <TwoFactorSettings profile={profile} onCodes={setHasCodes} />
      {question}
    </ProfileSection>
  );
}
