import { showToast } from "../../../ui/toasts/toastQueue.ts";

export function toastExportFailed(of: string): void {
  showToast({
    title: "Export failed",
    description: `The ${of} could not be exported. Please try again.`,
    isError: true,
  });
}
