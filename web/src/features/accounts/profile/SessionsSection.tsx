// The account's open sessions, and a button to end each.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, apiError, call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { isCancelled, withChallenges } from "../../../session/challenge.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { orMayBeDone, wordsFor } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { dayAndTime } from "../../../ui/dates.ts";
import { messageText } from "../../../ui/messages.ts";
import { SkeletonLines } from "../../../ui/Skeleton.tsx";
import { toastError } from "../../../ui/toasts/toast.ts";
import { useAskBefore } from "../../../ui/unsaved/UnsavedFrame.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { sessionsQuery } from "./sessionsQuery.ts";

type OpenSession = Answer<"GET", "/api/auth/sessions">["items"][number];

export function SessionsSection() {
  const { data } = useQuery(sessionsQuery);
  return (
    <ProfileSection
      // Not the next session's button, which a second press would reach.
      isFocusHome
      name="SESSIONS"
      about="Every browser and program that is signed in as you."
    >
      {data ? (
        <ul className="border-hairline border-t">
          {data.items.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <SkeletonLines lines={3} />
      )}
    </ProfileSection>
  );
}

function SessionRow({ session }: { session: OpenSession }) {
  const client = useQueryClient();
  const { signOut } = useAuth();
  // Asks first if recovery codes on screen are not kept yet.
  const askBefore = useAskBefore();
  const end = useSingleMutation({
    mutationFn: () =>
      session.current
        ? signOut()
        : withChallenges(
            () => call("DELETE", "/api/auth/sessions/{id}", { path: { id: session.id } }),
            "end a session",
          ),
    onError: (error) => {
      if (isCancelled(error)) return;
      // An already ended session is a success.
      if (apiError(error).status === 404) return;
      const failed = orMayBeDone(error, messageText("callback_unexpected"));
      toastError("update_failed", wordsFor(error, failed));
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const browser = session.user_agent;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-hairline border-b py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-4 text-[1rem]">
          {browser}
          {session.current && (
            <span className="type-label inline-flex items-baseline gap-2">
              <span aria-hidden="true" className="block-cursor" />
              THIS BROWSER
            </span>
          )}
        </p>
        <p className="mt-1 text-dim">
          {session.network} · Last used{" "}
          <time dateTime={session.used_at}>{dayAndTime(session.used_at)}</time> · Signed in{" "}
          <time dateTime={session.created_at}>{dayAndTime(session.created_at)}</time>
        </p>
      </div>
      <Button
        isBusy={end.isPending}
        onClick={() => (session.current ? askBefore(() => end.mutate()) : end.mutate())}
      >
        Sign out <span className="sr-only">{browser}</span>
      </Button>
    </li>
  );
}
