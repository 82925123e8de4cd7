// A profile for tests, and the calls of its page.
import { HttpResponse, http } from "msw";
import type { Profile } from "../session/profileQuery.ts";
import { answerCall, seeAs } from "./calls.ts";
import { server } from "./fakeApi.ts";
import { aMember } from "./people.ts";

export function aProfile(changes: Partial<Profile> = {}): Profile {
  return {
    id: "019aa000-0000-7000-8000-0000000000a1",
    username: "mira",
    email: "mira@example.org",
    avatar_url: null,
    created_at: "2026-11-01T10:00:00Z",
    member_since: "November 2026",
    full_name: null,
    mfa_enabled: false,
    can_replace_authenticator: false,
    recovery_codes_left: 0,
    pending_email: null,
    ...changes,
  };
}

export const THIS_SESSION = {
  id: "s-this",
  created_at: "2026-11-20T10:00:00Z",
  used_at: "2026-11-20T15:20:00Z",
  user_agent: "Firefox on Linux",
  network: "203.0.113.0/24",
  current: true,
  mfa_verified: false,
};

export const MFA_OK = { status: "ok", code: "ok", message: "", request_id: "r" };

/** The answer with a new key for an authenticator. */
export const MFA_SECRET = {
  ...MFA_OK,
  secret: "JBSWY3DPEHPK3PXP",
  qrCodeUrl: "otpauth://totp/label:mira?secret=JBSWY3DPEHPK3PXP&issuer=label",
  manualEntryKey: "JBSW Y3DP EHPK 3PXP",
};

/** Signs in a member with this profile. */
export function openProfileTo(profile: Profile = aProfile()): void {
  seeAs(aMember());
  answerCall("get", "/api/profile", profile);
  answerCall("get", "/api/auth/sessions", { items: [THIS_SESSION], next_cursor: null });
}

/** Answers a change of the profile, and from then on its reads; collects what was sent. */
export function answerChange(
  method: "post" | "patch" | "delete",
  path: `/api/profile${string}`,
  changed: Profile,
) {
  const heard = answerCall(method, path, changed);
  server.use(http[method](`*${path}`, () => void answerCall("get", "/api/profile", changed)));
  return heard;
}

/** Changes the profile, and loses the answer. */
export function loseChange(
  method: "post" | "patch" | "delete",
  path: `/api/${string}`,
  changed: Profile,
): void {
  server.use(
    http[method](`*${path}`, () => {
      answerCall("get", "/api/profile", changed);
      return HttpResponse.error();
    }),
  );
}
