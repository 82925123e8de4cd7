import { download } from "../../../api/download.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { Button } from "../../../ui/Button.tsx";
import { saveFile } from "../../../ui/saveFile.ts";
import { toastExportFailed } from "./toastExportFailed.ts";

interface ExportButtonProps {
  of: "releases" | "artists" | "numbers";
  children?: string;
}

export function ExportButton({ of, children }: ExportButtonProps) {
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => download(`/api/admin/exports/${of}.csv`),
    onSuccess: ({ file, name }) => saveFile(file, name),
    onError: () => toastExportFailed(of),
  });
  return (
    <Button className="flex-none" isBusy={isPending} onClick={() => mutate()}>
      {isPending ? "Exporting..." : (children ?? "Export")}
      <span className="sr-only">{children ? ` of all ${of}` : ` ${of} as CSV`}</span>
    </Button>
  );
}
