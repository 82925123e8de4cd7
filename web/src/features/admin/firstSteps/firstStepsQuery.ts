import { readQuery } from "../../../api/queries.ts";

export const firstStepsQuery = readQuery("/api/admin/first-steps", {});
