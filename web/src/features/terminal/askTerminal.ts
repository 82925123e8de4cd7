// One question to the server.
import { ApiError, refusal } from "../../api/client.ts";
import { ask } from "../../api/send.ts";

/** The answer's text. Throws an `ApiError` for everything else, silence and nonsense included. */
export async function askTerminal(message: string): Promise<string> {
  const { response, body } = await ask("POST", "/api/terminal", { body: { message } });
  if (!response.ok) throw refusal(response.status, body, response.headers);
  const answer = (body as { response?: unknown } | undefined)?.response;
  if (typeof answer !== "string") throw new ApiError(0, { detail: "an answer without a response" });
  return answer;
}
