// A letter in its dialog: its parts and a preview beside them. One that is no draft any more is only shown.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../../../../api/client.ts";
import { putAnswer } from "../../../../api/putAnswer.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { toastFailure } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field } from "../../../../ui/Field.tsx";
import { Modal } from "../../../../ui/Modal.tsx";
import { Switch } from "../../../../ui/Switch.tsx";
import { toastSuccess } from "../../../../ui/toasts/toast.ts";
import { EditorDialog } from "../../editing/EditorDialog.tsx";
import { useEditor } from "../../editing/useEditor.ts";
import { putRow, readRowsAgain } from "../../lists/useRows.ts";
import { DraftPreview, FrozenPreview } from "./LetterPreview.tsx";
import { LetterSending } from "./LetterSending.tsx";
import { type Letter, letterConfig, letterQuery, stateOf, subjectOf } from "./letterConfig.ts";
import { PartsField } from "./PartsField.tsx";

interface LetterEditorProps {
  letter: Letter;
  onClose: () => void;
}

/** Follows the letter's state, unless something typed would be lost. */
export function LetterEditor({ letter, onClose }: LetterEditorProps) {
  const [isUnsaved, setUnsaved] = useState(false);
  // One dialog takes the other's place, whose buttons are gone then.
  const [opener] = useState(() => document.activeElement);
  const { data } = useQuery({
    ...letterQuery(letter.id),
    gcTime: 0,
  });
  const newest: Letter = data ?? letter;
  if (newest.state === "draft" || isUnsaved) {
    return <DraftEditor letter={newest} opener={opener} onClose={onClose} onUnsaved={setUnsaved} />;
  }
  return (
    <Modal title={subjectOf(newest)} onClose={onClose} isWide isFull opener={opener}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-gutter lg:grid-cols-2 lg:items-start">
        <div className="flex flex-col gap-5">
          <p tabIndex={-1} data-focus-home className="type-label uppercase outline-none">
            {stateOf(newest)}
          </p>
          <LetterSending id={newest.id} version={newest.version} />
          <ArchiveSwitch letter={newest} />
        </div>
        {newest.began_at ? (
          <FrozenPreview id={newest.id} />
        ) : (
          <DraftPreview draft={letterConfig.formOf(newest)} inArchive={newest.in_archive} />
        )}
      </div>
    </Modal>
  );
}

interface DraftEditorProps extends LetterEditorProps {
  opener: Element | null;
  onUnsaved: (isUnsaved: boolean) => void;
}

function DraftEditor({ letter, opener, onClose, onUnsaved }: DraftEditorProps) {
  const editor = useEditor(letterConfig, letter, onClose);
  const { form, isUnsaved } = editor;
  const { labels } = letterConfig;
  const subject = form.valueOf("subject");
  const preheader = form.valueOf("preheader");
  const parts = form.valueOf("parts");
  const saved = editor.newest ?? letter;
  const outdated = editor.newer && "There is a newer version, which is not shown.";
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);

  /** The switch makes a version too; a later one has changes of someone else. */
  function moveOnto(switched: Letter): void {
    const isNext = switched.version - 1 === editor.base?.version;
    if (isNext && !form.isSending) editor.moveOnto(switched);
  }

  return (
    <EditorDialog
      title="Edit Letter"
      config={letterConfig}
      editor={editor}
      onClose={onClose}
      isFull
      opener={opener}
      buttons={
        <TestButton
          id={letter.id}
          blocked={outdated ?? (isUnsaved ? "Save it before a test." : undefined)}
        />
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:col-span-2 lg:grid-cols-[minmax(22rem,2fr)_minmax(0,3fr)] lg:items-start lg:gap-8">
        <div className="flex min-w-0 flex-col gap-5">
          <Field
            label={labels.subject}
            autoComplete="off"
            hint="Needed when the letter goes out."
            {...form.field("subject")}
          />
          <Field
            label={labels.preheader}
            autoComplete="off"
            hint="Shown beside the subject in a list of mails."
            {...form.field("preheader")}
          />
          <PartsField form={form} onUploading={editor.onUploading} />
          <ArchiveSwitch letter={saved} isSaving={form.isSending} onSwitched={moveOnto} />
        </div>
        <div className="flex min-w-0 flex-col gap-5 lg:sticky lg:top-gutter">
          <LetterSending
            id={letter.id}
            version={(editor.base ?? letter).version}
            blocked={outdated ?? (isUnsaved ? "Save the letter first." : undefined)}
          />
          <DraftPreview draft={{ subject, preheader, parts }} inArchive={saved.in_archive} />
        </div>
      </div>
    </EditorDialog>
  );
}

interface TestButtonProps {
  id: string;
  /** Why it cannot be sent now. */
  blocked: string | undefined;
}

function TestButton({ id, blocked }: TestButtonProps) {
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => call("POST", "/api/admin/letters/{id}/test", { path: { id } }),
    onSuccess: ({ to, captured }) =>
      toastSuccess(captured ? "letter_test_captured" : "letter_test_sent", to.join(", ")),
    onError: (error) => toastFailure(error, "letter_test_failed"),
  });
  return (
    <span className="flex flex-wrap items-center gap-3">
      <Button
        variant="outline"
        isBusy={blocked !== undefined || isPending}
        onClick={() => mutate()}
      >
        {isPending ? "SENDING..." : "SEND A TEST"}
      </Button>
      {blocked && <span className="text-dim normal-case">{blocked}</span>}
    </span>
  );
}

interface ArchiveSwitchProps {
  letter: Letter;
  /** Presses are ignored then: the version that one makes would refuse the save. */
  isSaving?: boolean;
  onSwitched?: (switched: Letter) => void;
}

function ArchiveSwitch({ letter, isSaving = false, onSwitched }: ArchiveSwitchProps) {
  const client = useQueryClient();
  const { id } = letter;
  const { mutate, isPending, variables } = useSingleMutation({
    mutationFn: (in_archive: boolean) =>
      call("PATCH", "/api/admin/letters/{id}", { path: { id }, body: { in_archive } }),
    onSuccess: async (changed) => {
      putRow(client, letterConfig.path, changed);
      await putAnswer(client, letterQuery(id), changed);
      onSwitched?.(changed);
    },
    onError: (error) => toastFailure(error, "letter_archive_failed"),
    onSettled: () => readRowsAgain(client, letterConfig.path),
  });
  return (
    <Switch
      label="In the archive"
      checked={isPending ? variables : letter.in_archive}
      aria-busy={isPending || isSaving}
      onChange={({ target }) => !isSaving && mutate(target.checked)}
    />
  );
}
