// Demos sent by the upload that browsers use, without a browser.
import { randomBytes } from "node:crypto";
import { expect, request } from "@playwright/test";
import { makeWave } from "../audio.ts";
import type { Site } from "../site.ts";
import { newClient } from "../test.ts";

interface SentDemo {
  artist: string;
  message?: string;
  name?: string;
  file?: Buffer;
  /** The sender's address; a random one by default. */
  email?: string;
}

/** Sends a demo, from a new address unless one is given; returns the sender's address. */
export async function sendDemo(
  site: Site,
  {
    artist,
    message,
    name = "take-1.wav",
    file = makeWave(24),
    email = `sender-${randomBytes(4).toString("hex")}@example.org`,
  }: SentDemo,
): Promise<string> {
  site.keepSecret(email);
  const sender = await request.newContext({ baseURL: site.url, extraHTTPHeaders: newClient() });
  const said = Object.entries({ artist_name: artist, email, filename: name, message })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString("base64")}`);
  const announced = await sender.post("/api/demos", {
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(file.length),
      "Upload-Metadata": said.join(","),
    },
  });
  await expect(announced, await announced.text()).toBeOK();
  const sent = await sender.patch(announced.headers().location ?? "", {
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": "0",
      "Content-Type": "application/offset+octet-stream",
    },
    data: file,
  });
  await expect(sent, await sent.text()).toBeOK();
  await sender.dispose();
  return email;
}
