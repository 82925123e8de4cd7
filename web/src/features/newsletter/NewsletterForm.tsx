// The newsletter form. It comes with the first view, so it uses no form library; rules and toasts are fetched once it
// has the focus.
import { type FormEvent, useId, useRef, useState } from "react";
import { ask } from "../../api/client.ts";
import { NEWSLETTER_MESSAGES } from "../../rules/generated/newsletter.ts";
import { loadRules, withRules } from "../../rules/rules.ts";
import { Button } from "../../ui/Button.tsx";
import { Honeypot } from "../../ui/Honeypot.tsx";
import { NeedsScript } from "../../ui/NeedsScript.tsx";
import { prepareToasts } from "../../ui/toasts/Toasts.tsx";
import { showToast } from "../../ui/toasts/toastQueue.ts";

export function NewsletterForm() {
  const field = useRef<HTMLInputElement>(null);
  const trap = useRef<HTMLInputElement>(null);
  const isBusy = useRef(false);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const problemId = useId();
  const isInvalid = problem !== undefined;

  async function send(): Promise<void> {
    const typed = field.current?.value.trim();
    if (!typed) return;
    const read = withRules((rules) => rules.readSubscription(typed));
    const outcome =
      read?.outcome === "invalid_email"
        ? await say("invalid_email")
        : await subscribe(
            read?.outcome === "subscribe" ? read.email : typed,
            trap.current?.value ?? "",
          );
    setProblem(outcome.code === "invalid_email" ? outcome.text : undefined);
    if (outcome.code === "subscribed" && field.current) field.current.value = "";
    // A browser's mistaken autofill must not block the next try.
    if (trap.current) trap.current.value = "";
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The state that shows it comes a render later than a second press.
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(true);
    await send();
    isBusy.current = false;
    setSending(false);
  }

  return (
    <form
      noValidate
      // Submitted before the app is ready, a form would put its input into the address; this method sends nothing.
      method="dialog"
      aria-label="Newsletter"
      className="grid border-hairline border-t lg:grid-cols-12"
      onFocus={prepareAnswers}
      onSubmit={(event) => void submit(event)}
    >
      <label className="relative lg:col-span-9">
        <span className="type-label absolute top-5 left-gutter">EMAIL</span>
        <input
          ref={field}
          type="email"
          name="email"
          autoComplete="email"
          readOnly={isSending}
          aria-invalid={isInvalid}
          aria-describedby={isInvalid ? problemId : undefined}
          onChange={() => setProblem(undefined)}
          placeholder="name@example.org"
          className={`type-heading h-28 w-full min-w-0 px-gutter pt-8 placeholder:text-dim focus-visible:-outline-offset-2 lg:h-36 ${isInvalid ? "text-signal" : ""}`}
        />
      </label>
      {isInvalid && (
        <p
          id={problemId}
          className="px-gutter pb-5 text-signal lg:order-last lg:col-span-12 lg:border-hairline lg:border-t lg:pt-4"
        >
          {problem}
        </p>
      )}
      <NeedsScript className="px-gutter pb-5 text-signal lg:order-last lg:col-span-12 lg:pt-4">
        Subscribing needs JavaScript.
      </NeedsScript>
      <Honeypot ref={trap} />
      <Button
        type="submit"
        isBusy={isSending}
        variant="main"
        className="min-h-16 justify-center focus-visible:-outline-offset-2 lg:col-span-3"
      >
        {isSending ? "TRANSMITTING..." : "SUBSCRIBE"}
      </Button>
    </form>
  );
}

/** Fetches what is needed to report the answer, even if the line is lost by then. */
function prepareAnswers(): void {
  void loadRules();
  prepareToasts();
}

type Code = "subscribed" | "invalid_email" | "rate_limited" | "failed";

interface Outcome {
  code: Code;
  text: string;
}

async function subscribe(email: string, trap: string): Promise<Outcome> {
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
async function say(code: Code, message?: string): Promise<Outcome> {
  const hasRules = await loadRules();
  const { title, text } = NEWSLETTER_MESSAGES[`newsletter_${code}`];
  const description = (code === "failed" || !hasRules) && message ? message : text;
  showToast({ title, description, isError: code !== "subscribed" });
  return { code, text: description };
}

function codeOf(error: string | null | undefined): Code {
  return error === "invalid_email" || error === "rate_limited" ? error : "failed";
}
