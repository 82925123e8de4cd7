// Where accounts are made: the form, and after it the word to look into the inbox.
import { useState } from "react";
import { PageHead } from "../../ui/PageHead.tsx";
import { CheckInbox } from "./signup/CheckInbox.tsx";
import { SignupForm } from "./signup/SignupForm.tsx";
import { useSignupState } from "./signup/signupState.ts";

export function SignupPage() {
  const { success } = useSignupState();
  const [wasDone] = useState(success);
  return (
    <>
      <PageHead name={success ? "CHECK YOUR INBOX" : "SIGN UP"} />
      <div className="grid-sheet flex-1 content-start gap-y-10 py-10 lg:py-14">
        {success ? <CheckInbox isFresh={!wasDone} /> : <SignupForm />}
      </div>
    </>
  );
}
