// A tab of Firefox or WebKit: the verbs that journeys need, on top of what both drivers offer.
import { expect } from "@playwright/test";
import { isTakenOver } from "../test.ts";

/** Visible elements by selector, and by a part of their accessible name or text in any case. */
export interface Target {
  css: string;
  name?: string;
  text?: string;
}

export const button = (name: string): Target => ({ css: "button", name });
export const dialog = (name: string): Target => ({ css: "[role=dialog]", name });
export const field = (name: string): Target => ({ css: "input, textarea", name });
export const heading = (text: string): Target => ({ css: "h1, h2, h3", text });
export const link = (name: string): Target => ({ css: "a[href]", name });
export const words = (text: string): Target => ({ css: "body", text });

/** Key values of WebDriver, which WebDriver BiDi shares. */
export const KEYS = {
  Enter: "\uE007",
  Escape: "\uE00C",
  Space: " ",
  Tab: "\uE004",
} as const;

export type Key = keyof typeof KEYS | "a" | "d" | "n" | "s" | "u";

/** A running browser. Each tab starts without cookies or storage. */
export interface Engine {
  openTab(): Promise<Tab>;
  close(): Promise<void>;
}

type Script<A extends unknown[], T> = (...args: A) => T | Promise<T>;

export abstract class Tab {
  /** Console errors, exceptions and violations of the Content-Security-Policy. */
  readonly reported: string[] = [];

  /** Runs a function in the page. It may use nothing but its arguments, which are JSON, as is the result. */
  abstract run<A extends unknown[], T>(script: Script<A, T>, ...args: A): Promise<T>;
  /** Types into the focused element. */
  abstract type(text: string): Promise<void>;
  abstract press(key: Key): Promise<void>;
  abstract resize(width: number, height: number): Promise<void>;
  abstract close(): Promise<void>;
  protected abstract load(url: string): Promise<void>;
  protected abstract clickFirst(target: Target): Promise<void>;
  protected abstract setFile(css: string, path: string): Promise<void>;

  /** Opens a page and waits until React has hydrated it. */
  async open(url: string): Promise<void> {
    await this.load(url);
    await expect.poll(() => this.run(isTakenOver), `${url} is hydrated`).toBe(true);
  }

  async see(target: Target, timeout = 10_000): Promise<void> {
    const message = `sees ${JSON.stringify(target)}`;
    await expect.poll(() => this.count(target), { message, timeout }).toBeGreaterThan(0);
  }

  async seeNo(target: Target, timeout = 10_000): Promise<void> {
    const message = `sees no ${JSON.stringify(target)}`;
    await expect.poll(() => this.count(target), { message, timeout }).toBe(0);
  }

  async click(target: Target): Promise<void> {
    await this.see(target);
    await this.clickFirst(target);
  }

  /** Replaces the content of a field by typing. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.run(() => (document.activeElement as HTMLInputElement).select());
    await this.type(text);
  }

  /** Chooses a file in an input, which may be hidden behind a button. */
  async upload(css: string, path: string): Promise<void> {
    const isThere = () => this.run((css) => document.querySelector(css) !== null, css);
    await expect.poll(isThere, css).toBe(true);
    await this.setFile(css, path);
  }

  async count(target: Target): Promise<number> {
    return Number(await this.run(find, target, "count"));
  }

  text(css: string): Promise<string> {
    return this.run((css) => document.querySelector<HTMLElement>(css)?.innerText ?? "", css);
  }

  attribute(css: string, name: string): Promise<string | null> {
    return this.run(
      (css, name) => document.querySelector(css)?.getAttribute(name) ?? null,
      css,
      name,
    );
  }

  path(): Promise<string> {
    return this.run(() => location.pathname + location.search);
  }
}

/** Runs in the page: the first element of a target, scrolled into view, or how many there are. */
export function find({ css, name, text }: Target, wanted: "first" | "count") {
  const normal = (words: string) => words.replace(/\s+/g, " ").trim().toLowerCase();
  const nameOf = (element: HTMLElement): string => {
    const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const labels = [
      ...ids.map((id) => document.getElementById(id)),
      ...((element as HTMLInputElement).labels ?? []),
    ];
    const label = labels.map((node) => node?.textContent ?? "").join(" ");
    return element.getAttribute("aria-label") ?? (label || element.innerText);
  };
  const found = [...document.querySelectorAll<HTMLElement>(css)].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest("[inert], [aria-hidden=true]") &&
      (name === undefined || normal(nameOf(element)).includes(normal(name))) &&
      (text === undefined || normal(element.innerText).includes(normal(text))),
  );
  if (wanted === "count") return found.length;
  // Drivers do not wait for a smooth scroll to end.
  found[0]?.scrollIntoView({ behavior: "instant", block: "center" });
  return found[0] ?? null;
}
