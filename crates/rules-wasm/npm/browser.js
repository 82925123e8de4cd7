// The rules in a browser: whoever imports this has them once the import is done. Bundlers know the way in which the address
// of the module is written, and take the file along.
import * as bindings from "./wasm/rules_wasm_bg.js";

const address = new URL("./wasm/rules_wasm_bg.wasm", import.meta.url);
const response = await fetch(address);
if (!response.ok) throw new Error(`@deadwax/rules: ${address} answered ${response.status}`);
// Not compiled while it arrives: that would ask every server for the right media type.
const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), { "./rules_wasm_bg.js": bindings });
bindings.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

export * from "./wasm/exports.js";
