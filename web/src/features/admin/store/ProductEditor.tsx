// The form of a product, for a new one and for one that is there.
import { useState } from "react";
import { withRules } from "../../../rules/rules.ts";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { EditorDialog } from "../editing/EditorDialog.tsx";
import { ImageField } from "../editing/ImageField.tsx";
import { useEditor } from "../editing/useEditor.ts";
import { type Product, productKind } from "./productKind.ts";

interface ProductEditorProps {
  product: Product | null;
  onClose: () => void;
}

export function ProductEditor({ product, onClose }: ProductEditorProps) {
  const [isUploading, setUploading] = useState(false);
  const editor = useEditor(productKind, product, onClose);
  const { form } = editor;
  const { labels } = productKind;

  /** Shows what a number will be saved as; one that will be refused stays as typed. */
  function tidy(field: "price" | "stock_quantity"): void {
    const typed = { title: "-", price: "0", stock_quantity: "0", [field]: form.getValues(field) };
    const read = withRules((rules) => rules.checkProduct(typed))?.value;
    if (!read) return;
    form.fill(field, field === "price" ? read.price.toFixed(2) : String(read.stock_quantity));
  }

  return (
    <EditorDialog
      title={product ? "Edit Product" : "Add New Product"}
      kind={productKind}
      editor={editor}
      isUploading={isUploading}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        <Field
          label={labels.title}
          autoComplete="off"
          error={form.errorOf("title")}
          {...form.register("title")}
        />
        <div className="grid grid-cols-2 items-start gap-4 [&_input]:text-right">
          <Field
            label={labels.price}
            type="number"
            inputMode="decimal"
            min="0"
            step="0.01"
            error={form.errorOf("price")}
            {...form.register("price", { onBlur: () => tidy("price") })}
          />
          <Field
            label={labels.stock_quantity}
            type="number"
            inputMode="numeric"
            min="0"
            step="1"
            error={form.errorOf("stock_quantity")}
            {...form.register("stock_quantity", { onBlur: () => tidy("stock_quantity") })}
          />
        </div>
        <Field
          label={labels.category}
          autoComplete="off"
          hint="For example Vinyl, Merch or Digital."
          error={form.errorOf("category")}
          {...form.register("category")}
        />
        <div className="flex flex-wrap gap-x-8 gap-y-4">
          <Switch label={labels.featured} {...form.register("featured")} />
          <Switch label={labels.active} {...form.register("active")} />
        </div>
      </div>
      <div className="flex flex-col gap-5">
        <TextArea
          label={labels.description}
          error={form.errorOf("description")}
          {...form.register("description")}
        />
        <ImageField
          label="Image"
          folder="uploads"
          said={{ uploaded: "media_uploaded", failed: "media_upload_failed" }}
          seed={product?.id ?? "new product"}
          value={form.valueOf("image_url") as string}
          error={form.errorOf("image_url")}
          input={form.register("image_url")}
          onUploaded={(url) => form.fill("image_url", url)}
          onUploading={setUploading}
        />
      </div>
    </EditorDialog>
  );
}
