// The words that answers begin with: one letter of each kind, edited beside each other.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readState } from "../../../../api/readState.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Modal } from "../../../../ui/Modal.tsx";
import { SkeletonLines } from "../../../../ui/Skeleton.tsx";
import { useUnsaved } from "../../../../ui/unsaved/useUnsaved.tsx";
import { draftAfterSaving } from "../../editing/draftAfterSaving.ts";
import { templatesQuery } from "../answers/answerCalls.ts";
import type { LetterTemplate } from "../deskTypes.ts";
import { TemplateCard } from "./TemplateCard.tsx";
import { isChanged, type TemplateDraft } from "./templateDraft.ts";

type Drafts = Readonly<Record<string, TemplateDraft | undefined>>;

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const query = useQuery(templatesQuery);
  const { data } = query;
  const [drafts, setDrafts] = useState<Drafts>({});
  const items = data?.items ?? [];
  const { askBefore, question } = useUnsaved(
    items.some((template) => isChanged(template, drafts[template.kind])),
  );

  function put(saved: LetterTemplate, sent: TemplateDraft): void {
    setDrafts((held) => ({
      ...held,
      [saved.kind]: draftAfterSaving(held[saved.kind], sent, saved.version),
    }));
    client.setQueryData<typeof data>(
      templatesQuery.queryKey,
      (held) =>
        held && {
          ...held,
          items: held.items.map((item) => (item.kind === saved.kind ? saved : item)),
        },
    );
  }
  return (
    <Modal title="Letters" onClose={() => askBefore(onClose)} isWide>
      <p className="border-hairline border-b p-gutter text-dim">
        {
          "{artist}, {file} and {label} are filled in for each demo. Letters that wait stay as they are."
        }
      </p>
      {data ? (
        <div className="grid-cells grid-cols-[minmax(0,1fr)] md:grid-cols-2">
          {items.map((template) => (
            <TemplateCard
              key={template.kind}
              template={template}
              draft={drafts[template.kind]}
              onDraft={(draft) => setDrafts((held) => ({ ...held, [template.kind]: draft }))}
              onSaved={put}
            />
          ))}
        </div>
      ) : readState(query) === "failing" ? (
        <div role="alert" className="flex flex-wrap items-center gap-4 p-gutter">
          <p className="text-signal">The letters could not be read.</p>
          <Button onClick={() => void client.resetQueries({ queryKey: templatesQuery.queryKey })}>
            Try Again
          </Button>
        </div>
      ) : (
        <div aria-busy="true" className="p-gutter">
          <SkeletonLines lines={6} />
        </div>
      )}
      {question}
    </Modal>
  );
}
