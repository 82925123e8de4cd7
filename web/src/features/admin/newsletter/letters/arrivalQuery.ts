// The findings of other mail servers about the sender, as the server keeps them; looked up if that is over an hour ago.
import { queryOptions } from "@tanstack/react-query";
import { type Answer, call, type Schemas } from "../../../../api/client.ts";

const PATH = "/api/admin/newsletter/arrival";

export type Arrival = Answer<"GET", typeof PATH>;
export type Finding = Schemas["Finding"];

export const arrivalQuery = queryOptions({
  queryKey: [PATH],
  queryFn: async ({ signal }) => {
    const kept = await call("GET", PATH, { signal });
    return kept.is_fresh ? kept : call("POST", PATH, { signal });
  },
});

/** A letter on its way to the bounce mailbox. */
export function isOnItsWay({ read_back }: Arrival): boolean {
  return read_back != null && !read_back.failure && !read_back.found;
}
