import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { server } from "../../../testing/fakeApi.ts";
import { uploadFile } from "./uploadFile.ts";

const PATH = "/api/admin/media";
const send = (file: File, texts: Record<string, string> = {}) =>
  uploadFile(
    { method: "POST", path: PATH, file, texts },
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
