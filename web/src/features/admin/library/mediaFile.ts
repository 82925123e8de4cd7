// A file of the library, as the server tells it.
import type { Sent } from "../../../api/sent.ts";
import type { Schemas } from "../editing/kind.ts";

export type MediaFile = Sent<Schemas["MediaFile"]>;

export const FILES_PATH = "/api/admin/media";
