// Files dragged over the page. Drops beside the target are caught too: a browser would open them, and lose all input.
import { type RefObject, useEffect, useEffectEvent, useState } from "react";

interface FileDropOptions {
  isTaking: boolean;
  /** The drop target; the whole window by default. */
  within?: RefObject<HTMLElement | null>;
  onDrop: (dropped: DataTransfer) => void;
}

/** Calls back with the drop. Returns true while acceptable files are dragged. */
export function useFileDrop({ isTaking, within, onDrop }: FileDropOptions): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onDrop);
  useEffect(() => {
    const isMine = ({ target }: DragEvent) =>
      isTaking && (!within || (within.current?.contains(target as Node | null) ?? false));

    function over(event: DragEvent): void {
      if (!hasFiles(event)) return;
      const isTaken = isMine(event);
      setOver(isTaken);
      // Another target may have taken it.
      if (!isTaken && event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = isTaken ? "copy" : "none";
    }
    function leave(event: DragEvent): void {
      if (event.relatedTarget === null) setOver(false);
    }
    function drop(event: DragEvent): void {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (isMine(event) && event.dataTransfer) take(event.dataTransfer);
    }
    window.addEventListener("dragenter", over);
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", over);
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
      setOver(false);
    };
  }, [isTaking, within]);
  return isOver;
}

export function hasFolder({ items }: DataTransfer): boolean {
  return [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
