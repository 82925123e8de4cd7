// Shows the app in the document: takes over the page that came painted, or renders it where none came.
import type { QueryClient } from "@tanstack/react-query";
import { type ReactNode, StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { App } from "./App.tsx";
import { rememberEarly, takePressedEarly } from "./early.ts";
import { keepPlace } from "./keepPlace.ts";
import { NAV_ITEMS } from "./layout/navItems.ts";
import type { AppRouter } from "./routes.tsx";
import { isTranslated } from "./translation.ts";

/** Later than this nobody waits for reads before a painted page gives way to another. */
const READS_WAIT_MS = 3_000;

/**
 * Shows the app in `container`. A painted page stays readable until the code of its route is here, and keeps focus, place
 * and what was typed. `after` is the newest event the page's own data holds.
 */
export async function showApp(
  container: HTMLElement,
  client: QueryClient,
  router: AppRouter,
  after: number | undefined,
): Promise<Root> {
  const app: ReactNode = (
    <StrictMode>
      <App client={client} router={router} after={after} />
    </StrictMode>
  );
  if (!("painted" in container.dataset)) {
    takePressedEarly();
    keepPlace(router, false);
    return renderAnew(container, app);
  }
  await router.load();
  if (isPaintedFor(container, router)) {
    // As the page was painted: the router puts a boundary around pages otherwise.
    router.ssr = { manifest: undefined };
    keepPlace(router, true);
    const pressed = takePressedEarly();
    let doAgain: (() => void) | undefined = rememberEarly(container, pressed);
    const wasTranslated = isTranslated();
    // A translator or an extension has changed what was painted: React makes the page anew.
    const onRecoverableError = (error: unknown) => {
      if (!wasTranslated && !isTranslated()) reportError(error);
      if (doAgain) queueMicrotask(doAgain);
      doAgain = undefined;
    };
    // In slices, between which the page answers.
    const root = await new Promise<Root>((resolve) => {
      startTransition(() => resolve(hydrateRoot(container, app, { onRecoverableError })));
    });
    if (pressed?.isConnected) pressed.click();
    return root;
  }
  takePressedEarly();
  await untilRead(client);
  keepPlace(router, false);
  return renderAnew(container, app);
}

function renderAnew(container: HTMLElement, app: ReactNode): Root {
  const root = createRoot(container);
  root.render(app);
  return root;
}

/**
 * Whether what was painted is what the router shows. One document serves every wrong address of a kind: where the page has a route,
 * it is shown once the server has refused its read, and below a place of the navigation that place is marked.
 */
function isPaintedFor(container: HTMLElement, { state }: AppRouter): boolean {
  if (state.matches.some(({ status }) => status === "error")) return false;
  const isNotFound = state.matches.at(-1)?.routeId === "__root__";
  if (isNotFound !== (container.querySelector("[data-error-page]") !== null)) return false;
  const { pathname } = state.location;
  return !isNotFound || NAV_ITEMS.every(({ to }) => to === "/" || !pathname.startsWith(`${to}/`));
}

/** Waits for the reads under way, so that no page is seen loading that was there already. */
function untilRead(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, READS_WAIT_MS);
    const unsubscribe = client.getQueryCache().subscribe(look);
    function look(): void {
      if (client.isFetching() === 0) end();
    }
    function end(): void {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
    look();
  });
}
