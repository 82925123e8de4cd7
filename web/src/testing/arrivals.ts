// What Will it arrive? answers in tests.
import type { Answer } from "../api/client.ts";

type Arrival = Answer<"GET", "/api/admin/newsletter/arrival">;

export function anArrival(changes: Partial<Arrival> = {}): Arrival {
  return {
    checked_at: "2026-11-20T12:00:00Z",
    is_fresh: true,
    findings: [
      {
        check: "sender",
        grade: "pass",
        text: "Letters come from mail@label.example.",
        record: null,
      },
      {
        check: "spf",
        grade: "fail",
        text: "label.example has no SPF record, so no server may send for it.",
        record: { name: "label.example", kind: "TXT", value: "v=spf1 include:mailgun.org ~all" },
      },
      {
        check: "postal",
        grade: "warning",
        text: "No postal address stands below letters.",
        record: null,
      },
    ],
    can_read_back: false,
    read_back: null,
    ...changes,
  };
}
