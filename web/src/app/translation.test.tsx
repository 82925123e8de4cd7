// Pages under a translator, which replaces text nodes with `<font>` elements.
import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bearTranslation } from "./translation.ts";

const { removeChild, insertBefore } = Node.prototype;

beforeEach(() => bearTranslation(document));

afterEach(() => {
  Object.assign(Node.prototype, { removeChild, insertBefore });
});

type Translator = (text: Text) => void;

/** Removes the text from the page. */
const replace: Translator = (text) => {
  const font = document.createElement("font");
  font.innerHTML = `<font>${text.data.toUpperCase()}</font>`;
  text.replaceWith(font);
};

/** Moves the text into another element. */
const wrap: Translator = (text) => {
  const font = document.createElement("font");
  font.append(document.createElement("font"));
  text.before(font);
  font.firstChild?.appendChild(text);
};

function translate(root: Element, put: Translator): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const all: Text[] = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) all.push(text as Text);
  for (const text of all) put(text);
}

function Line({ count, isNew, isLast }: { count: number; isNew: boolean; isLast: boolean }) {
  return (
    <p>
      {isNew && <b>new</b>}
      {count} of {isLast && "the last "}ten
    </p>
  );
}

it.each([
  ["replaces", replace],
  ["wraps", wrap],
])("texts that a translator %s come, go and change", async (_, put) => {
  const { container, rerender, unmount } = render(<Line count={1} isNew={false} isLast />);
  translate(container, put);
  rerender(<Line count={2} isNew isLast={false} />);
  await act(async () => undefined);
  expect(container.textContent?.toLowerCase()).toBe("new2 of ten");
  translate(container, put);
  rerender(<Line count={3} isNew={false} isLast />);
  await act(async () => undefined);
  expect(container.textContent?.toLowerCase()).toBe("3 of the last ten");
  expect(() => unmount()).not.toThrow();
});

it("a text that went with its translation is gone, and what comes after it comes", () => {
  const { container, rerender } = render(<Line count={1} isNew={false} isLast />);
  for (const text of [...(container.firstElementChild?.childNodes ?? [])]) text.remove();
  rerender(<Line count={1} isNew isLast={false} />);
  expect(container.textContent).toBe("new");
});
