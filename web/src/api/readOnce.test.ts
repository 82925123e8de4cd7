import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { createQueryClient } from "../app/queryClient.ts";
import { ApiError } from "./client.ts";
import { readOnce } from "./readOnce.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
});

/** A read on show, whose answers come in this order; the last one stays. */
async function show(...answers: (number | "here")[]) {
  const client = createQueryClient();
  const query = {
    queryKey: ["/api/label"],
    queryFn: () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return typeof answer === "number" ? Promise.reject(new ApiError(answer, {})) : answer;
    },
    retryDelay: 1,
  };
  const observer = new QueryObserver(client, query);
  observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
  return { client, query, observer };
}

it("resolves after the first try, and the page goes on until there is an answer", async () => {
  const { client, query, observer } = await show("here", 503, 503, 503, "here");
  expect((await readOnce(client, query)).error).toMatchObject({ status: 503 });
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
});

it("leaves later reads as they were, also where it found nothing new", async () => {
  const { client, query, observer } = await show("here", "here", 503, 503, "here");
  expect(await readOnce(client, query)).toEqual({ data: "here" });
  await client.invalidateQueries();
  expect(observer.getCurrentResult().isSuccess).toBe(true);
});
