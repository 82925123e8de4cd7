// Shows the app in the document: hydrates a painted page, or renders it.
import type { QueryClient } from "@tanstack/react-query";
import { type ReactNode, StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { App } from "./App.tsx";
import { keepPlace } from "./keepPlace.ts";
import { NAV_ITEMS } from "./layout/navItems.ts";
import type { AppRouter } from "./routes.tsx";
import { isTranslated } from "./translation.ts";

/** The longest wait for reads before a painted page gives way to another. */
const READS_WAIT_MS = 3_000;

/**
 * Shows the app in `container`. A painted page stays readable until its code is here, and keeps focus, position and
 * input. `after` is the newest event included in its data.
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
    // As while painting: otherwise the router adds a boundary.
    router.ssr = { manifest: undefined };
    keepPlace(router, true);
    const pressed = takePressedEarly();
    let doAgain: (() => void) | undefined = rememberEarly(container, pressed);
    const wasTranslated = isTranslated();
    // A translator or an extension changed the painted page, so React renders it anew.
    const onRecoverableError = (error: unknown) => {
      if (!wasTranslated && !isTranslated()) reportError(error);
      if (doAgain) queueMicrotask(doAgain);
      doAgain = undefined;
    };
    // In slices, so that the page stays responsive.
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
 * Whether the painted page is the one the router shows. One document serves all wrong addresses of a kind: if the page
 * has a route, it shows once its read is refused, and below a link of the navigation that link is marked.
 */
function isPaintedFor(container: HTMLElement, { state }: AppRouter): boolean {
  if (state.matches.some(({ status }) => status === "error")) return false;
  const isNotFound = state.matches.at(-1)?.routeId === "__root__";
  if (isNotFound !== (container.querySelector("[data-error-page]") !== null)) return false;
  const { pathname } = state.location;
  return !isNotFound || NAV_ITEMS.every(({ to }) => to === "/" || !pathname.startsWith(`${to}/`));
}

/** Waits for pending reads, so that a page that was readable is not seen loading. */
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

declare global {
  interface Window {
    /** Returns the last pressed button and stops listening (public/start.js). */
    takePressedEarly?: () => HTMLElement | null | undefined;
  }
}

const FIELDS = "input, textarea";

/** The button that was pressed last before the app was ready. */
function takePressedEarly(): HTMLElement | undefined {
  return window.takePressedEarly?.() ?? undefined;
}

/** Remembers input on the page painted in `container`. The returned function repeats it on a page made in its place. */
function rememberEarly(container: HTMLElement, pressed: HTMLElement | undefined): () => void {
  const fields = [...container.querySelectorAll<HTMLInputElement>(FIELDS)];
  const buttons = [...container.querySelectorAll("button")];
  const focused = fields.findIndex((field) => field === document.activeElement);
  return () => {
    const anew = container.querySelectorAll<HTMLInputElement>(FIELDS);
    for (const [index, { name, value, defaultValue }] of fields.entries()) {
      const field = anew[index];
      if (field?.name === name && value !== defaultValue) type(field, value);
    }
    anew[focused]?.focus();
    const nth = buttons.findIndex((button) => button === pressed);
    container.querySelectorAll("button")[nth]?.click();
  };
}

/** Types into a field as a person would: React ignores other changes. */
function type(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  // React overrides `value` on the element itself.
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
