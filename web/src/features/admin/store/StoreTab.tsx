import { useQueryClient } from "@tanstack/react-query";
import type { ComponentProps, MouseEvent } from "react";
import { call, type Schemas } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { ByRules } from "../../../rules/ByRules.tsx";
import type { ProductInputs } from "../../../rules/forms/inputs.ts";
import { type Rules, withRules } from "../../../rules/rules.ts";
import { useRules } from "../../../rules/useRules.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { EditorDialog } from "../editing/EditorDialog.tsx";
import { ImageField } from "../editing/ImageField.tsx";
import { useEditor } from "../editing/useEditor.ts";
import { Row, type RowActions } from "../lists/Row.tsx";
import { type OptionsOf, ordersBy, putRow, readRowsAgain, rowsQuery } from "../lists/useRows.ts";
import { type EditorProps, RowsTab } from "../resource/RowsTab.tsx";
import {
  asText,
  callsOf,
  type EditableResourceConfig,
  messagesOf,
} from "../resource/resourceConfig.ts";

export type Product = Schemas["ProductView"];

const TEXTS = ["title", "description", "image_url", "category"] as const;

type ProductForm = ProductInputs;

/**
 * Reads an unambiguous number; an empty field is 0, as in the rules. NaN is sent as null, which the server refuses: better than a wrong
 * price.
 */
function plain(typed: string, form: RegExp): number {
  const text = typed.trim();
  if (text === "") return 0;
  return form.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
}

export function unchecked(form: ProductForm): Schemas["ProductBody"] {
  return {
    ...form,
    price: plain(form.price, /^-?\d+([.,]\d{1,2})?$/),
    stock_quantity: plain(form.stock_quantity, /^-?\d+$/),
  };
}

export const productConfig: EditableResourceConfig<Product, ProductForm, Schemas["ProductBody"]> = {
  ...callsOf("/api/admin/products"),
  trash: "product",
  options: {
    orders: [
      ...ordersBy("title", "Title"),
      ["price", "Price, lowest"],
      ["-price", "Price, highest"],
      ["stock", "Stock, lowest"],
      ["-stock", "Stock, highest"],
      ["-changed", "Changed last"],
    ],
    states: [
      ["active", "On sale"],
      ["inactive", "Not on sale"],
      ["featured", "Highlights"],
    ],
  } satisfies OptionsOf<"/api/admin/products">,
  versions: "product",
  messages: messagesOf("product", "products_load_failed"),
  nameOf: ({ title }) => title,
  check: (rules, form) => rules.checkProduct(form),
  unchecked,
  // In the order of the form, so that its problems are listed in that order.
  blank: {
    title: "",
    price: "",
    stock_quantity: "",
    category: "",
    featured: false,
    active: true,
    description: "",
    image_url: "",
  },
  formOf: (product) => ({
    ...asText(product, TEXTS),
    price: product.price.toFixed(2),
    stock_quantity: String(product.stock_quantity),
    featured: product.featured,
    active: product.active,
  }),
  labels: {
    title: "Title",
    description: "Description",
    price: "Price",
    stock_quantity: "Stock",
    category: "Category",
    image_url: "Image URL",
    featured: "Featured",
    active: "Active",
  },
};

export const reads = [rowsQuery(productConfig)];

export function Tab() {
  return (
    <RowsTab
      config={productConfig}
      name="Products"
      one="Product"
      searchLabel="Search titles"
      pageKey="store"
      line={ProductLine}
      editor={ProductEditor}
    />
  );
}

function ProductLine({ row: product, ...actions }: RowActions & { row: Product }) {
  const { description } = product;
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
    onError: (error) => toastChangeFailed(error, "product_status_failed"),
    onSettled: () => readRowsAgain(client, productConfig.path),
  });
  // Shown as switched until the server has answered.
  const isActive = isPending ? variables : product.active;
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
            aria-busy={isPending}
            onChange={(event) => mutate(event.target.checked)}
          />
        </>
      }
      {...actions}
    >
      {product.category && (
        <p className="mt-0.5">
          <bdi>{product.category}</bdi>
        </p>
      )}
      {description && (
        <p dir="auto" className="mt-1 max-w-[80ch] text-dim">
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

function ProductEditor({ row: product, onClose }: EditorProps<Product>) {
  const editor = useEditor(productConfig, product, onClose);
  const { form } = editor;
  const { labels } = productConfig;

  return (
    <EditorDialog
      title={editor.base ? "Edit Product" : "Add New Product"}
      config={productConfig}
      editor={editor}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        <Field label={labels.title} required autoComplete="off" {...form.field("title")} />
        <div className="grid grid-cols-2 items-start gap-4">
          <NumberField
            label={labels.price}
            required
            inputMode="decimal"
            typed={form.valueOf("price")}
            read={(rules, typed) => rules.priceLabel(typed)}
            {...form.field("price")}
          />
          <NumberField
            label={labels.stock_quantity}
            required
            inputMode="numeric"
            typed={form.valueOf("stock_quantity")}
            read={(rules, typed) => rules.stockLabel(typed)}
            {...form.field("stock_quantity")}
          />
        </div>
        <Field
          label={labels.category}
          autoComplete="off"
          hint="For example Vinyl, Merch or Digital."
          {...form.field("category")}
        />
        <div className="flex flex-wrap gap-x-8 gap-y-4">
          <Switch label={labels.featured} {...form.register("featured")} />
          <Switch label={labels.active} {...form.register("active")} />
        </div>
      </div>
      <div className="flex flex-col gap-5">
        <TextArea label={labels.description} {...form.field("description")} />
        <ImageField
          form={form}
          name="image_url"
          label="Image"
          folder="uploads"
          messages={{ uploaded: "media_uploaded", failed: "media_upload_failed" }}
          seed={product?.id ?? "new product"}
          onUploading={editor.onUploading}
        />
      </div>
    </EditorDialog>
  );
}

interface NumberFieldProps extends Omit<ComponentProps<typeof Field>, "type" | "hint"> {
  typed: string;
  read: (
    rules: Rules,
    typed: string,
  ) => { value?: string | undefined; problems?: readonly { message: string }[] | undefined };
}

function NumberField({ typed, read, ...field }: NumberFieldProps) {
  useRules();
  const { value, problems } = withRules((rules) => read(rules, typed)) ?? {};
  return (
    <Field
      {...field}
      autoComplete="off"
      spellCheck={false}
      className="[&_input]:text-right [&_input]:tabular-nums"
      hint={value === undefined ? problems?.[0]?.message : `Saved as ${value}`}
      onMouseDown={selectAll}
    />
  );
}

/** Selects the whole value, so that typing replaces it: added to `12.00` it would become thousands. */
function selectAll(event: MouseEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  if (document.activeElement === input) return;
  // Otherwise the press would set the caret after the focus.
  event.preventDefault();
  input.focus();
  input.select();
}
