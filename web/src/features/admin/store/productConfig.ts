// The calls, texts and form of products.
import { call, type Schemas } from "../../../api/client.ts";
import type { ProductInputs } from "../../../rules/forms/inputs.ts";
import { mapChecked } from "../../../rules/forms/useRulesForm.ts";
import { type OptionsOf, rowsOf } from "../lists/useRows.ts";
import { asText, type EditableResourceConfig, ifMatch } from "../resource/resourceConfig.ts";

export type Product = Schemas["ProductView"];

const TEXTS = ["title", "description", "image_url", "category"] as const;

export type ProductForm = ProductInputs;

/**
 * Reads an unambiguous number; an empty field is 0, as in the rules. NaN is sent as null, which the server refuses: better than a wrong
 * price.
 */
function plain(typed: string, form: RegExp): number {
  const text = typed.trim();
  if (text === "") return 0;
  return form.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
}

/** The body to send without the rules. */
export function unchecked(form: ProductForm): Schemas["ProductBody"] {
  return {
    ...form,
    price: plain(form.price, /^-?\d+([.,]\d{1,2})?$/),
    stock_quantity: plain(form.stock_quantity, /^-?\d+$/),
  };
}

const OPTIONS: OptionsOf<"/api/admin/products"> = {
  orders: [
    { value: "-created", label: "Newest first" },
    { value: "created", label: "Oldest first" },
    { value: "title", label: "Title A to Z" },
    { value: "-title", label: "Title Z to A" },
    { value: "price", label: "Price, lowest" },
    { value: "-price", label: "Price, highest" },
    { value: "stock", label: "Stock, lowest" },
    { value: "-stock", label: "Stock, highest" },
    { value: "-changed", label: "Changed last" },
  ],
  states: [
    { value: "active", label: "On sale" },
    { value: "inactive", label: "Not on sale" },
    { value: "featured", label: "Highlights" },
  ],
};

export const productConfig: EditableResourceConfig<Product, ProductForm, Schemas["ProductBody"]> = {
  path: "/api/admin/products",
  list: rowsOf("/api/admin/products"),
  remove: (id) => call("DELETE", "/api/admin/products/{id}", { path: { id } }),
  trash: "product",
  options: OPTIONS,
  versions: "product",
  show: (id, signal) => call("GET", "/api/admin/products/{id}", { path: { id }, signal }),
  add: (body, headers) => call("POST", "/api/admin/products", { body, headers }),
  change: (row, body) =>
    call("PUT", "/api/admin/products/{id}", {
      path: { id: row.id },
      headers: ifMatch(row),
      body,
    }),
  messages: {
    loadFailed: "products_load_failed",
    created: "product_created",
    createFailed: "product_create_failed",
    updated: "product_updated",
    updateFailed: "product_update_failed",
    deleted: "product_deleted",
    deleteFailed: "product_delete_failed",
  },
  nameOf: ({ title }) => title,
  check: (rules, form) =>
    mapChecked(
      rules.checkProduct(form),
      ({ description = null, image_url = null, category = null, ...rest }) => ({
        ...rest,
        description,
        image_url,
        category,
      }),
    ),
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
