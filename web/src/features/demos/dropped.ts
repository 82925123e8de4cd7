import { hasFolder } from "../../ui/useFileDrop.ts";

export type Dropped = { file: File } | { problem: string };

export function readDrop(dropped: DataTransfer): Dropped {
  if (hasFolder(dropped)) return { problem: "A folder cannot be sent. Pack it into a .zip file." };
  const [file, another] = dropped.files;
  if (another) return { problem: "Only one file can be sent. Pack several into a .zip file." };
  return file ? { file } : { problem: "That was no file." };
}
