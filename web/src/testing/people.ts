// Sessions for tests, as returned by `GET /api/auth/session`.
import type { SessionView } from "../session/sessionQuery.ts";

export const VISITOR: SessionView = {
  user: null,
  session: null,
  profile: null,
  admin: null,
  is_admin: false,
  auth_stage: "unauthenticated",
  mfaRequired: false,
  mfa_setup_required: false,
  mfa_verified: false,
  mfa_verified_until: null,
  expires_at: null,
  token_retired: false,
};

const ID = "019aa000-0000-7000-8000-0000000000a1";
const LATER = "2099-01-01T00:00:00Z";

/** A signed-in member without a second factor. */
export function aMember(changes: Partial<SessionView> = {}): SessionView {
  return {
    ...VISITOR,
    user: {
      id: ID,
      email: "mira@example.org",
      created_at: "2026-11-01T10:00:00Z",
      confirmed_at: "2026-11-01T10:05:00Z",
      user_metadata: { username: "mira", full_name: null },
      mfa_enabled: false,
    },
    session: {
      id: "019aa000-0000-7000-8000-0000000000b1",
      created_at: "2026-11-20T10:00:00Z",
      expires_at: LATER,
      reauthenticated_until: null,
    },
    profile: { id: ID, username: "mira", avatar_url: null, created_at: "2026-11-01T10:00:00Z" },
    expires_at: LATER,
    ...changes,
  };
}

/** An active admin without a second factor. */
export function anAdmin(changes: Partial<SessionView> = {}): SessionView {
  return aMember({
    admin: { user_id: ID, active: true, mfa_enabled: false, mfa_verified_until: null },
    is_admin: true,
    auth_stage: "authenticated",
    ...changes,
  });
}

/** An admin whose second factor is not verified in this session. */
export function aPendingAdmin(): SessionView {
  return anAdmin({
    admin: { user_id: ID, active: true, mfa_enabled: true, mfa_verified_until: null },
    auth_stage: "mfa_pending",
    mfaRequired: true,
  });
}

/** An admin without a second factor at a label that requires one. */
export function anUnprotectedAdmin(): SessionView {
  return anAdmin({ auth_stage: "mfa_pending", mfa_setup_required: true });
}

/** A member whose second factor is not verified in this session. */
export function aPendingMember(): SessionView {
  return aMember({ mfaRequired: true });
}

/** The same for another person. */
export function another(view: SessionView): SessionView {
  const user = view.user && {
    ...view.user,
    id: "019aa000-0000-7000-8000-0000000000a2",
    email: "noor@example.org",
  };
  return { ...view, user };
}
