// Instantiates the module from its bytes, so that the caller can retry the fetch.
import * as bindings from "./wasm/audio_wasm_bg.js";

export async function instantiate(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, { "./audio_wasm_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}
