// The warnings and failures of Will it arrive?, in the question before a letter goes out.
import { useQuery } from "@tanstack/react-query";
import { readState } from "../../../../api/readState.ts";
import { GRADES } from "../../lists/Grade.tsx";
import { arrivalQuery } from "./arrivalQuery.ts";
import { CHECKS } from "./Findings.tsx";

export function ArrivalWarnings() {
  const arrival = useQuery(arrivalQuery);
  const { data } = arrival;
  const bad = data?.findings.filter(({ grade }) => grade === "fail" || grade === "warning") ?? [];
  return (
    <span aria-live="polite" className="mt-3 block">
      {!data &&
        (readState(arrival) === "failing"
          ? "Whether it arrives could not be looked up."
          : "Will it arrive? Looking it up...")}
      {data && bad.length === 0 && "Will it arrive? Nothing was found that speaks against it."}
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
