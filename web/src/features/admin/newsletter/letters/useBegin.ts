import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../../api/client.ts";
import { createRequestNames } from "../../../../api/idempotencyKey.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { toastChangeFailed } from "../../../../session/wordsFor.ts";
import { useIsMounted } from "../../../../ui/useIsMounted.ts";
import { readRowsAgain } from "../../lists/useRows.ts";
import { letterConfig } from "./letterConfig.ts";

/** Begins a letter, once however often it is pressed, and opens it unless the page has moved on. */
export function useBegin(onStarted: (id: string) => void) {
  const client = useQueryClient();
  const isMounted = useIsMounted();
  const [names] = useState(createRequestNames);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (body: { release?: string }) =>
      call("POST", "/api/admin/letters", { body, headers: names.of(body) }),
    onSuccess: ({ id }) => {
      names.end();
      readRowsAgain(client, letterConfig.path);
      if (isMounted()) onStarted(id);
    },
    onError: (error) => {
      toastChangeFailed(error, "letter_create_failed");
      readRowsAgain(client, letterConfig.path);
    },
  });
  return { begin: mutate, isBeginning: isPending };
}
