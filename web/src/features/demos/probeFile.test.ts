// Loading the module that checks chosen files: on demand, again after a failure, with a short wait.
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { server } from "../../testing/fakeApi.ts";
import { aWave } from "../../testing/sound.ts";

const WASM = "*/audio_wasm_bg.wasm";
const LINE = "WAV, 24 bit, 48 kHz, 0:02";

/** Imports the module as on a fresh page, with a valid and an invalid file. */
async function freshPage() {
  vi.resetModules();
  const { probeFile } = await import("./probeFile.ts");
  const end = new AbortController();
  return {
    end,
    probeWords: () => probeFile(new File(["Dear label"], "take.wav"), end.signal),
    probeWave: () => probeFile(aWave(576_000), end.signal),
  };
}

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());

describe("a module that is not there", () => {
  it.each([
    ["does not come", () => HttpResponse.error()],
    ["is refused", () => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 })],
    ["is something else", () => new HttpResponse("<h1>Sign in to the hotel</h1>")],
  ])(
    "leaves the file to the server where it %s, and is asked for with the next",
    async (_, come) => {
      server.use(http.get(WASM, come));
      const { probeWords, probeWave } = await freshPage();
      expect(await probeWords()).toBeUndefined();
      server.resetHandlers();
      expect(await probeWave()).toEqual({ line: LINE });
    },
  );

  it("is waited for until the end that was set", async () => {
    server.use(http.get(WASM, () => delay("infinite").then(() => HttpResponse.error())));
    const { probeWords, end } = await freshPage();
    const looking = probeWords();
    end.abort();
    expect(await looking).toBeUndefined();
  });

  it("is asked no more once it failed", async () => {
    const { probeWords, probeWave } = await freshPage();
    expect(await probeWave()).toEqual({ line: LINE });
    vi.spyOn(Blob.prototype, "slice").mockImplementationOnce(() => {
      throw new Error("as a trap does");
    });
    expect(await probeWave()).toBeUndefined();
    expect(await probeWords()).toBeUndefined();
    expect(console.error).toHaveBeenCalledOnce();
  });
});
