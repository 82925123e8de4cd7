// A form whose fields are checked by the rules: the one resolver between react-hook-form and the WebAssembly package,
// and what every form does about sending.
import type { Checked, Problem } from "@deadwax/rules/bundler";
import { type FormEvent, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  type Resolver,
  set,
  useForm,
} from "react-hook-form";
import { loadRules, type Rules, withRules } from "../rules.ts";

/** One of the rules' form checks; its problems name fields as the form does, and its value is what is sent. */
export type Check<Form, Value> = (rules: Rules, form: Form) => Checked<Value>;

/** The same outcome with something else for its value. */
export function mapChecked<Value, Other>(
  outcome: Checked<Value>,
  make: (value: Value) => Other,
): Checked<Other> {
  return outcome.problems ? outcome : { value: make(outcome.value) };
}

/** The part of a refused call that belongs to single fields. */
interface Refusal {
  readonly fields: Readonly<Record<string, string>>;
}

/** Without the rules everything passes, and the server's answer serves. */
function rulesResolver<Form extends FieldValues, Value>(
  check: Check<Form, Value>,
  unchecked: (typed: Form) => Value,
  hear: (problems: readonly Problem[]) => void,
): Resolver<Form, unknown, Value> {
  return async (typed) => {
    await loadRules();
    const outcome = withRules((rules) => check(rules, typed)) ?? { value: unchecked(typed) };
    hear(outcome.problems ?? []);
    if (!outcome.problems) return { values: outcome.value, errors: {} };
    const errors: FieldErrors<Form> = {};
    for (const { field, message } of outcome.problems) {
      const place = placeOf(field, typed);
      if (!get(errors, place)) set(errors, place, { type: "rule", message });
    }
    return { values: {}, errors };
  };
}

/** Where a field's error stands: that of a whole list beside those of its rows. */
function placeOf(field: string, values: FieldValues): string {
  return Array.isArray(values[field]) ? `${field}.root` : field;
}

/** What is wrong with a field, or with one and the rows in it, each with what its row is called. */
function messagesOf(error: unknown, row = ""): string[] {
  if (error === null || typeof error !== "object") return [];
  if ("message" in error && typeof error.message === "string") {
    return [row ? `${row}: ${error.message}` : error.message];
  }
  return Object.entries(error).flatMap(([key, inner]) => {
    if (key === "root") return messagesOf(inner);
    return messagesOf(inner, row && /^\d+$/.test(key) ? `${row} ${Number(key) + 1}` : row);
  });
}

interface RulesFormOptions<Form extends FieldValues, Value> {
  check: Check<Form, Value>;
  /** What is sent of what was typed where the rules are not there: then the server decides. */
  unchecked: (typed: Form) => Value;
  /** The empty form; every field is named in it. */
  blank: Form & DefaultValues<Form>;
  /** What was typed before, where the page keeps that; blank otherwise. */
  kept?: Form & DefaultValues<Form>;
  /** Sends what the check made of the form; called once however often the person presses. */
  send: (value: Value) => Promise<void>;
  /** What a row of each list in the form is called. */
  rowNames?: Readonly<Partial<Record<keyof Form & string, string>>>;
  /** Hears why the check refused what was to be sent, beside what the fields say; at least one problem. */
  onInvalid?: (problems: readonly Problem[]) => void;
}

export function useRulesForm<Form extends FieldValues, Value>({
  check,
  unchecked,
  blank,
  kept = blank,
  send,
  rowNames,
  onInvalid,
}: RulesFormOptions<Form, Value>) {
  const problems = useRef<readonly Problem[]>([]);
  const {
    control,
    register,
    handleSubmit,
    setError,
    clearErrors,
    setFocus,
    setValue,
    watch,
    reset,
    getValues,
    formState,
  } = useForm<Form, unknown, Value>({
    defaultValues: kept,
    resolver: rulesResolver(check, unchecked, (found) => {
      problems.current = found;
    }),
  });
  const [problem, setProblem] = useState<string>();
  const isBusy = useRef(false);
  /** What the form held when it was sent last. */
  const sent = useRef<Form>(undefined);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The state that disables a button comes a render later than the second press.
    if (isBusy.current) return;
    isBusy.current = true;
    setProblem(undefined);
    sent.current = structuredClone(getValues());
    try {
      await handleSubmit(
        (value) => send(value),
        () => onInvalid?.(problems.current),
      )();
    } finally {
      isBusy.current = false;
    }
  }

  /** The fields that were changed since the form was sent. */
  function typedSince(): FieldPath<Form>[] {
    const now = getValues();
    const { current: then } = sent;
    if (!then) return [];
    const differs = (field: string) => JSON.stringify(now[field]) !== JSON.stringify(then[field]);
    return (Object.keys(blank) as FieldPath<Form>[]).filter(differs);
  }
  function reopenKeeping(values: Form, kept: readonly FieldPath<Form>[]): void {
    const now = structuredClone(getValues());
    const merged = { ...values, ...Object.fromEntries(kept.map((field) => [field, now[field]])) };
    reset(values);
    // Rows of lists are told of a reset alone: set one by one, they would be drawn, and read, as they were opened.
    if (kept.length > 0) reset(merged, { keepDefaultValues: true });
    setProblem(undefined);
  }
  const reopenSent = (values: Form) => reopenKeeping(values, typedSince());

  const known = useRef(new WeakSet<object>());
  /**
   * Spread onto the field's input. What was typed into a painted form before the app was here is taken as if it had been typed
   * now; the library alone would call no `onChange`.
   */
  const registerKeeping: typeof register = (field, options) => {
    const { ref, ...input } = register(field, options);
    const takeOver = (element: HTMLInputElement | HTMLTextAreaElement | null) => {
      const isNew = element !== null && !known.current.has(element);
      // A box to tick has a value of its own, typed or not.
      const typed = isNew && element.type !== "checkbox" ? element.value : "";
      ref(element);
      if (!isNew) return;
      known.current.add(element);
      if (typed !== "") {
        element.value = typed;
        void input.onChange({ type: "change", target: element });
      } else if (element === document.activeElement) {
        // Typing replaces a kept value that arrives in a focused field.
        element.select();
      }
    };
    // The rules are fetched with the first sign that the form is used.
    return { ...input, ref: takeOver, onFocus: () => void loadRules() };
  };

  function errorOf(field: FieldPath<Form>): string | undefined {
    const error: { message?: string; root?: { message?: string } } = get(
      formState.errors,
      field,
      {},
    );
    return error.message ?? error.root?.message;
  }

  return {
    /** For lists of rows in the form. */
    control,
    register: registerKeeping,
    /** The props that tie a `Field` to the form: its input and its error. */
    field: (name: FieldPath<Form>, options?: Parameters<typeof register>[1]) => ({
      error: errorOf(name),
      ...registerKeeping(name, options),
    }),
    onSubmit: (event: FormEvent) => void submit(event),
    /** True from the press to the answer. */
    isSending: formState.isSubmitting,
    /** The error of a field. */
    errorOf,
    /** What is wrong with all fields, in their order. */
    get fieldProblems(): readonly string[] {
      const all = Object.keys(blank).flatMap((field) =>
        messagesOf(formState.errors[field as FieldPath<Form>], rowNames?.[field]),
      );
      return [...new Set(all)];
    },
    /** True while something differs from what the form was opened with. */
    get isDirty(): boolean {
      return formState.isDirty;
    },
    /** The present value of a field; the caller is drawn again when it changes. */
    valueOf: <Name extends FieldPath<Form>>(field: Name): FieldPathValue<Form, Name> =>
      watch(field),
    /** Fills a field as if it had been typed. */
    fill<Name extends FieldPath<Form>>(field: Name, value: FieldPathValue<Form, Name>) {
      setValue(field, value, { shouldDirty: true, shouldValidate: formState.isSubmitted });
    },
    /** What is wrong with the whole. */
    problem,
    setProblem,
    /** Puts what the server refused beside its fields, and says whether it named any of this form. */
    showRefusal(refusal: Refusal): boolean {
      const named = Object.entries(refusal.fields).filter(
        ([field]) => (field.split("[")[0] ?? "") in blank,
      );
      for (const [index, [field, message]] of named.entries()) {
        setError(
          // The library writes the place of a row with a point.
          placeOf(field.replace(/\[(\d+)\]/g, ".$1"), blank) as FieldPath<Form>,
          { type: "server", message },
          { shouldFocus: index === 0 },
        );
      }
      return named.length > 0;
    },
    getValues,
    setFocus,
    /** Marks a field and leads to it, for actions beside sending. */
    setError(field: FieldPath<Form>, message: string) {
      setError(field, { type: "rule", message }, { shouldFocus: true });
    },
    /** Takes back what was said of a field, where its value changed without typing. */
    clearError: (field: FieldPath<Form>) => clearErrors(field),
    /** Takes these values as what the form was opened with. */
    reopen(values: Form) {
      reset(values);
      setProblem(undefined);
    },
    /** Takes these values as what the form was opened with; the fields named stay as they are. */
    reopenKeeping,
    /** True where something was changed since the form was sent. */
    hasMore: () => typedSince().length > 0,
    /**
     * Takes what was made of what was sent as what the form was opened with, and forgets what was wrong. What was changed since
     * it was sent stays as it is typed.
     */
    reopenSent,
    /** Empties the fields of what was sent. */
    clear: () => reopenSent(blank),
  };
}

export type RulesForm<Form extends FieldValues> = ReturnType<typeof useRulesForm<Form, unknown>>;
