import { download } from "../../../api/download.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { saveFile } from "../../../ui/saveFile.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";

export function useExport(path: `/api/admin/${string}`, of: string, onSaved?: () => void) {
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => download(path),
    onSuccess: ({ file, name }) => {
      saveFile(file, name);
      onSaved?.();
    },
    onError: () =>
      showToast({
        title: "Export failed",
        description: `The ${of} could not be exported. Please try again.`,
        isError: true,
      }),
  });
  return { isExporting: isPending, save: () => mutate() };
}
