import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { LabelProvider } from "./LabelProvider.tsx";
import { LiveUpdates } from "./LiveUpdates.tsx";

interface AppProps {
  client: QueryClient;
  router: AnyRouter;
  /** The newest event the page's own data already holds. */
  after: number | undefined;
}

export function App({ client, router, after }: AppProps) {
  return (
    <QueryClientProvider client={client}>
      <LabelProvider>
        <RouterProvider router={router} />
      </LabelProvider>
      <LiveUpdates after={after} />
    </QueryClientProvider>
  );
}
