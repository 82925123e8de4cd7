import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { ByRules } from "../../../rules/ByRules.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { Row, type RowActions } from "../lists/Row.tsx";
import { putRow, readRowsAgain, rowsQuery } from "../lists/useRows.ts";
import { RowsTab } from "../resource/RowsTab.tsx";
import { ProductEditor } from "./ProductEditor.tsx";
import { type Product, productConfig } from "./productConfig.ts";

export const reads = [rowsQuery(productConfig)];

export function StoreTab() {
  return (
    <RowsTab
      config={productConfig}
      name="Products"
      one="Product"
      searchLabel="Search titles"
      pageKey="store"
      row={drawProduct}
      editor={(product, onClose) => <ProductEditor product={product} onClose={onClose} />}
    />
  );
}

const drawProduct = (product: Product, actions: RowActions) => (
  <ProductRow product={product} actions={actions} />
);

function ProductRow({ product, actions }: { product: Product; actions: RowActions }) {
  const { description } = product;
  const { isActive, isSwitching, toggle } = useActive(product);
  return (
    <Row
      of={product}
      name={product.title}
      badges={[product.featured && "Featured", !isActive && "Inactive"]}
      isDimmed={!isActive}
      facts={
        <>
          <dl className="flex gap-5 tabular-nums">
            <Fact name="Price">{product.price.toFixed(2)}</Fact>
            <Fact name="Stock">{product.stock_quantity}</Fact>
          </dl>
          <Switch
            label="Active"
            aria-label={`Active: ${product.title}`}
            checked={isActive}
            aria-busy={isSwitching}
            onChange={(event) => toggle(event.target.checked)}
          />
        </>
      }
      {...actions}
    >
      {product.category && <p className="mt-0.5">{product.category}</p>}
      {description && (
        <p className="mt-1 max-w-[80ch] text-dim">
          <ByRules ask={(rules) => rules.preview(description)} without={description} />
        </p>
      )}
    </Row>
  );
}

function Fact({ name, children }: { name: string; children: string | number }) {
  return (
    <div className="min-w-14 text-right">
      <dt className="type-label text-dim uppercase">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function useActive(product: Product) {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useSingleMutation({
    mutationFn: (active: boolean) =>
      call("PATCH", "/api/admin/products/{id}", {
        path: { id: product.id },
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
    /** Shown as switched until the server has answered. */
    isActive: isPending ? variables : product.active,
    isSwitching: isPending,
    toggle: mutate,
  };
}
