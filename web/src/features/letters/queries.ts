import type { Answer } from "../../api/client.ts";
import { readQuery } from "../../api/queries.ts";

export type ArchivedLetter = Answer<"GET", "/api/letters">["items"][number];
export type ArchivedPart = Answer<"GET", "/api/letters/{slug}">["parts"][number];

export const lettersQuery = readQuery("/api/letters", {});

export const letterQuery = (slug: string) => readQuery("/api/letters/{slug}", { path: { slug } });
