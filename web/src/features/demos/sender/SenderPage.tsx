// A demo's page for its sender: its state, its replacement until it was heard, and its withdrawal.
import "../../../style/whole.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Answer } from "../../../api/client.ts";
import { apiError, call, serviceMessage } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { readState } from "../../../api/readState.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { SENDER_STEPS } from "../../../rules/generated/constants.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { day } from "../../../ui/dates.ts";
import { Fact, FactList } from "../../../ui/Facts.tsx";
import { FormProblem } from "../../../ui/FormLine.tsx";
import { LoadingStatus } from "../../../ui/LoadingStatus.tsx";
import { MessagePage } from "../../../ui/MessagePage.tsx";
import { BackLink, MissingPage } from "../../../ui/MissingPage.tsx";
import { wholeSize } from "../../../ui/measures.ts";
import { PageHead } from "../../../ui/PageHead.tsx";
import { SkeletonLines } from "../../../ui/Skeleton.tsx";
import { useDocumentTitle } from "../../../ui/useDocumentTitle.ts";
import { Replacement } from "./Replacement.tsx";

type SentDemo = Answer<"GET", "/api/sender/{token}">;

const route = getRouteApi("/demos/$token");

const WORDS = [
  "It is here, and waits to be heard.",
  "Somebody has listened to it.",
  "Somebody wants to hear it again.",
  "The label has decided.",
] as const;

const sentDemoQuery = (token: string) => readQuery("/api/sender/{token}", { path: { token } });

export function SenderPage() {
  const { token } = route.useParams();
  const [isErased, setErased] = useState(false);
  const demo = useQuery({ ...sentDemoQuery(token), enabled: !isErased });
  const state = readState(demo);
  const failure = demo.error && apiError(demo.error);
  if (isErased) return <Erased />;
  return (
    <>
      <LoadingStatus isLoading={state === "loading"}>LOOKING FOR YOUR DEMO...</LoadingStatus>
      {demo.data && failure?.status !== 404 ? (
        <Sent token={token} demo={demo.data} onErased={() => setErased(true)} />
      ) : failure?.status === 404 ? (
        <MissingPage />
      ) : (
        <>
          <PageHead name="YOUR DEMO" />
          <div className="px-gutter py-10">
            {state === "failing" ? (
              <p>It could not be asked where your demo stands. Please try again later.</p>
            ) : (
              <SkeletonLines lines={6} />
            )}
          </div>
        </>
      )}
    </>
  );
}

interface SentProps {
  token: string;
  demo: SentDemo;
  onErased: () => void;
}

function Sent({ token, demo, onErased }: SentProps) {
  // It stays once the demo was heard: an upload may still be under way.
  const [wasReplaceable, setWasReplaceable] = useState(false);
  if (demo.can_replace && !wasReplaceable) setWasReplaceable(true);
  return (
    <>
      <PageHead isFocusHome name="YOUR DEMO" note="Anyone with this address can see this page." />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start lg:grid-cols-4 lg:content-stretch">
        <div className="px-gutter py-10 lg:py-14">
          <ol aria-label="Where it stands" className="flex flex-col gap-4">
            {SENDER_STEPS.map((name, step) => (
              <Step key={name} name={name} at={step - demo.step} />
            ))}
          </ol>
        </div>
        <div className="flex flex-col gap-12 border-hairline border-t px-gutter py-10 lg:col-span-3 lg:border-t-0 lg:border-l lg:py-14">
          <div className="flex flex-col gap-4">
            <h2 className="type-heading">{demo.decision ?? demo.label}</h2>
            <p className="type-lead max-w-[40ch] text-balance">{WORDS[demo.step]}</p>
          </div>
          <FactList>
            <Fact name="Artist">
              <bdi className="wrap-anywhere">{demo.artist_name}</bdi>
            </Fact>
            <Fact name="File">
              <bdi className="wrap-anywhere">{demo.original_name}</bdi>{" "}
              <span className="text-dim">{wholeSize(demo.size_bytes)}</span>
            </Fact>
            <Fact name="Sent">{day(demo.submitted_at)}</Fact>
          </FactList>
          {wasReplaceable && (
            <Replacement
              token={token}
              query={sentDemoQuery(token).queryKey}
              isOpen={demo.can_replace}
            />
          )}
          <Withdrawal token={token} onErased={onErased} />
        </div>
      </div>
    </>
  );
}

/** Markers of steps, with forced colours too, which remove backgrounds. */
const HERE = "bg-signal forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none";
const PASSED = "bg-dim forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none";

/** `at` counts from the present step. */
function Step({ name, at }: { name: string; at: number }) {
  return (
    <li
      aria-current={at === 0 ? "step" : undefined}
      className={`type-label flex items-center gap-3 ${at === 0 ? "" : "text-dim"}`}
    >
      <span
        aria-hidden="true"
        className={`size-3 flex-none ${at === 0 ? HERE : at < 0 ? PASSED : "border border-dim"}`}
      />
      {name}
    </li>
  );
}

function Withdrawal({ token, onErased }: { token: string; onErased: () => void }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  function leave(): void {
    client.removeQueries({ queryKey: sentDemoQuery(token).queryKey });
    onErased();
  }
  const erase = useSingleMutation({
    mutationFn: () => call("DELETE", "/api/sender/{token}", { path: { token } }),
    onSuccess: leave,
    onError: (error) => {
      // Already erased, in another tab or by the label.
      if (apiError(error).status === 404) leave();
    },
  });
  return (
    <section aria-labelledby="withdrawal" className="flex flex-col items-start gap-5">
      <h2 id="withdrawal" className="type-label">
        WITHDRAW
      </h2>
      <p className="max-w-[60ch]">
        Everything goes: the demo, its file, what was noted of it, letters that wait, and your
        address. It cannot be brought back.
      </p>
      <FormProblem>
        {erase.isError
          ? (serviceMessage(erase.error) ??
            "That did not work. Nothing may be erased yet: please try again.")
          : undefined}
      </FormProblem>
      <Button
        variant="destroy"
        size="large"
        isBusy={erase.isPending}
        onClick={() => setAsking(true)}
      >
        WITHDRAW AND ERASE
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Erase everything?"
          confirm="ERASE EVERYTHING"
          onConfirm={() => {
            setAsking(false);
            erase.mutate();
          }}
          cancel="KEEP IT"
          onCancel={() => setAsking(false)}
          isCancelAdvised
        >
          It cannot be brought back.
        </ConfirmDialog>
      )}
    </section>
  );
}

function Erased() {
  useDocumentTitle("Erased");
  useEffect(() => window.scrollTo(0, 0), []);
  return (
    <MessagePage
      name="ERASED"
      message={<p role="status">Your demo is gone, with everything we had of you.</p>}
    >
      <BackLink to="/">Return to Home</BackLink>
    </MessagePage>
  );
}
