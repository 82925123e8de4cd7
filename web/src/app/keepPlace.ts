// Where a page stands in the window once the router shows it.
import type { ParsedLocation } from "@tanstack/react-router";
import type { AppRouter } from "./routes.tsx";

/**
 * The router brings every page that it shows to its top, but for two: the first one where it came painted, whose reader may be
 * anywhere in it, and the one under a dialog that opens or closes, be it by the browser's Back and Forward.
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

/** The address without what it says of a dialog. */
function pageOf({ pathname, search }: ParsedLocation): string {
  const { dialog: _, reset: __, ...others } = search as Record<string, unknown>;
  return JSON.stringify([pathname, others]);
}

/**
 * Every change of page starts at its top, and the browser is not to restore older positions. But whoever loads a document anew, or comes
 * back to it from another one, is where they were: that is no change of page.
 */
export function keepPlaceOverReloads(): void {
  const restore = (by: ScrollRestoration) => {
    history.scrollRestoration = by;
  };
  addEventListener("pagehide", () => restore("auto"));
  // The browser has done it by then.
  const isShown = () => setTimeout(() => restore("manual"));
  addEventListener("pageshow", isShown);
  if (document.readyState === "complete") isShown();
}
