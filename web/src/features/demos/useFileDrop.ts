// Files dragged over the window. While a dialog waits for one the whole window takes it: a browser opens what is dropped
// beside a target, and everything typed would be gone.
import { useEffect, useRef, useState } from "react";

/** What was let go: a file, or why it cannot be taken. */
export type Dropped = { file: File } | { problem: string };

/** Calls back with what was dropped; answers whether something is being dragged. */
export function useFileDrop(isTaking: boolean, onDrop: (dropped: Dropped) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onDrop);
  useEffect(() => {
    take.current = onDrop;
  }, [onDrop]);

  useEffect(() => {
    function over(event: DragEvent): void {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = isTaking ? "copy" : "none";
      setOver(isTaking);
    }
    function leave(event: DragEvent): void {
      // Leaving for another element of the page is no leaving.
      if (event.relatedTarget === null) setOver(false);
    }
    function drop(event: DragEvent): void {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (isTaking && event.dataTransfer) take.current(readDrop(event.dataTransfer));
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
  }, [isTaking]);
  return isOver;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function readDrop({ items, files }: DataTransfer): Dropped {
  const isFolder = [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
  if (isFolder) return { problem: "A folder cannot be sent. Pack it into a .zip file." };
  if (files.length > 1) {
    return { problem: "Only one file can be sent. Pack several into a .zip file." };
  }
  const [file] = files;
  return file ? { file } : { problem: "That was no file." };
}
