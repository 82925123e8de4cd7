// The first steps of a new label, above the tabs. The list ticks itself, and disappears once all is done or an admin closes it.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useSyncExternalStore } from "react";
import { call, type Schemas } from "../../../api/client.ts";
import { createBrowserStore } from "../../../session/browserStore.ts";
import { orMayBeDone } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { listsSearchOf, type TabId } from "../tabIds.ts";
import { firstStepsQuery } from "./firstStepsQuery.ts";

const STEPS: Readonly<Record<string, { name: string; todo: ReactNode }>> = {
  name: {
    name: "Name the label",
    todo: (
      <ToTab tab="content" text="label_name">
        LABEL NAME, in Content
      </ToTab>
    ),
  },
  artist: { name: "Add the first artist", todo: <ToTab tab="artists">Artists</ToTab> },
  release: { name: "Add the first release", todo: <ToTab tab="releases">Releases</ToTab> },
  mail: {
    name: "Connect mail",
    todo: "On the server: set SMTP_URL to the address of your mail server, and restart. With the package, settings are in /etc/deadwax/deadwax.env.",
  },
  backup: {
    name: "Make a backup",
    todo: "On the server: set BACKUP_URL, and it is backed up every night; or run deadwax backup with a folder. Ticked once it has run.",
  },
  two_factor: {
    name: "Turn on two-factor",
    todo: <ToTab tab="security">Two-Factor Authentication, in Security</ToTab>,
  },
  imprint: {
    name: "Write the imprint",
    todo: (
      <ToTab tab="content" text="imprint">
        IMPRINT, in Content
      </ToTab>
    ),
  },
};

const hidden = createBrowserStore("deadwax.first-steps-hidden", (found) => found === true);

export function FirstSteps() {
  const id = useId();
  const isHidden = useSyncExternalStore(hidden.subscribe, hidden.get, () => false);
  const client = useQueryClient();
  // No event announces a backup or a changed setting of the machine.
  const { data } = useQuery({ ...firstStepsQuery, refetchOnWindowFocus: "always" });
  const close = useMutation({
    mutationFn: () => call("DELETE", "/api/admin/first-steps", {}),
    onError: (error) =>
      showToast({
        title: "Error",
        description: orMayBeDone(error, "Failed to close the list"),
        isError: true,
      }),
    // The focused button disappears.
    onSuccess: () => document.getElementById("content")?.focus(),
    onSettled: () => void client.invalidateQueries({ queryKey: firstStepsQuery.queryKey }),
  });
  const steps = data?.items ?? [];
  const left = steps.filter(({ done }) => !done).length;
  if (!data || left === 0 || close.isSuccess) return null;
  return (
    <section aria-labelledby={id} className="border-hairline border-b px-gutter py-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="type-row">
          First steps
          <span className="type-label ml-4 text-dim" role="status">
            {steps.length - left} of {steps.length} done
          </span>
        </h2>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => hidden.update((is) => !is)}>
            {isHidden ? "Show list" : "Hide list"}
          </Button>
          <Button isBusy={close.isPending} onClick={() => close.mutate()}>
            Close for good
          </Button>
        </div>
      </div>
      {!isHidden && (
        <ol className="mt-4 grid gap-x-8 gap-y-3 md:grid-cols-2 xl:grid-cols-4">
          {steps.map(({ step, done }) => (
            <Step key={step} step={step} done={done} />
          ))}
          <Texts texts={data.texts} />
        </ol>
      )}
    </section>
  );
}

function Step({ step, done }: { step: string; done: boolean }) {
  const known = STEPS[step];
  if (!known) return null;
  return (
    <li className="flex gap-3">
      <span aria-hidden="true" className={done ? "text-dim" : "text-signal"}>
        {done ? "■" : "□"}
      </span>
      <div className="min-w-0">
        <p className={done ? "text-dim" : undefined}>
          {known.name}
          <span className="sr-only">{done ? ", done" : ", open"}</span>
        </p>
        {!done && <p className="text-dim">{known.todo}</p>}
      </div>
    </li>
  );
}

/** Not a step that must be done: a label may like a text as it is. */
function Texts({ texts: { unchanged, total, first } }: { texts: Schemas["DeliveredTexts"] }) {
  if (!first) return null;
  return (
    <li className="flex gap-3">
      <span aria-hidden="true" className="text-dim">
        □
      </span>
      <p>
        <ToTab tab="content" text={first}>
          Texts: {unchanged} of {total} as delivered
        </ToTab>
      </p>
    </li>
  );
}

interface ToTabProps {
  tab: TabId;
  /** The key of a text in the Content tab. */
  text?: string;
  children: ReactNode;
}

function ToTab({ tab, text, children }: ToTabProps) {
  return (
    <Link
      to="/admin"
      search={(others) => ({ ...others, ...listsSearchOf({}), tab })}
      // Scrolls there: on a phone the tab is a window's height below.
      hash={text ?? "content"}
      onClick={() => text === undefined && document.getElementById("content")?.focus()}
      className="text-link inline-block min-h-6"
    >
      {children}
    </Link>
  );
}
