// A hidden file field, opened by a button elsewhere.
import { type ComponentProps, useRef } from "react";

export function useFilePicker(
  field: Pick<ComponentProps<"input">, "aria-label" | "accept" | "multiple" | "disabled">,
  onChoose: (files: File[]) => void,
) {
  const picker = useRef<HTMLInputElement>(null);
  return {
    open: () => picker.current?.click(),
    picker: (
      <input
        {...field}
        ref={picker}
        type="file"
        hidden
        onChange={({ target }) => {
          // Copied, because the list is emptied with its input: choosing the same file again is a change too.
          const files = [...(target.files ?? [])];
          target.value = "";
          if (files.length > 0) onChoose(files);
        }}
      />
    ),
  };
}
