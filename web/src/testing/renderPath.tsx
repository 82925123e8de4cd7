// Renders the whole app at a path.
import { createMemoryHistory } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { seedFromPage } from "../api/queries.ts";
import { App } from "../app/App.tsx";
import { createQueryClient } from "../app/queryClient.ts";
import { createAppRouter } from "../app/routes.tsx";

interface Served {
  event_id: number;
  queries: { url: string; body: unknown }[];
}

/** Renders the app; `served` is the embedded data of the page. */
export function renderPath(path: string, served?: Served) {
  const client = createQueryClient();
  const page = document.implementation.createHTMLDocument();
  if (served) {
    const data = page.createElement("script");
    data.type = "application/json";
    data.id = "first-view";
    data.textContent = JSON.stringify(served);
    page.body.append(data);
  }
  const after = seedFromPage(client, page);
  const router = createAppRouter(client, createMemoryHistory({ initialEntries: [path] }));
  render(<App client={client} router={router} after={after} />);
  return { client, router, user: userEvent.setup() };
}
