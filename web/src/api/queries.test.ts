import { QueryObserver } from "@tanstack/react-query";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import { createQueryClient } from "../app/queryClient.ts";
import { listeningQuery } from "../features/admin/desk/deskCalls.ts";
import { server } from "../testing/fakeApi.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("a read by a timer ends with a refusal, and goes on after the next success", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(console, "error").mockReturnValue();
  let isRefused = true;
  let asked = 0;
  server.use(
    http.get("*/api/admin/desk/listening", () => {
      asked += 1;
      const problem = { status: 401, code: "not_authenticated" };
      return isRefused
        ? HttpResponse.json(problem, { status: 401 })
        : HttpResponse.json({ items: [] });
    }),
  );
  const client = createQueryClient();
  const stop = new QueryObserver(client, listeningQuery).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(5_000);
  const before = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(before);
  isRefused = false;
  void client.invalidateQueries({ queryKey: listeningQuery.queryKey });
  await vi.advanceTimersByTimeAsync(31_000);
  expect(asked).toBeGreaterThan(before + 1);
  stop();
});
