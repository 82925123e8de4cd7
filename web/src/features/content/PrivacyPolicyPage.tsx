// The pages of one long text: the privacy policy, and the imprint if the label has one.
import { useQuery } from "@tanstack/react-query";
import { readState } from "../../api/readState.ts";
import { PRIVACY_POLICY_FAILED } from "../../rules/generated/constants.ts";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { MissingPage } from "../../ui/MissingPage.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { imprintQuery, privacyPolicyQuery } from "./queries.ts";

export function PrivacyPolicyPage() {
  const policy = useQuery(privacyPolicyQuery);
  const isLoading = readState(policy) === "loading";
  return (
    <>
      <LoadingStatus isLoading={isLoading}>Loading privacy policy</LoadingStatus>
      {isLoading ? <Spinner /> : <Policy text={policy.data?.value} />}
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
          <PlainText>{text}</PlainText>
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

export function ImprintPage() {
  const imprint = useQuery(imprintQuery);
  const isLoading = readState(imprint) === "loading";
  return (
    <>
      <LoadingStatus isLoading={isLoading}>Loading imprint</LoadingStatus>
      {isLoading && <Spinner />}
      {/* A cleared imprint is not shown from memory. */}
      {imprint.isError ? (
        <MissingPage />
      ) : imprint.data ? (
        <Imprint text={imprint.data.value} />
      ) : (
        !isLoading && <Notice>THE IMPRINT COULD NOT BE READ. RETRYING.</Notice>
      )}
    </>
  );
}

function Imprint({ text }: { text: string }) {
  // Again after the page was missing.
  useDocumentTitle("Imprint");
  return (
    <>
      <PageHead name="IMPRINT" />
      <div className="grid-sheet flex-1 py-10">
        <PlainText>{text}</PlainText>
      </div>
    </>
  );
}

function PlainText({ children }: { children: string }) {
  return (
    <pre
      dir="auto"
      className="type-lead col-span-12 whitespace-pre-wrap break-words font-mono lg:col-span-8 lg:col-start-4 lg:max-w-[72ch]"
    >
      {children}
    </pre>
  );
}

/** A turning groove, still under reduced motion. */
function Spinner() {
  return (
    <div className="flex flex-1 items-center justify-center py-32">
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
    </div>
  );
}
