import { delay, HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { uploadTarget } from "../../../api/client.ts";
import { server } from "../../../testing/fakeApi.ts";
import { uploadFile } from "./useUpload.ts";

const PATH = "/api/admin/media";
const PREVIEW = "/api/admin/imports/preview";
const send = (
  file: File,
  texts: Record<string, string> = {},
  path: typeof PATH | typeof PREVIEW = PATH,
) =>
  uploadFile(
    { to: uploadTarget("POST", path, {}), file, texts },
    { onProgress: () => undefined, signal: new AbortController().signal },
  );

it("names what it sends: the same again until it has arrived, and something else another", async () => {
  const keys: (string | null)[] = [];
  let isLost = true;
  server.use(
    http.post(`*${PATH}`, ({ request }) => {
      keys.push(request.headers.get("idempotency-key"));
      return isLost ? HttpResponse.error() : HttpResponse.json({}, { status: 201 });
    }),
  );
  const file = new File(["x"], "flyer.png");
  await expect(send(file)).rejects.toThrow();
  await expect(send(file)).rejects.toThrow();
  await expect(send(file, { alt_text: "A flyer" })).rejects.toThrow();
  isLost = false;
  await send(file, { alt_text: "A flyer" });
  await send(file, { alt_text: "A flyer" });
  await send(new File(["x"], "flyer.png"));
  expect(keys[0]).toMatch(/^"[0-9a-f]{32}"$/);
  expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2, 2, 4, 5]);
});

it("keeps the name of what got lost while the same file is looked at elsewhere", async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post(`*${PATH}`, ({ request }) => {
      keys.push(request.headers.get("idempotency-key"));
      return HttpResponse.error();
    }),
    http.post(`*${PREVIEW}`, () => HttpResponse.json({})),
  );
  const file = new File(["x"], "table.csv");
  await expect(send(file)).rejects.toThrow();
  await send(file, {}, PREVIEW);
  await expect(send(file)).rejects.toThrow();
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});

it("gives up what moves nothing for a minute and a half", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server.use(http.post(`*${PATH}`, () => delay("infinite")));
  const sent = expect(send(new File(["x"], "flyer.png"))).rejects.toMatchObject({
    status: 0,
    isTransient: true,
  });
  await vi.advanceTimersByTimeAsync(90_000);
  await sent;
  vi.useRealTimers();
});

it("passes on how long the server asks to be left alone", async () => {
  const headers = { "retry-after": "120" };
  server.use(
    http.post(`*${PATH}`, () => new HttpResponse("<h1>429</h1>", { status: 429, headers })),
  );
  await expect(send(new File(["x"], "flyer.png"))).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 120,
  });
});

it("sends nothing that was given up before", async () => {
  const heard = vi.fn(() => HttpResponse.json({}, { status: 201 }));
  server.use(http.post(`*${PATH}`, heard));
  const left = new AbortController();
  left.abort("left");
  const { signal } = left;
  const file = new File(["x"], "flyer.png");
  const request = { to: uploadTarget("POST", PATH, {}), file };
  await expect(uploadFile(request, { onProgress: () => undefined, signal })).rejects.toBe("left");
  expect(heard).not.toHaveBeenCalled();
});

it("takes a page without JSON for silence, whatever its status", async () => {
  server.use(http.post(`*${PATH}`, () => new HttpResponse("<h1>Log in</h1>")));
  await expect(send(new File(["x"], "flyer.png"))).rejects.toMatchObject({ status: 0 });
});
