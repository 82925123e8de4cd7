// How a product becomes a form and back.
import { asText, type Kind, type Schemas } from "../editing/kind.ts";

export type Product = Schemas["ProductView"];

const TEXTS = ["title", "description", "image_url", "category"] as const;

/** Both numbers are text, so that the rules and not the browser decide what is one. */
export type ProductForm = Record<(typeof TEXTS)[number] | "price" | "stock_quantity", string> & {
  featured: boolean;
  active: boolean;
};

/** A number that has one reading; an emptied field is 0, as the rules have it. */
function plain(typed: string, form: RegExp): number | null {
  const text = typed.trim();
  if (text === "") return 0;
  return form.test(text) ? Number(text.replace(",", ".")) : null;
}

export const productKind: Kind<Product, ProductForm> = {
  path: "/api/admin/products",
  words: {
    loadFailed: "products_load_failed",
    created: "product_created",
    createFailed: "product_create_failed",
    updated: "product_updated",
    updateFailed: "product_update_failed",
    deleted: "product_deleted",
    deleteFailed: "product_delete_failed",
  },
  check: (rules, form) => rules.checkProduct(form),
  unchecked: (form) => ({
    ...form,
    // What only the rules can read is sent as nothing, and refused: better than a wrong price.
    price: plain(form.price, /^-?\d+([.,]\d{1,2})?$/),
    stock_quantity: plain(form.stock_quantity, /^-?\d+$/),
  }),
  blank: {
    ...asText({}, TEXTS),
    price: "",
    stock_quantity: "",
    featured: false,
    active: true,
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
