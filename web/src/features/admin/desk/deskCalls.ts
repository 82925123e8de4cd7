// The calls of the desk, and what they answer.
import type { QueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../../api/client.ts";
import { demoCalls } from "../demos/demo.ts";
import { type Asked, type RowsCalls, rowsOf } from "../lists/rowsCalls.ts";
import { putRow } from "../lists/useRows.ts";
import type { DemoState, DeskDemo } from "./deskTypes.ts";

const PATH = "/api/admin/desk/demos";

/** What the desk's list can be asked for. */
export interface DeskAsked extends Asked {
  sender?: string;
}

export const deskRows: RowsCalls<DeskDemo> = {
  path: PATH,
  list: rowsOf(PATH),
  remove: demoCalls.remove,
  sizes: { first: 50, next: 100 },
};

export function putState(id: string, state: DemoState): Promise<DeskDemo> {
  return call("PUT", `${PATH}/{id}/state`, { params: { path: { id } }, body: { state } });
}

export function postDecline(ids: string[]): Promise<Answer<"POST", "/api/admin/desk/decline">> {
  return call("POST", "/api/admin/desk/decline", { body: { ids } });
}

/** Shows a demo as the server answered it, in the lists. */
export function putDemo(client: QueryClient, demo: DeskDemo): void {
  putRow(client, PATH, demo);
}
