// Declines the chosen demos together after one question. No mail is sent.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../../ui/ConfirmDialog.tsx";
import { type Choice, ChooseAllBox, useChoiceCounts } from "../../lists/choice.tsx";
import { useDeskState } from "../deskState.ts";
import { counted, declineChosen, type Shown } from "./declineChosen.ts";

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

  const count = counted(asked?.length ?? 0);
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
