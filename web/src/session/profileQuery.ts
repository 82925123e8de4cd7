// The own profile, as only its owner reads it.
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { apiError, call } from "../api/client.ts";
import type { components } from "../api/types/api.ts";
import { tellTabs } from "./tabs.ts";
import { useAuth } from "./useAuth.ts";

export type Profile = components["schemas"]["ProfileView"];

const PROFILE_URL = "/api/profile";

/** The profile; one that is missing is made anew, with a default username. */
export const profileQuery = queryOptions({
  queryKey: [PROFILE_URL],
  queryFn: async ({ signal }): Promise<Profile> => {
    try {
      return await call("GET", PROFILE_URL, { signal });
    } catch (error) {
      if (apiError(error).code !== "profile_missing") throw error;
      return await call("POST", PROFILE_URL, { signal });
    }
  },
});

/** Ways to bring page and session up to date after a change. */
export function useProfileChanges() {
  const client: QueryClient = useQueryClient();
  const { checkAgain } = useAuth();
  return useMemo(
    () => ({
      /** Shows what a call answered; the session's own copy of name and picture follows. */
      async take(profile: Profile): Promise<void> {
        // A read that is on its way may have been answered before the change: what it brings is old.
        await client.cancelQueries({ queryKey: profileQuery.queryKey });
        client.setQueryData(profileQuery.queryKey, profile);
        void checkAgain();
      },
      /** Reads profile and session again. */
      async readAgain(): Promise<void> {
        tellTabs({ kind: "account_changed" });
        // A read that fails is tried again for as long as it takes; nothing may wait for that.
        void client.invalidateQueries({ queryKey: profileQuery.queryKey });
        await checkAgain();
      },
    }),
    [client, checkAgain],
  );
}
