// How to reach the label.
import { PageHead } from "../../ui/PageHead.tsx";
import { ContactForm } from "./ContactForm.tsx";

export function ContactPage() {
  return (
    <>
      <PageHead name="CONTACT US" />
      <div className="grid flex-1 lg:grid-cols-4">
        <div className="flex flex-col gap-4 px-gutter py-10 lg:py-14">
          <p className="type-lead max-w-[30ch] text-balance">Get in touch with the label team.</p>
          <p className="max-w-[40ch] text-dim">
            Bookings, press, records that never arrived. Answers go to the address you give.
          </p>
        </div>
        <div className="border-hairline border-t px-gutter py-10 lg:col-span-3 lg:border-t-0 lg:border-l lg:py-14">
          <ContactForm />
        </div>
      </div>
    </>
  );
}
