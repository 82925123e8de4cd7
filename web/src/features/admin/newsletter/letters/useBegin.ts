import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../../api/client.ts";
import { createRequestNames } from "../../../../api/idempotencyKey.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { toastError } from "../../../../ui/toasts/toast.ts";
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
    onError: () => toastError("letter_create_failed"),
  });
  return { begin: mutate, isBeginning: isPending };
}
