// The account's picture, username, address and age.
import { useState } from "react";
import type { Profile } from "../../../session/profileQuery.ts";
import { Button } from "../../../ui/Button.tsx";
import { Fact, FactList } from "../../../ui/Facts.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { EmailEdit } from "./EmailEdit.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { UsernameEdit } from "./UsernameEdit.tsx";

interface IdentitySectionProps {
  profile: Profile;
  isEmailOpen: boolean;
  onEmailOpen: (isOpen: boolean) => void;
}

export function IdentitySection({ profile, isEmailOpen, onEmailOpen }: IdentitySectionProps) {
  const [isNameOpen, setNameOpen] = useState(false);
  return (
    <ProfileSection name="IDENTITY">
      <div className="flex flex-col gap-8 sm:flex-row sm:items-start">
        <Picture
          of={{ id: profile.id, image_url: profile.avatar_url }}
          alt="Your avatar"
          sizes="12rem"
          isFirst
          className="aspect-square w-40 flex-none border border-hairline sm:w-48"
        />
        <FactList>
          {isNameOpen ? (
            <UsernameEdit current={profile.username} onClose={() => setNameOpen(false)} />
          ) : (
            <Fact
              name="Username"
              actions={<EditButton name="username" onPress={() => setNameOpen(true)} />}
            >
              <span className="type-title">{profile.username}</span>
            </Fact>
          )}
          {isEmailOpen ? (
            <EmailEdit profile={profile} onClose={() => onEmailOpen(false)} />
          ) : (
            <Fact
              name="Email"
              actions={<EditButton name="email" onPress={() => onEmailOpen(true)} />}
            >
              {profile.email}
            </Fact>
          )}
          {profile.full_name && <Fact name="Full name">{profile.full_name}</Fact>}
          <Fact name="Member since">{profile.member_since}</Fact>
        </FactList>
      </div>
    </ProfileSection>
  );
}

function EditButton({ name, onPress }: { name: string; onPress: () => void }) {
  return (
    <Button data-focus-home onClick={onPress}>
      Edit <span className="sr-only">{name}</span>
    </Button>
  );
}
