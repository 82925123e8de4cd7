// Forms checked by the rules: the one resolver between react-hook-form and the WebAssembly package, and what every form
// does on submit.
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

/** One of the rules' form checks. Its problems name the form's fields; its value is sent. */
export type Check<Form, Value> = (rules: Rules, form: Form) => Checked<Value>;

export function mapChecked<Value, Other>(
  outcome: Checked<Value>,
  make: (value: Value) => Other,
): Checked<Other> {
  return outcome.problems ? outcome : { value: make(outcome.value) };
}

/** The messages of a refusal by field. */
interface Refusal {
  readonly fields: Readonly<Record<string, string>>;
}

/** Without the rules everything passes, and the server decides. */
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

/** The path of a field's error; a whole list's error is beside its rows. */
function placeOf(field: string, values: FieldValues): string {
  return Array.isArray(values[field]) ? `${field}.root` : field;
}

/** The messages of a field, and of its rows with their names. */
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
  /** The value to send without the rules: then the server decides. As typed by default. */
  unchecked?: (typed: Form) => Value;
  /** The empty form, with every field. */
  blank: Form & DefaultValues<Form>;
  /** Earlier input that the page keeps; blank by default. */
  kept?: Form & DefaultValues<Form>;
  /** Sends the checked value; called once however often the person presses. */
  send: (value: Value) => Promise<void>;
  /** False if an error stays until the next submit, for codes that are typed anew. */
  rechecks?: boolean;
  /** The name of a row of each list. */
  rowNames?: Readonly<Partial<Record<keyof Form & string, string>>>;
  /** Called with the problems if the check fails; at least one. */
  onInvalid?: (problems: readonly Problem[]) => void;
}

export function useRulesForm<Form extends FieldValues, Value>({
  check,
  unchecked = (typed) => typed as unknown as Value,
  blank,
  kept = blank,
  send,
  rechecks = true,
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
    reValidateMode: rechecks ? "onChange" : "onSubmit",
    resolver: rulesResolver(check, unchecked, (found) => {
      problems.current = found;
    }),
  });
  const [problem, setProblem] = useState<string>();
  const isBusy = useRef(false);
  /** The form's values at the last submit. */
  const sent = useRef<Form>(undefined);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The state that disables a button comes a render after a second press.
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

  /** The fields changed since the last submit. */
  function typedSince(): FieldPath<Form>[] {
    return sent.current ? differing(getValues(), sent.current) : [];
  }
  function differing(one: Form, other: Form): FieldPath<Form>[] {
    const differs = (field: string) => JSON.stringify(one[field]) !== JSON.stringify(other[field]);
    return (Object.keys(blank) as FieldPath<Form>[]).filter(differs);
  }
  function resetExcept(values: Form, kept: readonly FieldPath<Form>[]): void {
    const now = structuredClone(getValues());
    const merged = { ...values, ...Object.fromEntries(kept.map((field) => [field, now[field]])) };
    const changed = differing(merged, now);
    // Rows of lists follow resets alone; set one by one, they would keep their opening values.
    if (changed.some((field) => Array.isArray(merged[field]))) {
      reset(values);
      if (kept.length > 0) reset(merged, { keepDefaultValues: true });
    } else {
      // Such a reset would draw all rows anew, which ends an upload in one and takes the focus.
      for (const field of changed) setValue(field, merged[field]);
      reset(values, { keepValues: true });
    }
    setProblem(undefined);
  }
  function resetSubmitted(values: Form): void {
    const kept = typedSince();
    const now = getValues();
    for (const list of differing(values, now)) {
      const rows: unknown = values[list];
      // With as many rows these are the rows that were sent, of which the server tidied some fields.
      if (kept.includes(list) || !Array.isArray(rows) || rows.length !== now[list].length) continue;
      for (const [at, row] of rows.entries()) {
        for (const [name, value] of Object.entries(row)) {
          const field = `${list}.${at}.${name}` as FieldPath<Form>;
          if (getValues(field) !== value) setValue(field, value as (typeof values)[typeof field]);
        }
      }
    }
    resetExcept(values, kept);
  }

  const known = useRef(new WeakSet<object>());
  /**
   * Input typed into a painted form before the app was ready is taken over; the library alone would call no `onChange`.
   */
  const registerKeeping: typeof register = (field, options) => {
    const { ref, ...input } = register(field, options);
    const takeOver = (element: HTMLInputElement | HTMLTextAreaElement | null) => {
      const isNew = element !== null && !known.current.has(element);
      // A checkbox always has a value.
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
    /** For lists of rows. */
    control,
    register: registerKeeping,
    /** The props that tie a `Field` to the form: its input and its error. */
    field: (name: FieldPath<Form>, options?: Parameters<typeof register>[1]) => ({
      error: errorOf(name),
      ...registerKeeping(name, options),
    }),
    onSubmit: (event: FormEvent) => void submit(event),
    isSending: formState.isSubmitting,
    errorOf,
    /** The messages of all fields, in order. */
    get fieldProblems(): readonly string[] {
      const all = Object.keys(blank).flatMap((field) =>
        messagesOf(formState.errors[field as FieldPath<Form>], rowNames?.[field]),
      );
      return [...new Set(all)];
    },
    get isDirty(): boolean {
      return formState.isDirty;
    },
    /** The present value of a field; the caller is rendered again when it changes. */
    valueOf: <Name extends FieldPath<Form>>(field: Name): FieldPathValue<Form, Name> =>
      watch(field),
    /** Fills a field as if typed. */
    fill<Name extends FieldPath<Form>>(field: Name, value: FieldPathValue<Form, Name>) {
      setValue(field, value, {
        shouldDirty: true,
        shouldValidate: rechecks && formState.isSubmitted,
      });
    },
    /** The error of the form as a whole. */
    problem,
    setProblem,
    /** Shows the server's messages beside their fields. Returns false if none belongs to this form. */
    showRefusal(refusal: Refusal): boolean {
      const named = Object.entries(refusal.fields).filter(
        ([field]) => (field.split("[")[0] ?? "") in blank,
      );
      for (const [index, [field, message]] of named.entries()) {
        setError(
          // The library separates row numbers by dots.
          placeOf(field.replace(/\[(\d+)\]/g, ".$1"), blank) as FieldPath<Form>,
          { type: "server", message },
          { shouldFocus: index === 0 },
        );
      }
      return named.length > 0;
    },
    getValues,
    setFocus,
    /** Marks and focuses a field, for actions beside submit. */
    setError(field: FieldPath<Form>, message: string) {
      setError(field, { type: "rule", message }, { shouldFocus: true });
    },
    clearError: (field: FieldPath<Form>) => clearErrors(field),
    reset(values: Form) {
      reset(values);
      setProblem(undefined);
    },
    resetExcept,
    /** True if something was changed since the last submit. */
    hasChangedSince: () => typedSince().length > 0,
    /** Resets the form to the saved values; changes since the submit stay. */
    resetSubmitted,
    /** Empties the submitted fields. */
    clearSubmitted: () => resetSubmitted(blank),
  };
}

export type RulesForm<Form extends FieldValues> = ReturnType<typeof useRulesForm<Form, unknown>>;
