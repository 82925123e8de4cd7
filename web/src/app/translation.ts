// Lets page translators and React work on one document. A translator replaces each text by a `<font>` with its own
// words; React still holds the text, and removing it, inserting before it or writing to it would fail or show nothing
// (https://github.com/facebook/react/issues/11538).

/** The element that translators add; the app has none. */
const FONT = "FONT";

/** The `<font>` that replaced a text. */
const standIns = new WeakMap<Node, Element>();

const taken = new WeakSet<Node>();

let hasSeen = false;

/** Whether a translator has been at work on this page. */
export function isTranslated(): boolean {
  return hasSeen || document.querySelector("font") !== null;
}

/** Keeps React's texts tied to their translations from here on. */
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

  /** The child of `parent` that replaced what React takes to be there. */
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

/** A text that React wrote to returns, to be translated again. */
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
