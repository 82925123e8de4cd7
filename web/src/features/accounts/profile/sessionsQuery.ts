import { readQuery } from "../../../api/queries.ts";

export const sessionsQuery = readQuery("/api/auth/sessions", {});
