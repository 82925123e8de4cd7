// The entry of the program: paints a public page. It runs in an engine that knows the language and a `console`, and is built
// into one file of its own (vite.paint.config.ts).
import "./painting/standIns.ts";
import { createMemoryHistory } from "@tanstack/react-router";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { seed } from "./api/queries.ts";
import { App } from "./app/App.tsx";
import { createQueryClient } from "./app/queryClient.ts";
import { createAppRouter } from "./app/routes.tsx";
import { LabelName } from "./ui/labelName.ts";

/** How React marks what it left to the browser because it was not there yet or threw. */
const LEFT_OUT = /<!--\$[?!]-->/;

/** React asks for pictures ahead, in front of everything; the document's head does that already. */
const ASKED_AHEAD = /^(?:<link rel="preload"[^>]*>)+/;

/**
 * What belongs into `#root` of the page at `address` (path and query), made of `firstView`, the data its document carries.
 * The same for everybody: nothing is known of who looks. Rejects where the page cannot be painted whole.
 */
export async function paint(address: string, firstView: string): Promise<string> {
  const client = createQueryClient();
  try {
    const { label_name, event_id } = seed(client, firstView);
    const history = createMemoryHistory({ initialEntries: [address] });
    const router = createAppRouter(client, history);
    await router.load();
    // The router loads nothing where it would lead elsewhere.
    const failed = router.state.matches.find((match) => match.status === "error");
    if (failed || router.state.matches.length === 0) {
      throw failed?.error ?? new Error(`${address} is no page's address`);
    }
    const html = renderToString(
      <StrictMode>
        <LabelName value={label_name}>
          <App client={client} router={router} after={event_id} />
        </LabelName>
      </StrictMode>,
    );
    if (LEFT_OUT.test(html)) throw new Error(`a part of ${address} could not be painted`);
    return html.replace(ASKED_AHEAD, "");
  } finally {
    client.clear();
  }
}
