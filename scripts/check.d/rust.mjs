// Reads the imports between files of a Rust crate from its sources: every path in a `use` or in code that leads to another file
// of the crate. Unit tests are ignored, and so is code that macros expand to elsewhere.

const TOKEN = new RegExp(
  [
    String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`, // comments
    String.raw`[bc]?r(#*)"[\s\S]*?"\1|[bc]?"(?:\\[\s\S]|[^"\\])*"`, // strings
    String.raw`b?'(?:\\(?:u\{[^}]*\}|[\s\S])[^']*|[^\\'])'|'\w+`, // characters, lifetimes
    String.raw`r#\w+|\w+|::|[^\s]`,
  ].join("|"),
  "g",
);
const isName = (token) => /^(?:r#)?[A-Za-z_]\w*$/.test(token ?? "");
const key = (module) => module.join("::");

function tokens(text) {
  const isRead = (token) => !/^(?:\/\/|\/\*|[bc]?r?#*"|b?'.)/.test(token);
  return text.match(TOKEN)?.filter(isRead) ?? [];
}

/** The index after the bracket that closes the one at `at`. */
function behindBrackets(all, at) {
  let depth = 0;
  do {
    if ("([{".includes(all[at])) depth += 1;
    if (")]}".includes(all[at])) depth -= 1;
    at += 1;
  } while (depth > 0 && at < all.length);
  return at;
}

/** The index after the item that begins at `at`: after its semicolon or block. */
function behindItem(all, at) {
  if (all[at] === "pub") at = all[at + 1] === "(" ? behindBrackets(all, at + 1) : at + 1;
  const isUse = all[at] === "use";
  while (at < all.length) {
    const token = all[at];
    at = "([{".includes(token) ? behindBrackets(all, at) : at + 1;
    if (token === ";" || (token === "{" && !isUse)) return at;
  }
  return at;
}

/** The paths of the `use` tree at `at`, each with the name it introduces: `a::{self, b as c}` introduces `a` and `c`. */
function useTree(all, at, before, found) {
  const path = [...before];
  for (; at < all.length; at += 1) {
    const token = all[at];
    if (token === "{") {
      at += 1;
      while (all[at] !== "}") {
        at = useTree(all, at, path, found);
        if (all[at] === ",") at += 1;
      }
      return at + 1;
    }
    if (token === "as") {
      found.push({ path, alias: all[at + 1] });
      return at + 2;
    }
    if (isName(token) || token === "*") {
      const isParent = token === "self" && path.length > 0;
      if (!isParent) path.push(token);
    } else if (token !== "::") break;
  }
  found.push({ path, alias: path.at(-1) });
  return at;
}

/**
 * Parses a file: `uses` and `paths`, each with its module, inline `modules`, the `tests` modules among them, and exported
 * `macros`.
 */
export function read(text, ownModule) {
  const all = tokens(text);
  const [uses, paths, modules, tests, macros] = [[], [], [], [], []];
  const open = [];
  let module = ownModule;
  let isTest = false;
  for (let at = 0; at < all.length; ) {
    const token = all[at];
    if (token === "#" && all[at + 1] === "[") {
      const end = behindBrackets(all, at + 1);
      const attribute = all.slice(at + 2, end - 1).join("");
      if (attribute === "macro_export") macros.push(all[all.indexOf("macro_rules", end) + 2]);
      isTest ||= /^cfg\(.*\btest\b/.test(attribute) && !/not\([^)]*\btest\b/.test(attribute);
      if (isTest) at = end;
      else at += 2;
    } else if (isTest) {
      const end = behindItem(all, at);
      const named = all.indexOf("mod", at);
      if (named !== -1 && named < end && all[named + 2] === ";") tests.push([...module, all[named + 1]]);
      isTest = false;
      at = end;
    } else if (token === "pub" && all[at + 1] === "(" && all[at + 2] === "in") {
      at = behindBrackets(all, at + 1);
    } else if (token === "mod" && isName(all[at + 1]) && all[at + 2] === "{") {
      open.push(module);
      module = [...module, all[at + 1]];
      modules.push(module);
      at += 3;
    } else if (token === "use" && all[at - 1] !== "+") {
      const isPublic = all[at - 1] === "pub" || (all[at - 1] === ")" && all.slice(at - 6, at).includes("pub"));
      const found = [];
      at = useTree(all, at + 1, [], found);
      uses.push(...found.map((one) => ({ ...one, module, isPublic })));
    } else if (isName(token) && all[at + 1] === "::" && all[at - 1] !== "::" && all[at - 1] !== ".") {
      const path = [token];
      for (at += 1; all[at] === "::" && isName(all[at + 1]); at += 2) path.push(all[at + 1]);
      paths.push({ path, module });
    } else {
      if (token === "{") open.push(module);
      if (token === "}") module = open.pop() ?? ownModule;
      at += 1;
    }
  }
  return { uses, paths, modules, tests, macros };
}

/** The module of a file by its name below `src/`; none for programs, which cannot be imported. */
function moduleOf(file, hasLibrary) {
  const path = file.replace(/\.rs$/, "").split("/");
  if (path.at(-1) === "mod") path.pop();
  if (path[0] === "bin" || (key(path) === "main" && hasLibrary)) return undefined;
  return ["lib", "main"].includes(key(path)) ? [] : path;
}

/**
 * The imports of a crate: file → imported file → imported names. `sources` are its files by name below `src/`. A re-exported
 * name (`pub use`) counts as imported from both the re-exporting file and the original one.
 */
export function importsOf(sources) {
  const hasLibrary = sources.has("lib.rs");
  const files = new Map(); // module → file
  const parsed = new Map(); // file → parsed content
  const modules = new Set();
  for (const [file, text] of sources) {
    const module = moduleOf(file, hasLibrary);
    if (!module) continue;
    files.set(key(module), file);
    parsed.set(file, read(text, module));
    for (const one of [module, ...parsed.get(file).modules]) modules.add(key(one));
  }
  for (const { tests } of [...parsed.values()]) {
    for (const [module, file] of files) {
      if (tests.some((test) => module === key(test) || module.startsWith(`${key(test)}::`))) parsed.delete(file);
    }
  }

  const macros = new Map(); // name → module
  for (const [module, file] of files) {
    for (const name of parsed.get(file)?.macros ?? []) macros.set(name, module.split("::"));
  }
  const aliases = new Map(); // module → name → path
  for (const { uses } of parsed.values()) {
    for (const { module, alias, path } of uses) {
      if (!aliases.has(key(module))) aliases.set(key(module), new Map());
      aliases.get(key(module)).set(alias, path);
    }
  }
  const fileOf = (module) => {
    for (let length = module.length; length >= 0; length -= 1) {
      const file = files.get(key(module.slice(0, length)));
      if (file) return file;
    }
    return undefined;
  };

  /** The targets of a path: modules with the name imported from each; none outside the crate. */
  function targets(module, path, seen = new Set()) {
    let [first, ...rest] = path;
    let at = module;
    if (first === "crate") at = [];
    else if (first === "super") {
      at = module.slice(0, -1);
      for (; rest[0] === "super"; rest = rest.slice(1)) at = at.slice(0, -1);
    } else if (first === "self") at = module;
    else if (modules.has(key([...module, first]))) at = [...module, first];
    else {
      return followed(module, first, rest, path, seen);
    }
    while (rest.length > 0 && modules.has(key([...at, rest[0]]))) {
      at = [...at, rest[0]];
      rest = rest.slice(1);
    }
    const name = rest[0];
    if (at.length === 0 && macros.has(name)) return [{ module: macros.get(name), name }];
    return [{ module: at, name }, ...followed(at, name, rest.slice(1), path, seen)];
  }

  /** The targets of `name` as introduced by a `use` in `module`; none if it introduces no such name. */
  function followed(module, name, rest, path, seen) {
    const alias = aliases.get(key(module))?.get(name);
    const step = `${key(module)} ${name}`;
    if (!alias || alias === path || seen.has(step)) return [];
    return targets(module, [...alias, ...rest], new Set([...seen, step]));
  }

  const imports = new Map([...parsed.keys()].map((file) => [file, new Map()]));
  const note = (file, { module, name }) => {
    const target = fileOf(module);
    if (!target || target === file || !parsed.has(target)) return;
    if (!imports.get(file).has(target)) imports.get(file).set(target, new Set());
    imports.get(file).get(target).add(name ?? "self");
  };
  for (const [file, { uses, paths }] of parsed) {
    const begins = new Set(paths.map(({ path }) => path[0]));
    for (const { module, path, alias, isPublic } of uses) {
      for (const target of targets(module, path)) {
        // An imported module counts by what is then used from it.
        if (target.name || isPublic || !begins.has(alias)) note(file, target);
      }
    }
    for (const { module, path } of paths) for (const target of targets(module, path)) note(file, target);
  }
  return imports;
}
