// The rules in a browser, ready once the import is done. Bundlers recognise how the module's address is written, and
// include the file.
import * as bindings from "./wasm/rules_wasm_bg.js";

const address = new URL("./wasm/rules_wasm_bg.wasm", import.meta.url);
const response = await fetch(address);
if (!response.ok) throw new Error(`@deadwax/rules: ${address} answered ${response.status}`);
// Not compiled while it arrives: that needs the right media type from every server.
const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), { "./rules_wasm_bg.js": bindings });
bindings.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

export * from "./wasm/exports.js";
