import type { components } from "../api/types/api.ts";

type Schemas = components["schemas"];

export type SessionUser = Schemas["UserView"];

/** The answer of `GET /api/auth/session`: nulls and false for visitors. */
export type SessionView = Omit<Schemas["SessionView"], "access_token" | "token_type">;
