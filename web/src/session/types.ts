// What the account calls answer, as the API document says it.
import type { components } from "../api/types/api.ts";

type Schemas = components["schemas"];

/** The account of a signed-in person, as only they see it. */
export type SessionUser = Schemas["UserView"];

/** The answer of `GET /api/auth/session`: nulls and false to visitors. */
export type SessionView = Omit<Schemas["SessionView"], "access_token" | "token_type">;
