// What each tab is called and shows. Every tab is a chunk of its own.
import type { ComponentType } from "react";
import type { TabId } from "./tabIds.ts";

interface AdminTab {
  name: string;
  /** Fetches what the tab shows. */
  load: () => Promise<ComponentType>;
  /** What it shows, once that was fetched. */
  loaded: () => ComponentType | undefined;
}

export const TABS: Readonly<Record<TabId, AdminTab>> = {
  content: tab("Content", () => import("./content/ContentTab.tsx").then((m) => m.ContentTab)),
  artists: tab("Artists", () => import("./artists/ArtistsTab.tsx").then((m) => m.ArtistsTab)),
  releases: tab("Releases", () => import("./releases/ReleasesTab.tsx").then((m) => m.ReleasesTab)),
  store: tab("Store", () => import("./store/StoreTab.tsx").then((m) => m.StoreTab)),
  media: tab("Media", () => import("./media/MediaTab.tsx").then((m) => m.MediaTab)),
  newsletter: tab("Newsletter", () =>
    import("./newsletter/NewsletterTab.tsx").then((m) => m.NewsletterTab),
  ),
  analytics: tab("Analytics", () =>
    import("./analytics/AnalyticsTab.tsx").then((m) => m.AnalyticsTab),
  ),
  terminal: tab("Terminal", () => import("./terminal/TerminalTab.tsx").then((m) => m.TerminalTab)),
  security: tab("Security", () => import("./security/SecurityTab.tsx").then((m) => m.SecurityTab)),
};

function tab(name: string, fetchBody: () => Promise<ComponentType>): AdminTab {
  let body: ComponentType | undefined;
  return {
    name,
    async load() {
      body = await fetchBody();
      return body;
    },
    loaded: () => body,
  };
}

/** Fetches what a tab shows, ahead of its opening. A failure shows when it is opened, and is tried again then. */
export function prepareTab(id: TabId): void {
  TABS[id].load().catch(() => undefined);
}
