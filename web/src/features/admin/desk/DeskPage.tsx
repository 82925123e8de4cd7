// The demo desk: hear, judge and answer what artists have sent.
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { isComposing } from "../../../ui/composing.ts";
import { TextArea } from "../../../ui/Field.tsx";
import { SkeletonBlock } from "../../../ui/Skeleton.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { AdminFrame } from "../AdminFrame.tsx";
import { Failed } from "../lists/RowList.tsx";
import { CommandButton } from "./CommandButton.tsx";
import { DeskContext, useCreateDeskState, useDeskState } from "./deskState.ts";
import { DraftForm } from "./drafts/DraftForm.tsx";
import { focusOf } from "./keys/commands.ts";
import { ShortcutsDialog, useShortcuts, useShortcutsSwitch } from "./keys/ShortcutsDialog.tsx";
import { Queue } from "./queue/Queue.tsx";
import { ProblemLine, Sheet } from "./sheet/Sheet.tsx";
import { SettingsDialog } from "./summary/SettingsDialog.tsx";
import { Summary } from "./summary/Summary.tsx";
import { TemplatesDialog } from "./templates/TemplatesDialog.tsx";

export function DeskPage() {
  return (
    <AdminFrame
      wayBack={
        <Link to="/admin" search={{ tab: "media" }} className="button">
          Media
        </Link>
      }
    >
      <DemoDesk />
    </AdminFrame>
  );
}

function DemoDesk() {
  const state = useCreateDeskState();
  const { desk, drafts, summary, dialog, setDialog } = state;
  const [isOn, setShortcuts] = useShortcutsSwitch();
  useShortcuts(isOn, state.run);
  const closeDialog = () => setDialog(undefined);
  return (
    <DeskContext value={state}>
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-hairline border-b px-gutter pt-6 pb-4">
        <h1 className="type-heading">Demo Desk</h1>
        <div className="type-label flex flex-wrap items-center gap-x-5 gap-y-2">
          <Switch
            label="SHORTCUTS"
            checked={isOn}
            onChange={({ target }) => setShortcuts(target.checked)}
          />
          <Button disabled={summary === undefined} onClick={() => setDialog("settings")}>
            Settings
          </Button>
          <Button onClick={() => setDialog("letters")}>Letters</Button>
          <CommandButton command="keys" />
        </div>
      </header>
      <Summary />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_24rem] xl:grid-cols-[minmax(0,1fr)_28rem]">
        <div
          ref={state.sheet}
          className="min-w-0 border-hairline border-b lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:border-b-0"
        >
          <p role="status" className="sr-only">
            {desk.demo && `On the desk: ${desk.demo.artist_name}`}
          </p>
          <OnTheDesk />
        </div>
        <div className="min-w-0 border-hairline lg:border-l">
          <Queue />
        </div>
      </div>
      {dialog === "keys" && (
        <ShortcutsDialog isOn={isOn} onToggle={setShortcuts} onClose={closeDialog} />
      )}
      {dialog === "letters" && <TemplatesDialog onClose={closeDialog} />}
      {dialog === "settings" && summary && (
        <SettingsDialog summary={summary} onClose={closeDialog} />
      )}
      <DraftForm drafts={drafts} />
      {state.question}
    </DeskContext>
  );
}

function OnTheDesk() {
  const { desk } = useDeskState();
  const { demo, isGone, isFailing, tryAgain, rows } = desk;
  if (isGone) return <Gone />;
  if (demo) return <Sheet demo={demo} />;
  if (isFailing) return <Failed code="demos_load_failed" onRetry={tryAgain} />;
  if (desk.id === undefined && rows.total === 0) {
    return (
      <div className="flex flex-col items-start gap-5 px-gutter py-16">
        <p className="type-lead">No demo selected.</p>
        {Object.keys(desk.address.asked).length > 0 && (
          <Button onClick={() => desk.address.clear()}>All Demos</Button>
        )}
      </div>
    );
  }
  if (rows.isFailing) return null;
  return <SkeletonBlock lines={5} />;
}

/** Takes the typing that goes on when the demo is removed: as shortcuts, it would judge the next demos. */
function Gone() {
  const { desk, note, composer } = useDeskState();
  const [wasTyping] = useState(() => focusOf(document.activeElement) === "field");
  const { letter } = composer;
  const unsaved = [
    composer.isEdited &&
      letter && { label: "Your letter, not sent", text: `${letter.subject}\n\n${letter.text}` },
    note.text.trim() && { label: "Your note, not kept", text: note.text },
  ].filter((part) => typeof part === "object");

  function press(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    event.stopPropagation();
    if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
  }
  return (
    <div className="flex flex-col items-start gap-5 px-gutter py-16">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of what has the focus within it */}
      <div data-gone className="flex w-full flex-col gap-5" onKeyDown={press}>
        <div role="alert">
          <p
            tabIndex={-1}
            data-focus-home={wasTyping && unsaved.length === 0 ? true : undefined}
            className="type-lead outline-none"
          >
            This demo is gone. Its sender or another admin has removed it.
          </p>
          <ProblemLine />
        </div>
        {unsaved.map(({ label, text }) => (
          <TextArea
            key={label}
            data-focus-home={wasTyping || undefined}
            readOnly
            label={label}
            value={text}
          />
        ))}
      </div>
      {desk.next && <CommandButton command="next" variant="main" />}
    </div>
  );
}
