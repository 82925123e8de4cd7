// Changes the username. Its availability is checked while typing; saving decides.
import { useQuery } from "@tanstack/react-query";
import { apiError, call } from "../../../api/client.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { withRules } from "../../../rules/rules.ts";
import { withChallenges } from "../../../session/challenge.ts";
import { useProfileChanges } from "../../../session/profileQuery.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import { UsernameField } from "../../../ui/Field.tsx";
import { messageText } from "../../../ui/messages.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { usePaused } from "../../../ui/useTypedSearch.ts";
import { InlineEdit } from "./InlineEdit.tsx";

export function UsernameEdit({ current, onClose }: { current: string; onClose: () => void }) {
  const { take, readAgain } = useProfileChanges();
  const isMounted = useIsMounted();
  const form = useRulesForm({
    check: (rules, { username }) =>
      mapChecked(rules.checkUsername(username), (name) => ({ username: name })),
    blank: { username: current },
    async send({ username }) {
      try {
        take(
          await withChallenges(
            () => call("PATCH", "/api/profile", { body: { username } }),
            "change your username",
          ),
        );
        toastSuccess("username_updated");
        if (form.hasChangedSince()) form.resetSubmitted({ username });
        // If it was closed and reopened, the form belongs to newer input.
        else if (isMounted()) onClose();
      } catch (error) {
        const isTaken = apiError(error).code === "username_taken";
        const broken = isTaken ? messageText("username_taken") : wordsForField(error, "username");
        if (!broken) {
          toastFailure(error, "username_exception");
          // Only the answer may be lost.
          void readAgain();
          return;
        }
        form.showRefusal({ fields: { username: broken } });
        toastError(isTaken ? "username_taken" : "validation_error", broken);
      }
    },
    onInvalid: ([problem]) => toastError("validation_error", problem?.message),
  });
  const availability = useAvailability(form.valueOf("username"), current);

  return (
    <InlineEdit form={form} onClose={onClose}>
      <UsernameField
        autoFocus
        aria-required
        hint={<span aria-live="polite">{AVAILABILITY[availability]}</span>}
        {...form.field("username")}
      />
    </InlineEdit>
  );
}

const AVAILABILITY = {
  unknown: "Letters, digits, underscores and hyphens.",
  asking: "Checking...",
  available: "This username is available.",
  taken: "This username is taken.",
} as const;

type Availability = "unknown" | "asking" | "available" | "taken";

const CHECK_PATH = "/api/profile/username-check";

/** The pause in typing before the server gets the name. */
const PAUSE_MS = 350;

/** Unknown for the present name, for one the rules refuse, and if the server does not say. */
function useAvailability(typed: string, current: string): Availability {
  const isWorthAsking =
    typed.toLowerCase() !== current.toLowerCase() &&
    withRules((rules) => rules.checkUsername(typed))?.problems === undefined;
  const username = usePaused(typed, PAUSE_MS);
  const isAsked = isWorthAsking && username === typed;
  const { data = "asking" } = useQuery<Availability>({
    queryKey: [CHECK_PATH, username],
    queryFn: ({ signal }) =>
      call("POST", CHECK_PATH, { body: { username }, signal }).then(
        ({ available }) => (available ? "available" : "taken"),
        // Saving will tell.
        () => "unknown",
      ),
    enabled: isAsked,
    gcTime: 0,
  });
  if (isAsked) return data;
  return isWorthAsking ? "asking" : "unknown";
}
