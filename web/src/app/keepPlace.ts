// The scroll position of a page once the router shows it.
import type { ParsedLocation } from "@tanstack/react-router";
import type { AppRouter } from "./routes.tsx";

/**
 * The router scrolls every page to its top, except the first one if it came painted, and the one under a dialog that
 * opens or closes, by Back and Forward too.
 */
export function keepPlace(router: AppRouter, isPainted: boolean): void {
  let stays = isPainted;
  router.options.scrollRestoration = () => !stays;
  router.subscribe("onBeforeNavigate", ({ fromLocation, toLocation }) => {
    if (fromLocation) stays = isUnderAnotherDialog(fromLocation, toLocation);
  });
}

function isUnderAnotherDialog(from: ParsedLocation, to: ParsedLocation): boolean {
  return dialogOf(from) !== dialogOf(to) && pageOf(from) === pageOf(to);
}

const dialogOf = ({ search }: ParsedLocation<{ dialog?: string }>) => search.dialog;

/** The address without its dialog. */
function pageOf({ pathname, search }: ParsedLocation): string {
  const { dialog: _, reset: __, ...others } = search as Record<string, unknown>;
  return JSON.stringify([pathname, others]);
}

/**
 * Every change of page starts at its top, so the browser must not restore positions. It may after a reload, or on
 * return from another document: that is no change of page.
 */
export function keepPlaceOverReloads(): void {
  const restore = (by: ScrollRestoration) => {
    history.scrollRestoration = by;
  };
  addEventListener("pagehide", () => restore("auto"));
  const isShown = () => setTimeout(() => restore("manual"));
  addEventListener("pageshow", isShown);
  if (document.readyState === "complete") isShown();
}
