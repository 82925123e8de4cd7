// The reads of a page, made with the navigation or when a link to it is pointed at. Pages don't wait for them.
import type { QueryClient } from "@tanstack/react-query";
import { type Read, readAhead } from "../api/readAhead.ts";
import { maintenanceQuery } from "../api/siteContent.ts";
import { heldSession } from "../session/sessionQuery.ts";

export interface RouterContext {
  client: QueryClient;
}

/** Makes the reads of a page unless it is in maintenance; admins may see it then. */
export function readAheadOf(pageKey: string, client: QueryClient, ...reads: Read[]): void {
  if (!isOpen(client, pageKey)) return;
  for (const read of reads) void readAhead(client, read);
}

/** As `readAheadOf`; the second read is made only if the first finds something. */
export function readInTurn(pageKey: string, client: QueryClient, first: Read, next: Read): void {
  if (!isOpen(client, pageKey)) return;
  void readAhead(client, first).then((isRead) => {
    if (isRead) void readAhead(client, next);
  });
}

function isOpen(client: QueryClient, pageKey: string): boolean {
  if (heldSession(client)?.is_admin) return true;
  const settings = client.getQueryData(maintenanceQuery.queryKey);
  const setting = settings?.items.find((item) => item.page_key === pageKey);
  return settings !== undefined && !setting?.is_maintenance_mode;
}
