export type * from "./wasm/audio_wasm.d.ts";

/** The module, from the bytes of `audio_wasm_bg.wasm`. Rejects where they are none. */
export function instantiate(bytes: BufferSource): Promise<typeof import("./wasm/audio_wasm.d.ts")>;
