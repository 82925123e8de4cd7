// The module from its bytes, so that whoever fetches them can try again.
import * as bindings from "./wasm/audio_wasm_bg.js";

export async function instantiate(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, { "./audio_wasm_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}
