// The entry that paints public pages inside the server, in an engine that has only the language and a `console`. It is
// built into one separate file (vite.paint.config.ts).
import "./painting/standIns.ts";
import { createMemoryHistory } from "@tanstack/react-router";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { seed } from "./api/queries.ts";
import { App } from "./app/App.tsx";
import { createQueryClient } from "./app/queryClient.ts";
import { createAppRouter } from "./app/routes.tsx";
import { LabelName } from "./ui/labelName.ts";

/** How React marks parts it left to the browser, because they suspended or threw. */
const LEFT_OUT = /<!--\$[?!]-->/;

/** React preloads pictures in front of everything; the document's head does that already. */
const ASKED_AHEAD = /^(?:<link rel="preload"[^>]*>)+/;

/**
 * The content of `#root` for the page at `address` (path and query), made from `firstView`, the data in its document.
 * It is the same for every visitor. Rejects if the page cannot be painted whole.
 */
export async function paint(address: string, firstView: string): Promise<string> {
  const client = createQueryClient();
  try {
    const { label_name, event_id } = seed(client, firstView);
    const history = createMemoryHistory({ initialEntries: [address] });
    const router = createAppRouter(client, history);
    await router.load();
    // The router loads nothing for a redirect.
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
