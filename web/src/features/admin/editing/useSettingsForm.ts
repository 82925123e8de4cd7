// A small form of settings: holds the fields that were touched, and shows the stored values in the others.
import { type FormEvent, useState } from "react";
import { apiError } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import type { TitledCode, ToastCode } from "../../../ui/messages.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { useIsMounted } from "../../../ui/useIsMounted.ts";

const NEWER =
  "Someone else has saved these settings. Fields that you have not changed show theirs; save again to replace the others.";

type Texts<Name extends string> = Readonly<Record<Name, string>>;

interface Options<Name extends string, Answer> {
  /** As inputs show it. */
  stored: Texts<Name>;
  send: (touched: Partial<Texts<Name>>) => Promise<Answer>;
  /** Said in toasts; without them the form says that the save failed, by `failure`. */
  messages?: { saved: TitledCode; failed: ToastCode };
  /** Shows the saved settings. */
  onSaved: (answer: Answer) => Promise<void>;
  onFailed?: () => void;
  /** Not called if more was typed while the form was sent. */
  onClose: () => void;
}

export function useSettingsForm<Name extends string, Answer>({
  stored,
  send,
  messages,
  onSaved,
  onFailed,
  onClose,
}: Options<Name, Answer>) {
  const isMounted = useIsMounted();
  const [touched, setTouched] = useState<Partial<Texts<Name>>>({});
  const names = Object.keys(stored) as Name[];
  const { askBefore, question } = useUnsaved(
    names.some((name) => (touched[name] ?? stored[name]) !== stored[name]),
  );
  const save = useSingleMutation({
    mutationFn: send,
    onSuccess: async (answer, sent) => {
      await onSaved(answer);
      if (messages) toastSuccess(messages.saved);
      setTouched((now) => changesOf(now, sent));
      if (Object.keys(changesOf(touched, sent)).length === 0 && isMounted()) onClose();
    },
    onError: (error, sent) => {
      if (apiError(error).code === "stale_version") toastError("update_failed", NEWER);
      else if (messages && !names.some((name) => problemOf(name, error, sent))) {
        toastFailure(error, messages.failed);
      }
      onFailed?.();
    },
  });

  /** A refusal is about the text that was sent. */
  function problemOf(name: Name, error: Error | null, sent: Partial<Texts<Name>> | undefined) {
    return sent?.[name] === touched[name] ? wordsForField(error, name) : undefined;
  }

  return {
    /** The props of a field, beside its label. */
    field: (name: Name) => ({
      value: touched[name] ?? stored[name],
      error: problemOf(name, save.error, save.variables),
      onChange: ({ target }: { target: { value: string } }) =>
        setTouched({ ...touched, [name]: target.value }),
    }),
    isSaving: save.isPending,
    /** A failure that no field shows. */
    failure: names.some((name) => wordsForField(save.error, name)) ? null : save.error,
    onSubmit(event: FormEvent): void {
      event.preventDefault();
      save.mutate(touched);
    },
    askBefore,
    question,
  };
}

function changesOf<Name extends string>(now: Partial<Texts<Name>>, sent: Partial<Texts<Name>>) {
  const changed = Object.entries(now).filter(([name, text]) => text !== sent[name as Name]);
  return Object.fromEntries(changed) as Partial<Texts<Name>>;
}
