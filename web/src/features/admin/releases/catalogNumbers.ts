// What the catalogue's numbers tell: the next free one, and those that are used twice or left out.
import { readQuery } from "../../../api/queries.ts";

export const catalogNumbersQuery = readQuery("/api/admin/catalog-numbers", {});
