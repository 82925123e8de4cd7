// The signed-in person's profile.
import {
  type QueryClient,
  queryOptions,
  type Updater,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { apiError, call } from "../api/client.ts";
import type { components } from "../api/types/api.ts";
import { tellTabs } from "./tabs.ts";
import { useAuth } from "./useAuth.ts";

export type Profile = components["schemas"]["ProfileView"];

const PROFILE_URL = "/api/profile";

/** The profile; a missing one is created, with a default username. */
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

/** Updates page and session after a change. */
export function useProfileChanges() {
  const client: QueryClient = useQueryClient();
  const { checkAgain } = useAuth();
  return useMemo(
    () => ({
      /** Takes over a call's answer; the session's copy of name and picture follows. */
      async take(profile: Updater<Profile | undefined, Profile | undefined>): Promise<void> {
        // A pending read may bring an older answer.
        await client.cancelQueries({ queryKey: profileQuery.queryKey });
        client.setQueryData(profileQuery.queryKey, profile);
        tellTabs({ kind: "account_changed" });
        void checkAgain();
      },
      async readAgain(): Promise<void> {
        tellTabs({ kind: "account_changed" });
        // Not awaited: a failed read is retried for as long as it takes.
        void client.invalidateQueries({ queryKey: profileQuery.queryKey });
        await checkAgain();
      },
    }),
    [client, checkAgain],
  );
}
