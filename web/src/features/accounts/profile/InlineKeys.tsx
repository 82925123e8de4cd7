// The two keys below something that is edited in its place.

export function InlineKeys({ isBusy, onCancel }: { isBusy: boolean; onCancel: () => void }) {
  return (
    <div className="type-label flex flex-wrap gap-3">
      <button type="submit" disabled={isBusy} className="key key-main uppercase">
        {isBusy ? "Saving..." : "Save"}
      </button>
      <button type="button" className="key uppercase" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
