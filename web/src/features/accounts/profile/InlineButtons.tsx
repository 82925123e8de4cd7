// The buttons below a field that is edited in place.
import { Button } from "../../../ui/Button.tsx";

export function InlineButtons({ isBusy, onCancel }: { isBusy: boolean; onCancel: () => void }) {
  return (
    <div className="type-label flex flex-wrap gap-3">
      <Button type="submit" isBusy={isBusy} variant="main">
        {isBusy ? "Saving..." : "Save"}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}
