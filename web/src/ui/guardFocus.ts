// Keeps the focus near its place when the focused element is removed or disabled, on every page.
import { focusableHeading } from "./takeFocus.ts";

const HOME = "[data-focus-home]:not(:disabled)";
/** Layers over the page, which end by themselves or by a button. */
const LAYERS = "[data-toasts], dialog";

/** Nothing outside of these takes a focus that was lost within. */
const BOUNDS = "main, body, dialog, [data-modal], li, tr, [role=listitem]";

/**
 * Moves a lost focus to the nearest `[data-focus-home]`: in what took the element's place, in the row before it, or
 * else the first one in the closest ancestor that has one. A home serves its own form or section. Toasts and native dialogs
 * give the focus back to the page, and a page whose whole content was replaced gives it to its heading. Does nothing if the focus has
 * moved on by then.
 */
export function guardFocus(): void {
  let last: Element | null = document.activeElement;
  let below: Element | null = null;

  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    if (!target.closest(LAYERS)) below = target;
  });
  document.addEventListener("focusout", () => {
    // By then a removed element is out of the document. One that is still there was left on purpose.
    queueMicrotask(() => {
      if (last && !isLost(last) && !isFocused()) last = null;
    });
  });
  new MutationObserver((records) => {
    if (!last || !isLost(last) || (isFocused() && document.activeElement !== last)) return;
    const { parent, before } = placeOf(last, records);
    if (!parent) return;
    const layer = last.closest(LAYERS) ?? parent.closest("[data-toasts]");
    const isLeft = layer !== null && !last.isConnected;
    const home = isLeft ? below : homeNear(parent, before);
    if (home?.isConnected) (home as HTMLElement).focus({ preventScroll: isLeft });
    else if (isLeft || (parent.matches("main") && !last.isConnected)) {
      focusableHeading(document)?.focus({ preventScroll: true });
    }
  }).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

function isFocused(): boolean {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body;
}

function isLost(element: Element): boolean {
  return !element.isConnected || element.matches(":disabled");
}

interface Place {
  parent: Element | null;
  /** The node before it, if it was removed. */
  before: Node | null;
}

function placeOf(element: Element, records: readonly MutationRecord[]): Place {
  let parent: Node | null = element.isConnected ? element.parentElement : element;
  let before: Node | null = null;
  for (const { removedNodes, target, previousSibling } of records) {
    if (parent?.isConnected || ![...removedNodes].some((node) => node.contains(parent))) continue;
    parent = target;
    before = previousSibling;
  }
  return { parent: parent?.isConnected ? (parent as Element) : null, before };
}

function homeNear(parent: Element, before: Node | null): Element | null {
  const next = before?.isConnected
    ? (before as Element | Text).nextElementSibling
    : parent.firstElementChild;
  const previous = next ? next.previousElementSibling : parent.lastElementChild;
  for (const row of [next, previous]) {
    const home = row && homeIn(row, parent);
    if (home) return home;
  }
  for (let around: Element | null = parent; around; around = around.parentElement) {
    const home: Element | null = around.matches("body") ? null : homeIn(around, parent);
    if (home || around.matches(BOUNDS)) return home;
  }
  return null;
}

function homeIn(element: Element, lostIn: Element): Element | null {
  const isFor = (home: Element) => home.closest("form, section")?.contains(lostIn) ?? true;
  const homes = [element, ...element.querySelectorAll(HOME)];
  return homes.find((home) => home.matches(HOME) && isFor(home)) ?? null;
}
