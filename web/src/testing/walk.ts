// Notes what a walk through the app comes by: which files ask the rules, have their form sent or are given a file, and
// all that is shown meanwhile. What there is to come by is read from the source itself, so nothing can be left out.
import { vi } from "vitest";

interface Notes<Files> {
  /** Ask the rules for something. */
  asking: Files;
  /** Hold a form. */
  forms: Files;
  /** Take a file. */
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

/** What there is, by file below `src/`. */
export const THERE_IS: Notes<string[]> = {
  asking: filesWith(/\b(?:withRules|loadRules|useRules|useRulesForm)\((?!\))|\buseRules\(\)/),
  forms: filesWith(/<form\b/),
  files: filesWith(/type="file"/),
};

/** What the walk has come by. */
export const walked: Notes<Set<string>> = {
  asking: new Set(),
  forms: new Set(),
  files: new Set(),
};

/** The same functions, each noting the file that calls it. */
export function noting<Module extends object>(module: Module): Module {
  const noted = Object.entries(module).map(([name, part]) => [
    name,
    typeof part === "function" ? notingCaller(part) : part,
  ]);
  return Object.fromEntries(noted) as Module;
}

function notingCaller(called: (...args: unknown[]) => unknown) {
  return (...args: unknown[]) => {
    const frames = new Error().stack?.split("\n") ?? [];
    for (const frame of frames) {
      const file = /\/src\/((?!testing\/|rules\/)[^:?)]+)/.exec(frame)?.[1];
      if (!file) continue;
      walked.asking.add(file);
      break;
    }
    return called(...args);
  };
}

interface Props {
  type?: unknown;
  onSubmit?: unknown;
  onChange?: unknown;
}

type Jsx = (type: unknown, props: Props, ...rest: unknown[]) => unknown;

/** The same runtime, noting where a form that is sent, and an input that is given a file, are written. */
export function notingForms<Module extends object>(runtime: Module): Module {
  const { jsxDEV } = runtime as { jsxDEV: Jsx };
  const noted: Jsx = (type, props, key, isStatic, source, self) => {
    const { fileName = "" } = Object(source) as { fileName?: string };
    const file = fileName.replace(/^.*\/src\//, "");
    const kept =
      type === "form"
        ? { ...props, onSubmit: before(walked.forms, file, props.onSubmit) }
        : type === "input" && props.type === "file"
          ? { ...props, onChange: before(walked.files, file, props.onChange) }
          : props;
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

/** Everything that comes on the page from now on: texts and names, in the order they come. */
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
