// The store's place, until there is one.
import { Grooves } from "../../ui/Grooves.tsx";

export function StorePage() {
  return (
    <section className="grid-sheet relative flex-1 content-end overflow-hidden py-12">
      <Grooves
        seed="404-STORE"
        className="absolute -top-1/3 -right-1/4 aspect-square w-full text-hairline md:w-3/4"
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
