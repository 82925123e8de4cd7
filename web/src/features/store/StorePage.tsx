import { GroovesBehind } from "../../ui/Grooves.tsx";

export function StorePage() {
  return (
    <section className="grid-sheet relative flex-1 content-end overflow-hidden py-12">
      <GroovesBehind
        seed="404-STORE"
        className="-top-1/4 -right-1/3 w-full md:-right-1/6 md:w-3/5"
      />
      <div className="relative col-span-12 flex flex-col items-start gap-6 pt-56">
        <h1 className="type-display">COMING SOON</h1>
        <p className="type-label flex items-center gap-3">
          <span aria-hidden="true" className="block-cursor blink" />
          STATUS: PENDING
        </p>
      </div>
    </section>
  );
}
