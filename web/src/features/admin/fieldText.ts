export function fieldText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "(empty)";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.length === 0 ? "(empty)" : value.map(line).join("\n");
  return String(value);
}

function line(row: unknown): string {
  if (row === null || typeof row !== "object") return String(row);
  const {
    duration_seconds: seconds,
    duration_label: length = seconds,
    ...others
  } = row as {
    duration_seconds?: unknown;
    duration_label?: unknown;
  };
  return [...Object.values(others), length]
    .filter((value) => value != null && value !== "")
    .join(", ");
}
