import type { ReactNode } from "react";
import { GroovesBehind } from "./Grooves.tsx";

interface ErrorPageProps {
  name: string;
  message: string;
  children: ReactNode;
}

/** `data-error-page` marks it in painted documents. */
export function ErrorPage({ name, message, children }: ErrorPageProps) {
  return (
    <div
      data-error-page=""
      className="grid-sheet relative flex-1 content-end overflow-hidden py-12"
    >
      <GroovesBehind
        seed={name + message}
        className="top-1/4 -right-1/3 w-full sm:-right-16 sm:-top-12 sm:w-3/5"
      />
      <div className="relative col-span-12 flex flex-col items-start gap-6 pt-40">
        <h1 className="font-[760] text-[clamp(7rem,26vw,22rem)] leading-[0.78] tracking-[-0.03em] [font-stretch:75%]">
          {name}
        </h1>
        <p className="type-heading">{message}</p>
        {children}
      </div>
    </div>
  );
}
