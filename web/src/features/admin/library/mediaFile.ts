// A file of the library, as the server tells it.
import type { Schemas } from "../editing/kind.ts";

export type MediaFile = Schemas["MediaFile"];

export const FILES_PATH = "/api/admin/media";
