import { useQuery } from "@tanstack/react-query";
import { readState } from "../../api/readState.ts";
import { PRIVACY_POLICY_FAILED } from "../../rules/generated/constants.ts";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { privacyPolicyQuery } from "./queries.ts";

export function PrivacyPolicyPage() {
  const policy = useQuery(privacyPolicyQuery);
  const isLoading = readState(policy) === "loading";
  return (
    <>
      <LoadingStatus isLoading={isLoading}>Loading privacy policy</LoadingStatus>
      {isLoading ? (
        <div className="flex flex-1 items-center justify-center py-32">
          <Spinner />
        </div>
      ) : (
        <Policy text={policy.data?.value} />
      )}
    </>
  );
}

/** `text` is undefined if it could not be read. */
function Policy({ text }: { text: string | undefined }) {
  return (
    <>
      <PageHead name="PRIVACY POLICY" />
      <div className="grid-sheet flex-1 py-10">
        {text !== undefined ? (
          <pre className="type-lead col-span-12 whitespace-pre-wrap font-mono lg:col-span-8 lg:col-start-4 lg:max-w-[72ch]">
            {text}
          </pre>
        ) : (
          <p
            role="alert"
            className="type-lead col-span-12 text-signal lg:col-span-8 lg:col-start-4"
          >
            {PRIVACY_POLICY_FAILED}
          </p>
        )}
      </div>
    </>
  );
}

/** A turning groove, still under reduced motion. */
function Spinner() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 40 40"
      className="size-10 animate-spin"
      fill="none"
      stroke="currentColor"
    >
      <circle cx="20" cy="20" r="18.5" className="text-hairline" />
      <path d="M20 1.5A18.5 18.5 0 0 1 38.5 20" strokeWidth="2" />
      <circle cx="20" cy="20" r="2" fill="currentColor" stroke="none" />
    </svg>
  );
}
