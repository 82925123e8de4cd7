import { QueryClient, queryOptions } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { putAnswer } from "./putAnswer.ts";

it("is not replaced by a read that began before it", async () => {
  const client = new QueryClient();
  let answerRead = (_: string) => {};
  const query = queryOptions({
    queryKey: ["settings"],
    queryFn: () => new Promise<string>((resolve) => (answerRead = resolve)),
  });
  const read = client.fetchQuery({ ...query, retry: false }).catch(() => "cancelled");
  await putAnswer(client, query, "changed");
  answerRead("before");
  await read;
  expect(client.getQueryData(query.queryKey)).toBe("changed");
  await putAnswer(client, query, (held) => `${held} again`);
  expect(client.getQueryData(query.queryKey)).toBe("changed again");
});
