// Files dragged over the page. What falls beside the place that waits for them is caught as well: a browser opens what is
// dropped on a page, and everything typed would be gone.
import { type RefObject, useEffect, useRef, useState } from "react";

interface FileDropOptions {
  /** False while nothing can be taken. */
  isTaking: boolean;
  /** Where files may be let go; the whole window where nothing is named. */
  within?: RefObject<HTMLElement | null>;
  onDrop: (dropped: DataTransfer) => void;
}

/** Calls back with what was dropped; answers whether something that can be taken is being dragged. */
export function useFileDrop({ isTaking, within, onDrop }: FileDropOptions): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onDrop);
  useEffect(() => {
    take.current = onDrop;
  }, [onDrop]);

  useEffect(() => {
    const isMine = ({ target }: DragEvent) =>
      isTaking && (!within || (within.current?.contains(target as Node | null) ?? false));

    function over(event: DragEvent): void {
      if (!hasFiles(event)) return;
      const isTaken = isMine(event);
      setOver(isTaken);
      // Another place on the page may have taken it already.
      if (!isTaken && event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = isTaken ? "copy" : "none";
    }
    function leave(event: DragEvent): void {
      // Leaving for another element of the page is no leaving.
      if (event.relatedTarget === null) setOver(false);
    }
    function drop(event: DragEvent): void {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (isMine(event) && event.dataTransfer) take.current(event.dataTransfer);
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

/** True where a folder is among what was dropped. */
export function hasFolder({ items }: DataTransfer): boolean {
  return [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
