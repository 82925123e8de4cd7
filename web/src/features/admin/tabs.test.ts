import { expect, it, vi } from "vitest";
import { createQueryClient } from "../../app/queryClient.ts";
import { holdNobody, holdSession } from "../../session/sessionQuery.ts";
import { anAdmin } from "../../testing/people.ts";
import { TABS } from "./tabs.ts";

it("reads nothing for a tab whose code comes after its admin has left", async () => {
  const asked = vi.spyOn(globalThis, "fetch");
  const client = createQueryClient();
  holdSession(client, anAdmin());
  const prepared = TABS.store.prepare(client);
  holdNobody(client);
  await prepared;
  expect(asked).not.toHaveBeenCalled();
});
