/** False if the file has changed or moved since it was chosen: browsers then send nothing and give no reason. */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
