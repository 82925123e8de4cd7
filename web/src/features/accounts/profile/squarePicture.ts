// Crops a picture to what the server keeps: its centre as a square JPEG. Done in the browser, so that a photograph's
// full size and location never leave it.

export interface Crop {
  x: number;
  y: number;
  size: number;
}

export function centreSquare(width: number, height: number): Crop {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

/** The file as a square JPEG of `pixels` a side; `quality` from 0 to 1. Rejects if it is not a picture. */
export async function squareJpeg(file: Blob, pixels: number, quality: number): Promise<Blob> {
  const picture = await createImageBitmap(file);
  try {
    const canvas = document.createElement("canvas");
    canvas.width = pixels;
    canvas.height = pixels;
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("this browser cannot draw");
    // JPEG has no transparency: transparent areas get the page's ground.
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
