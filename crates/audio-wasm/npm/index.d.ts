export type * from "./wasm/audio_wasm.d.ts";

/** Instantiates the module from the bytes of `audio_wasm_bg.wasm`. Rejects if they are invalid. */
export function instantiate(bytes: BufferSource): Promise<typeof import("./wasm/audio_wasm.d.ts")>;
