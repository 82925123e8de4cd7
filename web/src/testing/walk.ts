// Records which files call the rules, submit their form or are given a file during a walk through the app, and all
// texts shown. The expected files are found in the source, so none can be forgotten.
import { vi } from "vitest";
import type { useFilePicker } from "../ui/useFilePicker.tsx";

interface Notes<Files> {
  /** Call the rules. */
  asking: Files;
  /** Contain a form. */
  forms: Files;
  /** Accept a file. */
  files: Files;
}

const sources = import.meta.glob<string>(
  ["../**/*.{ts,tsx}", "!../**/*.test.*", "!../testing/**", "!../rules/**"],
  { query: "?raw", import: "default", eager: true },
);

function filesWith(words: RegExp): string[] {
  return Object.entries(sources)
    .filter(([, source]) => words.test(source))
    .map(([path]) => path.replace("../", ""))
    .sort();
}

/** All such files below `src/`. */
export const THERE_IS: Notes<string[]> = {
  asking: filesWith(/\b(?:withRules|loadRules|useRules|useRulesForm)\((?!\))|\buseRules\(\)/),
  forms: filesWith(/<form\b/),
  files: filesWith(/(?<!function )\buseFilePicker\(/),
};

/** Files reached by the walk. */
export const walked: Notes<Set<string>> = {
  asking: new Set(),
  forms: new Set(),
  files: new Set(),
};

/** Wraps the functions to record the file that calls them. */
export function noting<Module extends object>(module: Module): Module {
  const noted = Object.entries(module).map(([name, part]) => [
    name,
    typeof part === "function" ? notingCaller(part) : part,
  ]);
  return Object.fromEntries(noted) as Module;
}

function notingCaller(called: (...args: unknown[]) => unknown) {
  return (...args: unknown[]) => {
    const file = caller();
    if (file) walked.asking.add(file);
    return called(...args);
  };
}

/** The file of the app that called. */
function caller(): string | undefined {
  const frames = new Error().stack?.split("\n") ?? [];
  const files = frames.map((frame) => /\/src\/((?!testing\/|rules\/)[^:?)]+)/.exec(frame)?.[1]);
  return files.find((file) => file !== undefined);
}

/** Wraps the file picker to record where a chosen file goes. */
export function notingPicker<Module extends { useFilePicker: typeof useFilePicker }>(
  module: Module,
): Module {
  const noted: typeof useFilePicker = (field, onChoose) => {
    const file = caller() ?? "";
    return module.useFilePicker(field, (files) => {
      walked.files.add(file);
      onChoose(files);
    });
  };
  return { ...module, useFilePicker: noted };
}

interface Props {
  onSubmit?: unknown;
}

type Jsx = (type: unknown, props: Props, ...rest: unknown[]) => unknown;

/** Wraps the JSX runtime to record where a submitted form is written. */
export function notingForms<Module extends object>(runtime: Module): Module {
  const { jsxDEV } = runtime as { jsxDEV: Jsx };
  const noted: Jsx = (type, props, key, isStatic, source, self) => {
    const { fileName = "" } = Object(source) as { fileName?: string };
    const file = fileName.replace(/^.*\/src\//, "");
    const kept =
      type === "form" ? { ...props, onSubmit: before(walked.forms, file, props.onSubmit) } : props;
    return jsxDEV(type, kept, key, isStatic, source, self);
  };
  return { ...runtime, jsxDEV: noted };
}

function before(note: Set<string>, file: string, handle: unknown) {
  return (event: unknown) => {
    note.add(file);
    if (typeof handle === "function") handle(event);
  };
}

/** Records all texts and accessible names that appear, in order. */
export function noteWhatIsShown(): () => readonly string[] {
  const shown: string[] = [];
  const note = (node: Node) => {
    shown.push(node.textContent ?? "");
    if (!(node instanceof Element)) return;
    for (const element of [node, ...node.querySelectorAll("*")]) {
      for (const name of ["aria-label", "placeholder", "title", "alt"]) {
        const named = element.getAttribute(name);
        if (named) shown.push(named);
      }
    }
  };
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes) {
      if (type === "childList") addedNodes.forEach(note);
      else note(target);
    }
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  vi.stubGlobal(
    "alert",
    vi.fn((text: string) => void shown.push(text)),
  );
  return () => {
    observer.disconnect();
    return shown;
  };
}
