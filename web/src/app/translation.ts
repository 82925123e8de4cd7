// Lets a page translator and React work on one document. The translator of a browser puts a `<font>` with its own words in the place of
// each text; React still holds the text, and to remove it, to insert before it or to write to it would fail or show nothing
// (https://github.com/facebook/react/issues/11538).

/** The name of the elements that a translator adds; the app has none. */
const FONT = "FONT";

/** The element that stands in the place of a text. */
const standIns = new WeakMap<Node, Element>();

/** Every element that does. */
const taken = new WeakSet<Node>();

let hasSeen = false;

/** Whether a translator has been at work on this page. */
export function isTranslated(): boolean {
  return hasSeen || document.querySelector("font") !== null;
}

/** Keeps React's texts tied to what a translator put in their place, from here on. */
export function bearTranslation(page: Document): void {
  const observer = new MutationObserver(note);
  observer.observe(page, { childList: true, subtree: true });

  function note(records: readonly MutationRecord[]): void {
    for (const {
      type,
      target,
      removedNodes,
      addedNodes,
      previousSibling,
      nextSibling,
    } of records) {
      if (type === "characterData") restore(target);
      for (const text of removedNodes) {
        const standIn = [...addedNodes, previousSibling, nextSibling].find(isFreeFont);
        if (!(text instanceof Text) || !standIn) continue;
        hasSeen = true;
        standIns.set(text, standIn);
        taken.add(standIn);
        // React writes to texts wherever they are.
        observer.observe(text, { characterData: true });
      }
    }
  }

  /** What is in `parent` for a child that React takes to be there. */
  function placeOf(child: Node, parent: Node): Node | undefined {
    if (child.parentNode === parent) return child;
    note(observer.takeRecords());
    let place = standIns.get(child) ?? child;
    while (place.parentNode && place.parentNode !== parent) place = place.parentNode;
    return place.parentNode ? place : undefined;
  }

  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = placeOf(child, this);
    // A text that went with its translation is gone already.
    if (place || !isLost(child)) removeChild.call(this, place ?? child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    next: Node | null,
  ): T {
    const place = next && placeOf(next, this);
    insertBefore.call(this, node, place ?? (next && isLost(next) ? null : next));
    return node;
  };
}

/** A text that was written to takes its place back, to be translated again. */
function restore(text: Node): void {
  let standIn = standIns.get(text);
  standIns.delete(text);
  while (standIn?.parentElement?.nodeName === FONT) standIn = standIn.parentElement;
  if (standIn?.isConnected) standIn.replaceWith(text);
}

function isFreeFont(node: Node | null): node is Element {
  return node?.nodeName === FONT && !taken.has(node);
}

function isLost(node: Node): boolean {
  return node instanceof Text && !node.isConnected;
}
