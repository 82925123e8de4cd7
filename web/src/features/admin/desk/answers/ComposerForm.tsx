// The letter to a sender, shown as it would be sent.
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { Button } from "../../../../ui/Button.tsx";
import { isComposing } from "../../../../ui/composing.ts";
import { dayAndTime } from "../../../../ui/dates.ts";
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { Select } from "../../../../ui/Select.tsx";
import { SkeletonBlock } from "../../../../ui/Skeleton.tsx";
import { CommandButton } from "../CommandButton.tsx";
import { useDeskState } from "../deskState.ts";
import { LETTER_KINDS, type LetterKind, letterName } from "../deskTypes.ts";

export function ComposerForm({ kind }: { kind: LetterKind }) {
  const { composer, openLetter, run } = useDeskState();
  const { letter, to, problems, isSending, isAsking, wasSentAt } = composer;
  const heading = useRef<HTMLHeadingElement>(null);
  // With the focus here Enter sends, and the other keys of the desk keep working.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  // Enter must not send a letter, nor answer a question, that is out of sight.
  const form = useRef<HTMLFormElement>(null);
  const isFilledIn = letter !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form grows with both
  useEffect(() => {
    form.current?.scrollIntoView?.({ block: "nearest" });
  }, [isFilledIn, isAsking]);

  function press(event: KeyboardEvent<HTMLFormElement>): void {
    const { target, key } = event;
    if (isComposing(event)) return;
    if (key === "Escape") {
      event.preventDefault();
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) {
        heading.current?.focus();
      } else run({ id: "close" });
    }
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      composer.send();
    }
  }
  return (
    <form
      ref={form}
      aria-label="Answer"
      className="flex flex-col gap-4 border-hairline border-b px-gutter py-5"
      onKeyDown={press}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        composer.send();
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h3 ref={heading} tabIndex={-1} className="type-row outline-none">
          <span aria-hidden="true" className="block-cursor mr-2.5 text-signal" />
          Answer: {letterName(kind)}
        </h3>
        <Select
          label="Kind of answer"
          className="px-2 pointer-fine:text-[0.75rem]"
          options={LETTER_KINDS}
          value={kind}
          onChoose={(chosen) => openLetter(chosen)}
        />
      </div>
      {letter ? (
        <>
          <p className="text-[0.75rem]">
            <span className="text-dim">To </span>
            {to}
          </p>
          <Field
            label="Subject"
            autoComplete="off"
            error={problems.subject}
            value={letter.subject}
            onChange={({ target }) => composer.write({ ...letter, subject: target.value })}
          />
          <TextArea
            label="Text"
            rows={6}
            error={problems.text}
            value={letter.text}
            onChange={({ target }) => composer.write({ ...letter, text: target.value })}
          />
        </>
      ) : composer.isFailing ? (
        <div role="alert" className="flex flex-wrap items-center gap-4">
          <p className="text-signal">The letter could not be filled in. Nothing was sent.</p>
          <Button onClick={composer.tryAgain}>Try Again</Button>
        </div>
      ) : (
        <SkeletonBlock lines={4} className="" />
      )}
      <p role="status" className="text-[0.75rem] empty:hidden">
        {composer.isAwaited && "It is sent as soon as it is filled in."}
      </p>
      <div role="alert" className="empty:hidden">
        {isAsking && (
          <p className="border border-signal p-3">
            They have had an answer of this kind
            {wasSentAt && <> on {dayAndTime(wasSentAt)}</>}. Nothing was sent.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {isAsking ? (
          <Button
            variant="destroy"
            isBusy={isSending}
            // The second click of a double click was meant for Send, which was here before.
            onClick={({ detail }) => detail <= 1 && composer.send(true)}
          >
            Send Another
          </Button>
        ) : (
          <CommandButton command="send" type="submit" variant="main" isBusy={isSending}>
            {isSending ? "Sending..." : "Send"}
          </CommandButton>
        )}
        <CommandButton command="close" />
      </div>
    </form>
  );
}
