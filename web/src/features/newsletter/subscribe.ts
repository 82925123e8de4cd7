import { ask } from "../../api/client.ts";
import { NEWSLETTER_MESSAGES } from "../../rules/generated/newsletter.ts";
import { loadRules } from "../../rules/rules.ts";
import { showToast } from "../../ui/toasts/toastQueue.ts";

type Code = "subscribed" | "invalid_email" | "rate_limited" | "failed";

interface Outcome {
  code: Code;
  text: string;
}

export async function subscribe(email: string, trap: string): Promise<Outcome> {
  try {
    const { data, error } = await ask("POST", "/api/newsletter", {
      body: { subscriber_email: email, client_ip: null, ...(trap && { trap }) },
    });
    // The answer itself says whether it succeeded; the status may be a proxy's.
    const answer = data ?? error;
    if (answer && "success" in answer) {
      return await say(answer.success ? "subscribed" : codeOf(answer.error), answer.message);
    }
    return await say("failed", answer?.detail);
  } catch {
    return say("failed");
  }
}

/** Shows the outcome, in the server's words if the rules are not loaded. */
export async function say(code: Code, message?: string): Promise<Outcome> {
  const hasRules = await loadRules();
  const { title, text } = NEWSLETTER_MESSAGES[`newsletter_${code}`];
  const description = (code === "failed" || !hasRules) && message ? message : text;
  showToast({ title, description, isError: code !== "subscribed" });
  return { code, text: description };
}

function codeOf(error: string | null | undefined): Code {
  return error === "invalid_email" || error === "rate_limited" ? error : "failed";
}
