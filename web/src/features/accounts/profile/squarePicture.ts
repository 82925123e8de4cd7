// Makes of a chosen picture what the server keeps: its centre as a square, in one size, as JPEG. It happens in the
// browser, so that a phone's photograph never travels whole, nor where it was taken.

export interface Crop {
  x: number;
  y: number;
  size: number;
}

/** The largest square in the middle of a picture. */
export function centreSquare(width: number, height: number): Crop {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

/** The file as a square JPEG with so many pixels a side; `quality` from 0 to 1. Rejects what is no picture. */
export async function squareJpeg(file: Blob, pixels: number, quality: number): Promise<Blob> {
  const picture = await createImageBitmap(file);
  try {
    const canvas = document.createElement("canvas");
    canvas.width = pixels;
    canvas.height = pixels;
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("this browser cannot draw");
    // JPEG knows no transparency: what was clear becomes the ground it is shown on.
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor || "#0b0b0b";
    pen.fillRect(0, 0, pixels, pixels);
    pen.imageSmoothingQuality = "high";
    const { x, y, size } = centreSquare(picture.width, picture.height);
    pen.drawImage(picture, x, y, size, size, 0, 0, pixels, pixels);
    return await encoded(canvas, quality);
  } finally {
    picture.close();
  }
}

function encoded(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be encoded"))),
      "image/jpeg",
      quality,
    );
  });
}
