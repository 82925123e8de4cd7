import { ApiError, call } from "../../api/client.ts";

/** Returns the answer's text. Throws `ApiError` for everything else, silence and nonsense included. */
export async function askTerminal(message: string): Promise<string> {
  const { response } = await call("POST", "/api/terminal", { body: { message } });
  if (typeof response !== "string")
    throw new ApiError(0, { detail: "an answer without a response" });
  return response;
}
