// Mail as the label captured it: the .eml files of its data folder, read as a mail program reads them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { Site } from "./site.ts";

export class Letter {
  readonly to: string;
  readonly subject: string;
  /** The Reply-To address; empty where the letter has none. */
  readonly replyTo: string;
  /** The plain form. */
  readonly text: string;
  private readonly headers: ReadonlyMap<string, string>;

  constructor(source: string) {
    const headers = headersOf(source);
    this.headers = headers;
    this.to = addressIn(headers.get("to"));
    this.replyTo = addressIn(headers.get("reply-to"));
    this.subject = headers.get("subject") ?? "";
    this.text = plainTextOf(source);
  }

  /** A header by its name in lower case; empty where the letter has none. */
  header(name: string): string {
    return this.headers.get(name) ?? "";
  }

  /** Where the link of this kind leads. */
  link(kind: string): string {
    const links = this.text.match(/https?:\/\/\S+/g) ?? [];
    const link = links.find((found) => new URL(found).hash.includes(`type=${kind}&`));
    if (!link) throw new Error(`no ${kind} link in:\n${this.text}`);
    return link;
  }

  /** The link's secret. */
  token(kind: string): string {
    return new URLSearchParams(new URL(this.link(kind)).hash.slice(1)).get("token") ?? "";
  }

  /** The eight digits of a recovery code. */
  get code(): string {
    const code = /^\s*(\d{4} ?\d{4})\s*$/m.exec(this.text)?.[1];
    if (!code) throw new Error(`no code in:\n${this.text}`);
    return code.replace(" ", "");
  }
}

/** The address that the server prints at its start, where captured mail is shown on this machine. */
export function mailViewer(site: Site): string {
  return `/dev/mail/${readFileSync(site.mailTokenFile, "utf8").trim()}`;
}

/** The letters so far, oldest first. */
export function letters(site: Site): Letter[] {
  if (!existsSync(site.mailFolder)) return [];
  const names = readdirSync(site.mailFolder).filter((name) => name.endsWith(".eml"));
  return names.sort().map((name) => new Letter(readFileSync(join(site.mailFolder, name), "utf8")));
}

/** The letters to an address so far, oldest first. */
export function lettersTo(site: Site, address: string): Letter[] {
  return letters(site).filter(({ to }) => to === address.toLowerCase());
}

/** The `nth` letter to an address with such a subject, as soon as it is there. Its secrets must not be in the log. */
export async function letterTo(
  site: Site,
  address: string,
  subject: RegExp,
  nth = 1,
): Promise<Letter> {
  const matching = () => lettersTo(site, address).filter((letter) => subject.test(letter.subject));
  await expect
    .poll(() => matching().length, { message: `letters to ${address} about ${subject}` })
    .toBeGreaterThanOrEqual(nth);
  const letter = matching()[nth - 1] as Letter;
  for (const [, token] of letter.text.matchAll(/token=([\w-]+)/g)) site.keepSecret(token as string);
  return letter;
}

function addressIn(header: string | undefined): string {
  return /[^\s<>]+@[^\s<>]+/.exec(header ?? "")?.[0]?.toLowerCase() ?? "";
}

function headersOf(source: string): Map<string, string> {
  const [head = ""] = source.split(/\r?\n\r?\n/, 1);
  const lines = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function plainTextOf(source: string): string {
  const boundary = /boundary="?([^";\r\n]+)"?/i.exec(source)?.[1];
  const parts = boundary ? source.split(`--${boundary}`) : [source];
  const part = parts.map((text) => text.trimStart()).find((text) => isPlain(headersOf(text)));
  if (part === undefined) return "";
  const body = part.slice(/\r?\n\r?\n/.exec(part)?.index ?? 0).trim();
  switch (headersOf(part).get("content-transfer-encoding")?.toLowerCase()) {
    case "quoted-printable":
      return fromQuotedPrintable(body);
    case "base64":
      return Buffer.from(body, "base64").toString("utf8");
    default:
      return body;
  }
}

function isPlain(headers: Map<string, string>): boolean {
  return headers.get("content-type")?.startsWith("text/plain") ?? false;
}

function fromQuotedPrintable(text: string): string {
  const joined = text.replace(/=\r?\n/g, "");
  const bytes = joined.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
