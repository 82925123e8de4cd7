// Declines the chosen demos together after one question. No mail is sent.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, apiError, call } from "../../../../api/client.ts";
import { DECLINED_MAX } from "../../../../rules/generated/constants.ts";
import { Button } from "../../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../../ui/ConfirmDialog.tsx";
import { showToast } from "../../../../ui/toasts/toastQueue.ts";
import { counted } from "../../grouped.ts";
import { type Choice, ChooseAllBox, useChoiceCounts } from "../../lists/choice.tsx";
import { readRowsAgain } from "../../lists/useRows.ts";
import { demoQuery, deskRows, heldDemo, toastTakenBack } from "../deskCalls.ts";
import { useDeskState } from "../deskState.ts";
import type { DemoState } from "../deskTypes.ts";
import { type Actions, UNCHANGED, whyNot } from "../useActions.ts";

const DESK = "/api/admin/desk";

type Moved = Answer<"POST", `${typeof DESK}/decline`>;

const BOX_ID = "choose-demos";

export function BulkDecline({ choice }: { choice: Choice }) {
  const client = useQueryClient();
  const { desk, actions } = useDeskState();
  const total = desk.rows.total ?? 0;
  const { chosen } = useChoiceCounts(choice);
  const [asked, setAsked] = useState<readonly Shown[]>();

  function ask(): void {
    const states = new Map(desk.list.map((demo) => [demo.id, demo.state]));
    setAsked(choice.ids().map((id) => ({ id, state: states.get(id) ?? "new" })));
  }

  function decline(shown: readonly Shown[]): void {
    setAsked(undefined);
    declineChosen(client, actions, choice, shown);
  }

  const count = counted(asked?.length ?? 0, "demo");
  const accepted = asked?.filter(({ state }) => state === "accepted").length ?? 0;
  return (
    <div className="type-label flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-hairline border-b px-gutter py-2">
      <span className="flex items-center gap-3">
        <ChooseAllBox choice={choice} id={BOX_ID} data-focus-home />
        <label htmlFor={BOX_ID} className="tabular-nums">
          {chosen > 0 ? `${chosen} chosen` : total === 1 ? "1 DEMO" : `${total} DEMOS`}
          <span className="sr-only">, choose all loaded</span>
        </label>
      </span>
      {chosen > 0 && (
        <Button variant="destroy" className="tabular-nums" onClick={ask}>
          Decline {chosen}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          title={`Decline ${count}?`}
          confirm={`Decline ${count}`}
          onConfirm={() => decline(asked)}
          cancel="Keep Them"
          onCancel={() => setAsked(undefined)}
        >
          No mail is sent. Each can be put back into any state.
          {accepted > 0 &&
            ` ${accepted === 1 ? "One of them is" : `${accepted} of them are`} accepted.`}
        </ConfirmDialog>
      )}
    </div>
  );
}

export interface Shown {
  id: string;
  state: DemoState;
}

function declineChosen(
  client: QueryClient,
  actions: Actions,
  choice: Choice,
  shown: readonly Shown[],
): void {
  const states = new Map(shown.map(({ id, state }) => [id, state]));
  let declined = shown.filter(isUndeclined);
  /** Those without an answer, which may not have been declined. */
  const unsure = new Set<string>();

  async function decline(): Promise<unknown> {
    const done: Shown[] = [];
    let count = 0;
    try {
      for (const batch of batchesOf(shown)) {
        try {
          // Those that are still in the state shown.
          const body = { ids: batch.map(({ id }) => id), from: batch.map(({ state }) => state) };
          const { ids } = await toastMoved(call("POST", `${DESK}/decline`, { body }));
          done.push(...batch.filter(({ id }) => ids.includes(id)));
        } catch (error) {
          if (apiError(error).isUnsure) {
            done.push(...batch.filter(isUndeclined));
            for (const { id } of batch) unsure.add(id);
          }
          throw error;
        }
        count += batch.length;
        choice.drop(batch.map(({ id }) => id));
      }
    } catch (error) {
      if (done.length === 0) throw error;
      const left = shown.length - count;
      const verb = apiError(error).isUnsure ? "may not be declined" : "not declined";
      actions.tell(`${left} of ${counted(shown.length, "demo")} ${verb}: ${whyNot(error)}`);
    } finally {
      declined = done;
      readAgain(shown);
    }
    return done.length > 0 || UNCHANGED;
  }

  function readAgain(moved: readonly Shown[]): void {
    for (const { id } of moved) {
      void client.invalidateQueries({ queryKey: demoQuery(id).queryKey });
    }
    readRowsAgain(client, deskRows.path);
  }

  /** Restores each state, unless another admin has moved or deleted the demo since. */
  async function putBack(): Promise<void> {
    const isToGo = ({ id }: Shown) => !unsure.has(id) || heldDemo(client, id)?.state === "declined";
    declined = declined.filter(isToGo);
    const asked = declined;
    try {
      for (const batch of batchesOf(declined)) {
        const steps = batch.map(({ id, state }) => ({ id, state, from: "declined" as const }));
        await toastMoved(call("POST", `${DESK}/states`, { body: { steps } }));
        declined = declined.slice(batch.length);
      }
    } finally {
      readAgain(asked);
    }
  }

  void actions.run(`bulk ${shown.map(({ id }) => id).join()}`, shown, decline, {
    patch: () => ({ state: "declined" }),
    ...(declined.length > 0 && {
      step: {
        get what() {
          return `Declined, ${counted(declined.length, "demo")}`;
        },
        before: ({ id, state }) => ({ state: states.get(id) ?? state }),
        takeBack: putBack,
      },
    }),
  });
}

function isUndeclined({ state }: Shown): boolean {
  return state !== "declined";
}

async function toastMoved(moving: Promise<Moved>): Promise<Moved> {
  const moved = await moving;
  const { taken_back, left } = moved;
  toastTakenBack(taken_back);
  if (left === 0) return moved;
  showToast({
    title: `${counted(left, "demo")} ${left === 1 ? "was" : "were"} left`,
    description: "Someone else has moved them since, and they stay as they are.",
  });
  return moved;
}

function batchesOf(demos: readonly Shown[]): readonly (readonly Shown[])[] {
  const count = Math.ceil(demos.length / DECLINED_MAX);
  return Array.from({ length: count }, (_, at) =>
    demos.slice(at * DECLINED_MAX, (at + 1) * DECLINED_MAX),
  );
}
