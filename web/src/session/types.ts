// What the account calls answer, as the API document says it.

/** The account of a signed-in person, as only they see it. */
export interface SessionUser {
  id: string;
  email: string;
  created_at: string;
  confirmed_at: string | null;
  user_metadata: { username: string | null; full_name: string | null };
  mfa_enabled: boolean;
}

/** The answer of `GET /api/auth/session`: nulls and false to visitors. */
export interface SessionView {
  user: SessionUser | null;
  session: {
    id: string;
    created_at: string;
    expires_at: string;
    reauthenticated_until: string | null;
  } | null;
  profile: { id: string; username: string; avatar_url: string | null; created_at: string } | null;
  admin: {
    user_id: string;
    active: boolean;
    mfa_enabled: boolean;
    mfa_verified_until: string | null;
  } | null;
  is_admin: boolean;
  auth_stage: "unauthenticated" | "mfa_pending" | "authenticated";
  mfaRequired: boolean;
  mfa_verified: boolean;
  mfa_verified_until: string | null;
  expires_at: string | null;
}
