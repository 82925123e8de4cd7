// The dashboard's tabs. Each is a separate chunk, with the reads it starts with.
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { type Read, readAhead } from "../../api/readAhead.ts";
import { lazyCode } from "../../code/lazyCode.ts";
import { isAdminHere } from "../../session/sessionQuery.ts";
import type { TabId } from "./tabIds.ts";

interface AdminTab {
  name: string;
  load: () => Promise<ComponentType>;
  loaded: () => ComponentType | undefined;
  /** Fetches the code and the data before the tab is opened. Failures show when it is opened, and are tried again then. */
  prepare: (client: QueryClient) => Promise<void>;
}

interface TabModule {
  Tab: ComponentType;
  reads?: readonly Read[];
}

export const TABS: Readonly<Record<TabId, AdminTab>> = {
  content: tab("Content", () => import("./content/ContentTab.tsx")),
  artists: tab("Artists", () => import("./artists/ArtistsTab.tsx")),
  releases: tab("Releases", () => import("./releases/ReleasesTab.tsx")),
  store: tab("Store", () => import("./store/StoreTab.tsx")),
  media: tab("Media", () => import("./media/MediaTab.tsx")),
  newsletter: tab("Newsletter", () => import("./newsletter/NewsletterTab.tsx")),
  analytics: tab("Analytics", () => import("./analytics/AnalyticsTab.tsx")),
  terminal: tab("Terminal", () => import("./terminal/TerminalTab.tsx")),
  security: tab("Security", () => import("./security/SecurityTab.tsx")),
};

function tab(name: string, fetchTab: () => Promise<TabModule>): AdminTab {
  const code = lazyCode(fetchTab);
  const made: AdminTab = {
    name,
    load: () => code.load().then(({ Tab }) => Tab),
    loaded: () => code.loaded()?.Tab,
    prepare: (client) =>
      made.load().then(
        () => {
          // Its admin may have left while the code was fetched.
          if (!isAdminHere(client)) return;
          code.loaded()?.reads?.forEach((read) => void readAhead(client, read));
        },
        () => undefined,
      ),
  };
  return made;
}
