// The rules in Node. Loading is synchronous, so that `require` works as well as `import`.
import { readFileSync } from "node:fs";
import * as bindings from "./wasm/rules_wasm_bg.js";

const bytes = readFileSync(new URL("./wasm/rules_wasm_bg.wasm", import.meta.url));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { "./rules_wasm_bg.js": bindings });
bindings.__wbg_set_wasm(exports);
exports.__wbindgen_start();

export * from "./wasm/exports.js";
