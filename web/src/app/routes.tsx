// The route map: every address, its page, and what the frame needs to know of it. The three pages that visitors arrive
// at come with the entry: together they weigh less than the round trip of a separate chunk. All others are chunks.
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  type RouterHistory,
  stringifySearchWith,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { readAhead } from "../api/readAhead.ts";
import { siteContentQuery } from "../api/siteContent.ts";
import { fetchCode } from "../code/fetchCode.ts";
import { dropMailedLink, takeMailedLink } from "../features/accounts/mailedLink.ts";
import { type DeskSearch, deskSearchOf } from "../features/admin/desk/deskSearch.ts";
import { firstStepsQuery } from "../features/admin/firstSteps/firstStepsQuery.ts";
import {
  type ListsSearch,
  listsSearchOf,
  searchText,
  TAB_IDS,
  type TabId,
} from "../features/admin/tabIds.ts";
import {
  artistQuery,
  artistsQuery,
  releaseQuery,
  releasesQuery,
} from "../features/catalogue/queries.ts";
import { ReleasesPage } from "../features/catalogue/ReleasesPage.tsx";
import { HomePage } from "../features/content/HomePage.tsx";
import { heroQuery, imprintQuery, privacyPolicyQuery } from "../features/content/queries.ts";
import { letterQuery, lettersQuery } from "../features/letters/queries.ts";
import { NewsletterForm } from "../features/newsletter/NewsletterForm.tsx";
import { SEARCH_MAX } from "../rules/generated/constants.ts";
import { isAdminHere } from "../session/sessionQuery.ts";
import { MissingPage } from "../ui/MissingPage.tsx";
import { ArtistsWithDemos } from "./ArtistsWithDemos.tsx";
import { RootFrame } from "./layout/RootFrame.tsx";
import type { DialogName } from "./layout/useDialog.ts";
import { RouteError } from "./RouteError.tsx";
import { type RouterContext, readAheadOf, readInTurn } from "./readsAhead.ts";

interface OverlaySearch {
  dialog?: DialogName;
  /** With the login: the person wants a new password, as letters about an account advise. */
  reset?: true;
}

interface ListSearch {
  cursor?: string | undefined;
}

const validateListSearch = ({ cursor }: Record<string, unknown>): ListSearch =>
  typeof cursor === "string" && cursor !== "" ? { cursor } : {};

interface SearchedSearch extends ListSearch {
  q?: string | undefined;
}

function validateSearchedSearch(search: Record<string, unknown>): SearchedSearch {
  const q = searchText(search.q)?.trim() ?? "";
  // Too long a search is ignored, as by the server.
  const isSearch = q !== "" && [...q].length <= SEARCH_MAX;
  // Set to undefined explicitly; an omitted key keeps its previous value.
  return { q: isSearch ? q : undefined, ...validateListSearch(search) };
}

/** The open tab; the first if absent. */
interface AdminSearch extends ListsSearch {
  tab?: TabId | undefined;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: RootFrame,
  notFoundComponent: () => <MissingPage />,
  errorComponent: RouteError,
  validateSearch: (search): OverlaySearch => {
    const { dialog, reset } = search;
    if (dialog === "login") return reset === true ? { dialog, reset } : { dialog };
    return dialog === "demo" ? { dialog } : {};
  },
});

/**
 * A page whose code is fetched when it opens. If the server does not answer, its error shows in the frame; the library
 * alone would reload the document. If only the code is gone, the server has a newer version, and the library's one
 * reload helps.
 */
function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) {
  return lazyRouteComponent(() => fetchCode(load), name);
}

const ROUTES = [
  createRoute({
    getParentRoute: () => root,
    path: "/",
    staticData: { title: "", maintenanceKey: "home" },
    loader: ({ context: { client } }) => readAheadOf("home", client, siteContentQuery, heroQuery),
    component: () => <HomePage newsletter={<NewsletterForm />} />,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/releases",
    staticData: { title: "Releases", maintenanceKey: "releases" },
    validateSearch: validateSearchedSearch,
    loaderDeps: ({ search: { q, cursor } }) => ({ q, cursor }),
    loader: ({ context: { client }, deps }) => readAheadOf("releases", client, releasesQuery(deps)),
    component: ReleasesPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/releases/$slug",
    // The page sets its title itself, from the release's.
    staticData: { maintenanceKey: "releases" },
    loader: ({ context: { client }, params: { slug } }) =>
      readAheadOf("releases", client, releaseQuery(slug)),
    component: lazyPage(() => import("../features/catalogue/ReleasePage.tsx"), "ReleasePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/p/$token",
    staticData: { title: "Private release" },
    component: lazyPage(
      () => import("../features/catalogue/ReleasePage.tsx"),
      "PrivateReleasePage",
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/demos/$token",
    staticData: { title: "Your demo" },
    component: lazyPage(() => import("../features/demos/sender/SenderPage.tsx"), "SenderPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/newsletter/confirm/$token",
    // The page sets its title itself, from the step.
    component: lazyPage(() => import("../features/newsletter/ListPages.tsx"), "ConfirmPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/newsletter/leave/$token",
    component: lazyPage(() => import("../features/newsletter/ListPages.tsx"), "LeavePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/artists",
    staticData: { title: "Artists", maintenanceKey: "artists" },
    validateSearch: validateListSearch,
    loaderDeps: ({ search: { cursor } }) => ({ cursor }),
    loader: ({ context: { client }, deps: { cursor } }) =>
      readAheadOf("artists", client, artistsQuery(cursor), siteContentQuery),
    component: ArtistsWithDemos,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/artists/$artistId",
    // The page sets its title itself, from the artist's name.
    staticData: { maintenanceKey: "artists" },
    loader: ({ context: { client }, params: { artistId } }) =>
      readInTurn("artists", client, artistQuery(artistId), releasesQuery({ artist_id: artistId })),
    component: lazyPage(() => import("../features/catalogue/ArtistPage.tsx"), "ArtistPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/store",
    staticData: { title: "Store", maintenanceKey: "store" },
    component: lazyPage(() => import("../features/store/StorePage.tsx"), "StorePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/terminal",
    staticData: { title: "Terminal", maintenanceKey: "terminal" },
    component: lazyPage(() => import("../features/terminal/TerminalPage.tsx"), "TerminalPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/contact",
    staticData: { title: "Contact us" },
    component: lazyPage(() => import("../features/contact/ContactPage.tsx"), "ContactPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/privacy-policy",
    staticData: { title: "Privacy policy" },
    loader: ({ context: { client } }) => void readAhead(client, privacyPolicyQuery),
    component: lazyPage(
      () => import("../features/content/PrivacyPolicyPage.tsx"),
      "PrivacyPolicyPage",
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/imprint",
    staticData: { title: "Imprint" },
    loader: ({ context: { client } }) => void readAhead(client, imprintQuery),
    component: lazyPage(() => import("../features/content/PrivacyPolicyPage.tsx"), "ImprintPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/letters",
    staticData: { title: "Letters" },
    loader: ({ context: { client } }) => void readAhead(client, lettersQuery),
    component: lazyPage(() => import("../features/letters/LettersPage.tsx"), "LettersPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/letters/$slug",
    // The page sets its title itself, from the subject.
    loader: ({ context: { client }, params: { slug } }) =>
      void readAhead(client, letterQuery(slug)),
    component: lazyPage(() => import("../features/letters/LetterPage.tsx"), "LetterPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/profile",
    staticData: { title: "Profile", requiresAuth: true },
    beforeLoad: takeMailedLink,
    onLeave: dropMailedLink,
    component: lazyPage(() => import("../features/accounts/ProfilePage.tsx"), "ProfilePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/signup",
    staticData: { title: "Sign up" },
    component: lazyPage(() => import("../features/accounts/SignupPage.tsx"), "SignupPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/auth/callback",
    staticData: { title: "Confirmation" },
    beforeLoad: takeMailedLink,
    onLeave: dropMailedLink,
    component: lazyPage(
      () => import("../features/accounts/AuthCallbackPage.tsx"),
      "AuthCallbackPage",
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/auth/welcome",
    staticData: { title: "Welcome" },
    component: lazyPage(() => import("../features/accounts/WelcomePage.tsx"), "WelcomePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/auth/signup-success",
    staticData: { title: "Check your inbox" },
    component: lazyPage(() => import("../features/accounts/SignupPage.tsx"), "SignupSuccessPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/admin/login",
    staticData: { title: "Admin Login", hideChrome: true },
    component: lazyPage(() => import("../features/admin/AdminLoginPage.tsx"), "AdminLoginPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/admin",
    staticData: { title: "Admin", hideChrome: true, requiresAuth: true, hasOwnContent: true },
    // An unknown tab is undefined explicitly; an omitted key keeps its previous value.
    validateSearch: (search): AdminSearch => ({
      tab: TAB_IDS.find((id) => id === search.tab),
      ...listsSearchOf(search),
    }),
    loader: ({ context: { client }, location }) => {
      if (!isAdminHere(client)) return;
      void readAhead(client, firstStepsQuery);
      void prepareTab(client, location.search);
    },
    component: lazyPage(() => import("../features/admin/AdminTabs.tsx"), "AdminPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/admin/demos",
    staticData: { title: "Demo Desk", hideChrome: true, requiresAuth: true },
    validateSearch: (search): DeskSearch => deskSearchOf(search),
    component: lazyPage(() => import("../features/admin/desk/DeskPage.tsx"), "DeskPage"),
  }),
] as const;

const routeTree = root.addChildren(ROUTES);

function tabIn(search: object): TabId | undefined {
  return TAB_IDS.find((id) => "tab" in search && id === search.tab);
}

/**
 * Fetches the code of a tab, and makes its reads unless the address narrows its lists. Failures are retried when it
 * opens.
 */
async function prepareTab(client: QueryClient, search: object): Promise<void> {
  const { TABS } = await import("../features/admin/tabs.ts");
  const tab = TABS[tabIn(search) ?? TAB_IDS[0]];
  const isAsking = Object.values(listsSearchOf({ ...search })).some((part) => part !== undefined);
  await (isAsking ? tab.load().catch(() => undefined) : tab.prepare(client));
}

/** The router over a history: the browser's, or one in memory for tests. */
export function createAppRouter(client: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { client },
    ...(history && { history }),
    // As the server reads addresses.
    caseSensitive: true,
    // Plain words: JSON would put quotes around a search for 404.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(JSON.stringify),
    defaultPreload: "intent",
    // The query cache decides what is stale.
    defaultPreloadStaleTime: 0,
    // A failing page leaves the navigation standing.
    defaultErrorComponent: RouteError,
    // Chunks are small: no page flashes a loading state.
    defaultPendingMs: 400,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
  interface HistoryState {
    /** The path and query a link led to before the login; kept by the browser, not in the address. */
    next?: string;
    /** The kind of mailed link the page was opened by; its token is not stored. */
    mailedLink?: string;
    /** The former path of the same page. */
    movedFrom?: string;
  }
  interface StaticDataRouteOption {
    /** Title of the document; empty for the label's name alone, absent where the page sets it. */
    title?: string;
    /** The maintenance setting that covers the page, if any. */
    maintenanceKey?: "home" | "releases" | "artists" | "store" | "terminal";
    /** True for pages without navigation and foot. */
    hideChrome?: boolean;
    /** True if the page marks its content itself, by the id `content`. */
    hasOwnContent?: boolean;
    requiresAuth?: boolean;
  }
}
