// The templates of letters, one of each kind, edited side by side.
import { Button } from "../../../../ui/Button.tsx";
import { Modal } from "../../../../ui/Modal.tsx";
import { SkeletonLines } from "../../../../ui/Skeleton.tsx";
import { useUnsaved } from "../../../../ui/unsaved/useUnsaved.tsx";
import { useDrafts } from "../../editing/drafts.tsx";
import { templatesQuery } from "../answers/answerCalls.ts";
import type { Letter, LetterTemplate } from "../deskTypes.ts";
import { TemplateCard } from "./TemplateCard.tsx";

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const templates = useDrafts<LetterTemplate, Letter>(templatesQuery, ({ kind }) => kind);
  const { askBefore, question } = useUnsaved(templates.isUnsaved);
  return (
    <Modal title="Letters" onClose={() => askBefore(onClose)} isWide>
      <p className="border-hairline border-b p-gutter text-dim">
        {
          "{artist}, {file} and {label} are filled in for each demo. Letters that wait stay as they are."
        }
      </p>
      {templates.pages ? (
        <div className="grid-cells grid-cols-[minmax(0,1fr)] md:grid-cols-2">
          {templates.items.map((template) => (
            <TemplateCard key={template.kind} drafted={templates.draftedOf(template)} />
          ))}
        </div>
      ) : templates.isFailing ? (
        <div role="alert" className="flex flex-wrap items-center gap-4 p-gutter">
          <p className="text-signal">The letters could not be read.</p>
          <Button onClick={templates.tryAgain}>Try Again</Button>
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
