// The dashboard's tabs. Each is a separate chunk, with the reads it starts with.
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { type Read, readAhead } from "../../api/readAhead.ts";
import { lazyCode } from "../../code/lazyCode.ts";
import type { TabId } from "./tabIds.ts";

interface AdminTab {
  name: string;
  load: () => Promise<ComponentType>;
  loaded: () => ComponentType | undefined;
  /** Fetches the code and the data before the tab is opened. Failures show when it is opened, and are tried again then. */
  prepare: (client: QueryClient) => Promise<void>;
}

interface Fetched {
  body: ComponentType;
  reads?: readonly Read[];
}

export const TABS: Readonly<Record<TabId, AdminTab>> = {
  content: tab("Content", () =>
    import("./content/ContentTab.tsx").then((m) => ({ body: m.ContentTab, reads: m.reads })),
  ),
  artists: tab("Artists", () =>
    import("./artists/ArtistsTab.tsx").then((m) => ({ body: m.ArtistsTab, reads: m.reads })),
  ),
  releases: tab("Releases", () =>
    import("./releases/ReleasesTab.tsx").then((m) => ({ body: m.ReleasesTab, reads: m.reads })),
  ),
  store: tab("Store", () =>
    import("./store/StoreTab.tsx").then((m) => ({ body: m.StoreTab, reads: m.reads })),
  ),
  media: tab("Media", () =>
    import("./media/MediaTab.tsx").then((m) => ({ body: m.MediaTab, reads: m.reads })),
  ),
  newsletter: tab("Newsletter", () =>
    import("./newsletter/NewsletterTab.tsx").then((m) => ({
      body: m.NewsletterTab,
      reads: m.reads,
    })),
  ),
  analytics: tab("Analytics", () =>
    import("./analytics/AnalyticsTab.tsx").then((m) => ({ body: m.AnalyticsTab })),
  ),
  terminal: tab("Terminal", () =>
    import("./terminal/TerminalTab.tsx").then((m) => ({ body: m.TerminalTab })),
  ),
  security: tab("Security", () =>
    import("./security/SecurityTab.tsx").then((m) => ({ body: m.SecurityTab })),
  ),
};

function tab(name: string, fetchTab: () => Promise<Fetched>): AdminTab {
  const code = lazyCode(fetchTab);
  const made: AdminTab = {
    name,
    load: () => code.load().then(({ body }) => body),
    loaded: () => code.loaded()?.body,
    prepare: (client) =>
      made.load().then(
        () => code.loaded()?.reads?.forEach((read) => void readAhead(client, read)),
        () => undefined,
      ),
  };
  return made;
}
