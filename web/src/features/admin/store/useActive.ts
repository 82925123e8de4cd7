// Puts a product on sale or takes it off, straight from the list.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { call } from "../../../api/client.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { putRow, readRowsAgain } from "../lists/useRows.ts";
import { type Product, productConfig } from "./productConfig.ts";

export function useActive(product: Product) {
  const client = useQueryClient();
  const isBusy = useRef(false);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (active: boolean) =>
      call("PATCH", "/api/admin/products/{id}", {
        params: { path: { id: product.id } },
        body: { active },
      }),
    onSuccess: (changed) => {
      putRow(client, productConfig.path, changed);
      toastSuccess(changed.active ? "product_activated" : "product_deactivated");
    },
    onError: () => toastError("product_status_failed"),
    onSettled: () => {
      isBusy.current = false;
      readRowsAgain(client, productConfig.path);
    },
  });
  return {
    /** As it was put while the server is asked; as it is otherwise. */
    isActive: isPending ? variables : product.active,
    isSwitching: isPending,
    turn: (active: boolean) => {
      if (isBusy.current) return;
      isBusy.current = true;
      mutate(active);
    },
  };
}
