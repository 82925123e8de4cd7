// A file of the library, as the server tells it.
import { call, type Schemas } from "../../../api/client.ts";
import { type RowsCalls, rowsOf } from "../lists/rowsCalls.ts";

export type MediaFile = Schemas["MediaFile"];

export const FILES_PATH = "/api/admin/media";

export const fileCalls: RowsCalls<MediaFile> = {
  path: FILES_PATH,
  list: rowsOf("/api/admin/media"),
  remove: (id) => call("DELETE", "/api/admin/media/{id}", { params: { path: { id } } }),
  // Few at first, for there is more below them; full rows of two, three, four and six.
  sizes: { first: 24, next: 96 },
};
