// Why something was not done at the desk.
import { apiError, serviceMessage } from "../../../api/client.ts";
import type { Subject } from "./steps.ts";

export interface DeskProblem {
  /** What was not done, and why: `Not done: the server did not answer.` */
  text: string;
  /** The one demo that it was to be done to. */
  of?: Subject | undefined;
}

export function whyNot(error: unknown): string {
  const { status } = apiError(error);
  if (status === 404) return "it is gone. Somebody was faster.";
  if (status === 412) return "somebody else has moved it on since.";
  return serviceMessage(error) ?? "the server did not answer.";
}
