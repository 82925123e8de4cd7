// The warnings and failures of Will it arrive?, in the question before a letter goes out.
import { GRADES } from "../../lists/Grade.tsx";
import type { Arrival } from "./arrivalQuery.ts";
import { CHECKS } from "./Findings.tsx";

/** Without an answer, says that nothing could be looked up. */
export function ArrivalWarnings({ arrival }: { arrival: Arrival | undefined }) {
  const bad =
    arrival?.findings.filter(({ grade }) => grade === "fail" || grade === "warning") ?? [];
  return (
    <span className="mt-3 block">
      {!arrival && "Whether it arrives could not be looked up."}
      {arrival && bad.length === 0 && "Will it arrive? Nothing was found that speaks against it."}
      {bad.length > 0 && "Will it arrive? Found in the Newsletter tab:"}
      {bad.map(({ check, grade, text }) => (
        <span
          key={check}
          className={`mt-1 block text-[0.75rem] ${grade === "fail" ? "text-signal" : ""}`}
        >
          {GRADES[grade]}, {CHECKS[check]}: {text}
        </span>
      ))}
    </span>
  );
}
