// Which pages are in maintenance.
import { readQuery } from "../../../api/queries.ts";

export const maintenanceQuery = readQuery("/api/maintenance", {});
