import type { MouseEvent, ReactNode } from "react";
import { Button } from "../../../ui/Button.tsx";
import { OutLink } from "../../../ui/OutLink.tsx";
import { Picture, type Pictured } from "../../../ui/Picture.tsx";

export interface RowActions {
  onEdit: () => void;
  onDelete: (event: MouseEvent) => void;
  chooseBox: ReactNode;
}

interface RowProps extends Pick<RowActions, "onDelete">, Partial<Pick<RowActions, "chooseBox">> {
  /** Left out for rows that can only be deleted. */
  onEdit?: RowActions["onEdit"];
  of: Pictured;
  name: string;
  badges: ReadonlyArray<string | false>;
  /** For rows that are not in use. */
  isDimmed?: boolean;
  children: ReactNode;
  facts?: ReactNode;
  buttons?: ReactNode;
}

export function Row({
  of,
  name,
  badges,
  isDimmed = false,
  children,
  facts,
  buttons,
  onEdit,
  onDelete,
  chooseBox,
}: RowProps) {
  return (
    <article
      aria-label={name}
      className={`grid gap-x-4 gap-y-3 px-gutter py-3 text-[0.75rem] hover:bg-ink/4 ${
        chooseBox
          ? "grid-cols-[1.5rem_3rem_minmax(0,1fr)] md:grid-cols-[1.5rem_3rem_minmax(0,1fr)_auto]"
          : "grid-cols-[3rem_minmax(0,1fr)] md:grid-cols-[3rem_minmax(0,1fr)_auto]"
      } ${isDimmed ? "text-dim" : ""}`}
    >
      {chooseBox && <div className="flex h-12 items-center">{chooseBox}</div>}
      <Picture
        of={{ ...of, image_width: null, image_height: null }}
        isStill
        alt=""
        sizes="3rem"
        className={`aspect-square size-12 ${isDimmed ? "opacity-40" : ""}`}
      />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h3 className="type-row">
            <bdi>{name}</bdi>
          </h3>
          {badges.map(
            (badge) =>
              badge && (
                <span key={badge} className="type-label border border-dim px-1.5 uppercase">
                  {badge}
                </span>
              ),
          )}
        </div>
        {children}
      </div>
      <div className="col-span-full flex flex-wrap items-center justify-between gap-x-6 gap-y-2 md:col-span-1 md:justify-end">
        {facts}
        <div className="type-label ml-auto flex flex-wrap justify-end gap-2">
          {buttons}
          {onEdit && (
            <Button aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </Button>
          )}
          <Button variant="destroy" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </Button>
        </div>
      </div>
    </article>
  );
}

interface RowLinksProps {
  of: string;
  /** By the labels of their fields, such as `Spotify URL`. */
  links: ReadonlyArray<readonly [label: string, href: string | null]>;
}

export function RowLinks({ of, links }: RowLinksProps) {
  return (
    <ul className="type-label mt-1 flex flex-wrap gap-x-4 empty:hidden">
      {links.map(([label, href]) => {
        const name = label.replace(/ URL$/, "");
        return (
          href && (
            <li key={name}>
              <OutLink
                href={href}
                label={`${name}: ${of}`}
                className="inline-flex min-h-6 items-center text-link decoration-hairline uppercase"
              >
                {name}
              </OutLink>
            </li>
          )
        );
      })}
    </ul>
  );
}
