// How safe the label is, as the server finds it when it is asked.
import { readQuery } from "../../../api/queries.ts";
import type { components } from "../../../api/types/api.ts";

export type ChecklistItem = components["schemas"]["ChecklistItem"];

export const checklistQuery = {
  ...readQuery("/api/admin/security/checklist", {}),
  // It tells of settings and rows that no event speaks of: read whenever it is looked at.
  staleTime: 0,
};
