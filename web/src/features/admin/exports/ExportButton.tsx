import { Button } from "../../../ui/Button.tsx";
import { useExport } from "./useExport.ts";

interface ExportButtonProps {
  of: "releases" | "artists" | "numbers";
  children?: string;
}

export function ExportButton({ of, children }: ExportButtonProps) {
  const { isExporting, save } = useExport(`/api/admin/exports/${of}.csv`, of);
  return (
    <Button className="flex-none" isBusy={isExporting} onClick={save}>
      {isExporting ? "Exporting..." : (children ?? "Export")}
      <span className="sr-only">{children ? ` of all ${of}` : ` ${of} as CSV`}</span>
    </Button>
  );
}
