// How a check went: Pass, Warning, Fail or Info, with its mark.
export const GRADES = { pass: "Pass", warning: "Warning", fail: "Fail", info: "Info" } as const;

export type Grade = keyof typeof GRADES;

export function toneOf(grade: Grade): string {
  return grade === "fail" ? "text-signal" : "";
}

export function GradeLine({ grade, className = "" }: { grade: Grade; className?: string }) {
  return (
    <p
      className={`type-label flex items-center gap-2 self-start uppercase ${className} ${toneOf(grade)}`}
    >
      <GradeMark grade={grade} />
      {GRADES[grade]}
    </p>
  );
}

/** In a 12 by 12 square: a tick, an exclamation mark, a cross, an i. */
const MARKS: Readonly<Record<Grade, string>> = {
  pass: "M2 6.5 5 9.5 10.5 2.5",
  warning: "M6 1v6M6 9.25v1.75",
  fail: "M2 2 10 10M10 2 2 10",
  info: "M6 1v1.75M6 5v6",
};

function GradeMark({ grade }: { grade: Grade }) {
  const isLoud = grade === "warning" || grade === "fail";
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 12 12"
      className={`size-5 flex-none border p-0.5 ${isLoud ? "border-current" : "border-hairline"}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d={MARKS[grade]} />
    </svg>
  );
}
