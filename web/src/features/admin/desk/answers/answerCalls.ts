import { queryOptions } from "@tanstack/react-query";
import { call, unlessGone } from "../../../../api/client.ts";
import { createRequestNames } from "../../../../api/idempotencyKey.ts";
import { readQuery } from "../../../../api/queries.ts";
import { ofDemo, toastTakenBack } from "../deskCalls.ts";
import type { DemoAnswer, DemoState, Letter, LetterKind } from "../deskTypes.ts";

const names = createRequestNames();

const ANSWERS = "/api/admin/desk/demos/{id}/answers";

/** A template filled in for a demo, read again for each letter that is opened. */
export function previewQuery(id: string, kind: LetterKind) {
  return queryOptions({
    queryKey: [ANSWERS.replace("{id}", id), kind],
    queryFn: ({ signal }) =>
      call("POST", `${ANSWERS}/preview`, { path: { id }, body: { kind }, signal }),
    staleTime: 0,
    gcTime: 0,
    meta: ofDemo(id),
  });
}

/**
 * Throws 412 if the letter tells of a decision, and the demo is neither in the state `from` nor in that one. Also
 * cancels waiting letters that tell of another decision, with a toast.
 */
export async function postAnswer(
  id: string,
  kind: LetterKind,
  letter: Letter,
  from: DemoState,
  again: boolean,
): Promise<DemoAnswer> {
  const body = { kind, ...letter, from, again };
  // A repeated request after a lost answer keeps its key; a second letter gets another one.
  const headers = names.of([id, body]);
  const { taken_back, ...answer } = await call("POST", ANSWERS, {
    path: { id },
    headers,
    body,
  });
  names.end();
  toastTakenBack(taken_back.length);
  return answer;
}

export function deleteAnswer(id: string) {
  return call("DELETE", "/api/admin/desk/answers/{id}", { path: { id } }).catch(unlessGone);
}

export const templatesQuery = readQuery("/api/admin/desk/templates", {});
