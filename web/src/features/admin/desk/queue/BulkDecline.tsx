// Declines the chosen demos together after one question. No mail is sent.
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "../../../../ui/Button.tsx";
import { type Choice, useChoiceCounts } from "../../lists/choice.tsx";
import { useDeskState } from "../deskState.ts";
import { counted, declineChosen, type Shown } from "./declineChosen.ts";

export function BulkDecline({ choice }: { choice: Choice }) {
  const client = useQueryClient();
  const { desk, actions } = useDeskState();
  const total = desk.rows.total ?? 0;
  const all = useRef<HTMLInputElement>(null);
  /** The button that asked disappears with the choice, so the focus goes to the checkbox beside it. */
  const isDeclined = useRef(false);
  const { chosen, loaded } = useChoiceCounts(choice);
  /** The demos in question, in the states shown. */
  const [asked, setAsked] = useState<readonly Shown[]>();
  const isAsking = asked !== undefined;
  const isAll = loaded > 0 && chosen === loaded;
  useEffect(() => {
    if (all.current) all.current.indeterminate = chosen > 0 && !isAll;
  }, [chosen, isAll]);

  function ask(): void {
    isDeclined.current = false;
    const states = new Map(desk.list.map((demo) => [demo.id, demo.state]));
    setAsked(choice.ids().map((id) => ({ id, state: states.get(id) ?? "new" })));
  }

  function decline(shown: readonly Shown[]): void {
    isDeclined.current = true;
    setAsked(undefined);
    declineChosen(client, actions, choice, shown);
  }

  const count = counted(asked?.length ?? 0);
  const accepted = asked?.filter(({ state }) => state === "accepted").length ?? 0;
  return (
    <div className="type-label flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-hairline border-b px-gutter py-2">
      <span className="flex items-center gap-3">
        <input
          ref={all}
          id="choose-demos"
          type="checkbox"
          className="check-box"
          checked={isAll}
          onChange={() => (isAll ? choice.clear() : choice.chooseAll())}
        />
        <label htmlFor="choose-demos" className="tabular-nums">
          {chosen > 0 ? `${chosen} chosen` : total === 1 ? "1 DEMO" : `${total} DEMOS`}
          <span className="sr-only">, choose all loaded</span>
        </label>
      </span>
      {chosen > 0 && (
        <Button variant="destroy" className="tabular-nums" onClick={ask}>
          Decline {chosen}
        </Button>
      )}
      {isAsking && (
        <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}>
          <AlertDialog.Portal>
            <AlertDialog.Backdrop className="fixed inset-0 z-dialog bg-ground/85" />
            <AlertDialog.Viewport className="fixed inset-0 z-dialog grid grid-cols-[minmax(0,1fr)] p-gutter">
              <AlertDialog.Popup
                data-modal
                finalFocus={() => (isDeclined.current ? all.current : true)}
                className="m-auto flex w-full max-w-[31rem] flex-col gap-5 border border-signal bg-ground p-gutter"
              >
                <AlertDialog.Title className="type-title">Decline {count}?</AlertDialog.Title>
                <AlertDialog.Description>
                  Nobody is written to. Each can be put back into any state.
                  {accepted > 0 &&
                    ` ${accepted === 1 ? "One of them is" : `${accepted} of them are`} accepted.`}
                </AlertDialog.Description>
                <div className="type-label flex flex-wrap gap-3">
                  <Button variant="destroy" onClick={() => decline(asked)}>
                    Decline {count}
                  </Button>
                  <AlertDialog.Close className="button">Keep Them</AlertDialog.Close>
                </div>
              </AlertDialog.Popup>
            </AlertDialog.Viewport>
          </AlertDialog.Portal>
        </AlertDialog.Root>
      )}
    </div>
  );
}
