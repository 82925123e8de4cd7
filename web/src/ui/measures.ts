// Sizes, speeds and times in words. One unit and one decimal, so that running numbers don't jump.

const KILOBYTE = 1_024;
const MEGABYTE = 1_048_576;

/** The size of a file, rounded up as its rule does. */
export function wholeSize(bytes: number): string {
  return bytes < MEGABYTE
    ? `${Math.ceil(bytes / KILOBYTE)} KB`
    : `${(Math.ceil((bytes * 10) / MEGABYTE) / 10).toFixed(1)} MB`;
}

/** The sent part of a file, in the file's unit; never all before it is. */
export function sentOf(sent: number, total: number): string {
  const whole = wholeSize(total);
  if (sent >= total) return whole;
  const part =
    total < MEGABYTE
      ? String(Math.floor(sent / KILOBYTE))
      : (Math.floor((sent * 10) / MEGABYTE) / 10).toFixed(1);
  return `${part} of ${whole}`;
}

/** Whole percent; 100 only at the end. */
export function percentOf(sent: number, total: number): number {
  return total === 0 ? 100 : Math.floor((sent * 100) / total);
}

export function speedLabel(bytesPerSecond: number): string {
  return bytesPerSecond < MEGABYTE / 10
    ? `${Math.round(bytesPerSecond / KILOBYTE)} KB/s`
    : `${(bytesPerSecond / MEGABYTE).toFixed(1)} MB/s`;
}

/** In the steps a person would use: seconds below a minute, minutes below an hour. */
export function timeLeft(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds : Math.ceil(seconds / 5) * 5} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60
    ? `${minutes} min left`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min left`;
}
