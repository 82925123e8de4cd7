// Puts a product on sale or takes it off, straight from the list.
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { putRow, readRowsAgain } from "../lists/useRows.ts";
import { type Product, productConfig } from "./productConfig.ts";

export function useActive(product: Product) {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useSingleMutation({
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
    onSettled: () => readRowsAgain(client, productConfig.path),
  });
  return {
    /** As it was put while the server is asked; as it is otherwise. */
    isActive: isPending ? variables : product.active,
    isSwitching: isPending,
    turn: mutate,
  };
}
