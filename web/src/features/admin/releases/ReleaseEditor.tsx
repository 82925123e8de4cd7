import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useController } from "react-hook-form";
import { call, unlessGone } from "../../../api/client.ts";
import { useLabelZone } from "../../../api/labelZone.ts";
import { putAnswer } from "../../../api/putAnswer.ts";
import { readQuery } from "../../../api/queries.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { OutLink } from "../../../ui/OutLink.tsx";
import { RadioGroup } from "../../../ui/RadioGroup.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { ReleaseNumbers } from "../analytics/ReleaseNumbers.tsx";
import { EditorDialog } from "../editing/EditorDialog.tsx";
import { ImageField, UrlField } from "../editing/ImageField.tsx";
import { type Editor, useEditor } from "../editing/useEditor.ts";
import { fromInput, INPUT_MAX, toInput } from "../labelTime.ts";
import { CopyUrl } from "../library/CopyUrl.tsx";
import { readRowsAgain } from "../lists/useRows.ts";
import { AnnounceButton } from "../newsletter/letters/AnnounceButton.tsx";
import type { EditorProps } from "../resource/RowsTab.tsx";
import { ArtistChoice, type Choice } from "./ArtistChoice.tsx";
import { NextNumber, useExampleNumber } from "./CatalogNumbers.tsx";
import { Credits, Tracks } from "./RowsField.tsx";
import {
  ADDRESSES,
  PUBLISH_CHOICES,
  type Release,
  type ReleaseForm,
  releaseConfig,
} from "./releaseConfig.ts";

export function ReleaseEditor({ row: release, onClose }: EditorProps<Release>) {
  const example = useExampleNumber();
  const editor = useEditor(releaseConfig, release, onClose);
  const { form } = editor;
  const { labels } = releaseConfig;
  const [known, setKnown] = useState<readonly Choice[]>(release?.artist ? [release.artist] : []);
  const artistId = form.valueOf("artist_id");
  // The newest version brings the name of a choice it replaced.
  const chosen =
    [...known, editor.newest?.artist].find((artist) => artist?.id === artistId) ?? null;

  function choose(artist: Choice | null): void {
    if (artist) setKnown([...known, artist]);
    form.fill("artist_id", artist?.id ?? "");
  }

  return (
    <EditorDialog
      title={editor.base ? "Edit Release" : "Add New Release"}
      config={releaseConfig}
      editor={editor}
      onClose={onClose}
      buttons={
        editor.base && <AnnounceButton release={editor.base.id} isUnsaved={editor.isUnsaved} />
      }
    >
      <div className="flex flex-col gap-5">
        <Field label={labels.title} required autoComplete="off" {...form.field("title")} />
        <ArtistChoice
          label={labels.artist_id}
          value={artistId}
          chosen={chosen}
          error={form.errorOf("artist_id")}
          onChoose={choose}
          onLeave={(typed) => form.fill("artist_id", typed)}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2 lg:gap-4">
          <Field
            label={labels.catalog}
            autoComplete="off"
            placeholder={example}
            hint="The artist's page reads its number from a line CATALOG: in the description."
            {...form.field("catalog")}
          >
            {!editor.base && <NextNumber onUse={(next) => form.fill("catalog", next)} />}
          </Field>
          <Field label={labels.release_date} required type="date" {...form.field("release_date")} />
        </div>
        <TextArea label={labels.description} {...form.field("description")} />
        <Field
          label={labels.format}
          autoComplete="off"
          placeholder='12" vinyl'
          {...form.field("format")}
        />
        <Tracks form={form} />
        <Credits form={form} />
        <PublishFields form={form} state={editor.base?.state} />
        {editor.base && editor.base.state !== "out" && (
          <PrivateLink release={editor.newest ?? editor.base} />
        )}
      </div>
      <div className="flex flex-col gap-5">
        <ImageField
          form={form}
          name="cover_image_url"
          label="Cover Image"
          folder="releases"
          messages={{ uploaded: "release_image_uploaded", failed: "release_image_failed" }}
          seed={release?.id ?? "new release"}
          onUploading={editor.onUploading}
        />
        {ADDRESSES.map((field) => (
          <UrlField key={field} form={form} name={field} label={labels[field]} />
        ))}
        <Switch label={labels.featured} {...form.register("featured")} />
        {editor.base && <ReleaseNumbers release={editor.base.id} />}
      </div>
    </EditorDialog>
  );
}

interface PublishFieldsProps {
  form: Editor<Release, ReleaseForm>["form"];
  state: Release["state"] | undefined;
}

function PublishFields({ form, state }: PublishFieldsProps) {
  const publish = form.valueOf("publish");
  const { field: goesOut } = useController({ control: form.control, name: "goes_out_at" });
  const frame = useRef<HTMLDivElement>(null);
  const zone = useLabelZone();

  function takeBack(): void {
    form.fill("publish", "not_yet");
    frame.current?.querySelector<HTMLElement>("input[value=not_yet]")?.focus();
  }

  return (
    <div ref={frame} className="flex flex-col gap-3">
      <RadioGroup
        label="Publish"
        choices={PUBLISH_CHOICES}
        value={publish}
        onChoose={(choice) => form.fill("publish", choice)}
      />
      {publish === "on_date" && (
        <Field
          label="Goes Out"
          type="datetime-local"
          max={INPUT_MAX}
          required
          hint={`The label's time, ${zone}. A date in the past is now.`}
          error={form.errorOf("goes_out_at")}
          ref={goesOut.ref}
          value={toInput(goesOut.value, zone)}
          onChange={({ currentTarget }) => goesOut.onChange(fromInput(currentTarget.value, zone))}
        />
      )}
      {state === "out" &&
        (publish === "now" ? (
          <Button className="self-start" onClick={takeBack}>
            Take Back
          </Button>
        ) : (
          <p role="status" className="text-dim">
            It is out. Saving takes it back: its address answers nothing until it is out again.
          </p>
        ))}
    </div>
  );
}

const PATH = "/api/admin/releases/{id}/private-link";

/** `release` is the newest read, also before the link is copied: it may be renewed elsewhere. */
function PrivateLink({ release }: { release: Release }) {
  const client = useQueryClient();
  const link = release.private_link;
  // By touch it is copied before the read that the same tap begins is answered.
  const [copied, setCopied] = useState<string>();
  const path = { id: release.id };
  const read = readQuery("/api/admin/releases/{id}", { path });
  const readAgain = (cancelRefetch: boolean) =>
    void client.invalidateQueries({ queryKey: read.queryKey }, { cancelRefetch });
  const change = useSingleMutation({
    mutationFn: async (isRemoved: boolean) => {
      if (!isRemoved) return (await call("POST", PATH, { path })).private_link;
      await call("DELETE", PATH, { path }).catch(unlessGone);
      return null;
    },
    onSuccess: async (made) => {
      setCopied(undefined);
      await putAnswer(client, read, (held) => held && { ...held, private_link: made });
      readRowsAgain(client, releaseConfig.path);
    },
    onError: (error) => {
      toastChangeFailed(error, "release_update_failed");
      readAgain(true);
    },
  });
  return (
    <fieldset
      className="flex flex-col gap-3"
      onFocus={() => readAgain(false)}
      onPointerEnter={() => readAgain(false)}
    >
      <legend className="type-label mb-2 uppercase">Private Link</legend>
      <p role="status" className="text-dim">
        {link
          ? "Anyone with this link can see the release before it is out."
          : "Only admins can see this release before it is out."}
      </p>
      {link && (
        <input
          readOnly
          aria-label="Private link"
          className="field w-full"
          value={new URL(link, globalThis.location.origin).href}
          onFocus={({ target }) => target.select()}
        />
      )}
      {copied && copied !== link && (
        <p role="alert" className="text-signal">
          The link you copied no longer works.
        </p>
      )}
      <div className="type-label flex flex-wrap gap-3">
        {link && <CopyUrl path={link} of="the private link" onCopy={() => setCopied(link)} />}
        <Button data-focus-home isBusy={change.isPending} onClick={() => change.mutate(false)}>
          {link ? "Renew Link" : "Make Link"}
        </Button>
        {link && (
          <Button isBusy={change.isPending} onClick={() => change.mutate(true)}>
            Remove Link
          </Button>
        )}
        <PreviewButton id={release.id} />
      </div>
    </fieldset>
  );
}

interface PreviewButtonProps {
  id: string;
  /** The accessible name; needed where there are several. */
  label?: string;
}

export function PreviewButton({ id, label }: PreviewButtonProps) {
  return (
    <OutLink href={`/p/${id}`} {...(label && { label })} className="button">
      Preview
    </OutLink>
  );
}
