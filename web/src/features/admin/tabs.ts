// What each tab is called and shows. Every tab is a chunk of its own.
import { type ComponentType, lazy } from "react";
import type { TabId } from "./tabIds.ts";

interface AdminTab {
  name: string;
  /** Fetches what the tab shows, ahead of its opening. */
  load: () => Promise<unknown>;
  Body: ComponentType;
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

function tab(name: string, load: () => Promise<ComponentType>): AdminTab {
  let loaded: ComponentType | undefined;
  const fetchBody = async () => {
    loaded = await load();
    return { default: loaded };
  };
  return {
    name,
    load: fetchBody,
    Body: lazy(() => (loaded ? atOnce({ default: loaded }) : fetchBody())),
  };
}

/** A promise that is kept before it is asked: once a fallback shows, React keeps it for 300 ms, however soon the rest is here. */
function atOnce<Kept>(kept: Kept): Promise<Kept> {
  const promise: Pick<Promise<Kept>, "then"> = {
    // biome-ignore lint/suspicious/noThenProperty: being awaited is all it is for
    then: (onKept) => Promise.resolve(onKept ? onKept(kept) : (kept as never)),
  };
  return promise as Promise<Kept>;
}
