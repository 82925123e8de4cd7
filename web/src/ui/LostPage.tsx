// A page that says there is nothing here: a number cut as large as it goes, words, a way back.
import type { ReactNode } from "react";
import { Grooves } from "./Grooves.tsx";

interface LostPageProps {
  name: string;
  words: string;
  children: ReactNode;
}

export function LostPage({ name, words, children }: LostPageProps) {
  return (
    <div className="grid-sheet relative flex-1 content-end overflow-hidden py-12">
      <Grooves
        seed={name + words}
        className="absolute top-1/2 -right-1/4 aspect-square w-full -translate-y-1/2 text-hairline sm:right-0 sm:w-2/3"
      />
      <div className="relative col-span-12 flex flex-col items-start gap-6 pt-40">
        <h1 className="font-[760] text-[clamp(7rem,26vw,22rem)] leading-[0.78] tracking-[-0.06em] [font-stretch:75%]">
          {name}
        </h1>
        <p className="type-heading">{words}</p>
        {children}
      </div>
    </div>
  );
}
