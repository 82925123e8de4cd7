import { Link } from "@tanstack/react-router";
import { GroovesBehind } from "../../ui/Grooves.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { ContactForm } from "./ContactForm.tsx";

const LINK = "text-link text-ink";

export function ContactPage() {
  return (
    <>
      <PageHead name="CONTACT US" />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start lg:grid-cols-4 lg:content-stretch">
        <div className="relative overflow-hidden px-gutter py-10 lg:py-14">
          <GroovesBehind
            seed="404-CONTACT"
            className="-right-1/3 -bottom-1/2 hidden w-[36rem] lg:block"
          />
          <div className="relative flex flex-col gap-5">
            <p className="type-lead max-w-[30ch] text-balance">Get in touch with the label team.</p>
            <p className="max-w-[42ch] text-dim">
              Bookings, press, records that never arrived. Answers go to the address you give.
            </p>
            <p className="max-w-[42ch] text-dim">
              Demos are heard through the form on the{" "}
              <Link to="/artists" className={LINK}>
                artists page
              </Link>
              .
            </p>
          </div>
        </div>
        <div className="border-hairline border-t px-gutter py-10 lg:col-span-3 lg:border-t-0 lg:border-l lg:py-14">
          <ContactForm />
        </div>
      </div>
    </>
  );
}
