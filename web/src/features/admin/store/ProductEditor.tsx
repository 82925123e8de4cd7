import { type ComponentProps, type MouseEvent, useState } from "react";
import { type Rules, withRules } from "../../../rules/rules.ts";
import { useRules } from "../../../rules/useRules.ts";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { EditorDialog } from "../editing/EditorDialog.tsx";
import { ImageField } from "../editing/ImageField.tsx";
import { useEditor } from "../editing/useEditor.ts";
import { type Product, productConfig } from "./productConfig.ts";

interface ProductEditorProps {
  product: Product | null;
  onClose: () => void;
}

export function ProductEditor({ product, onClose }: ProductEditorProps) {
  const [isUploading, setUploading] = useState(false);
  const editor = useEditor(productConfig, product, onClose);
  const { form } = editor;
  const { labels } = productConfig;

  return (
    <EditorDialog
      title={editor.base ? "Edit Product" : "Add New Product"}
      config={productConfig}
      editor={editor}
      isUploading={isUploading}
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
          label="Image"
          folder="uploads"
          messages={{ uploaded: "media_uploaded", failed: "media_upload_failed" }}
          seed={product?.id ?? "new product"}
          value={form.valueOf("image_url")}
          error={form.errorOf("image_url")}
          input={form.register("image_url")}
          onUploaded={(url) => form.fill("image_url", url)}
          onUploading={setUploading}
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
