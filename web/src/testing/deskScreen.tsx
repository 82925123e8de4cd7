// The demo desk on the screen of a test, whose players tell what they are told to.
import { fireEvent, screen } from "@testing-library/react";
import { vi } from "vitest";
import { seeAs } from "./calls.ts";
import { anAdmin } from "./people.ts";
import { renderPath } from "./renderPath.tsx";

/** What plays; a browser without sound. */
export const started: string[] = [];
export const players: HTMLAudioElement[] = [];

/** For every test before it begins. */
export function fakePlayers(): void {
  started.length = 0;
  players.length = 0;
  localStorage.clear();
  vi.spyOn(HTMLMediaElement.prototype, "load").mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (
    this: HTMLMediaElement,
  ) {
    started.push(new URL(this.src, "http://x").pathname);
    players.push(this as HTMLAudioElement);
    Object.defineProperty(this, "paused", { value: false, configurable: true });
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (
    this: HTMLMediaElement,
  ) {
    Object.defineProperty(this, "paused", { value: true, configurable: true });
    this.dispatchEvent(new Event("pause"));
  });
}

export const pathOf = (id: string) => `/api/admin/demos/${id}/file`;

/** The desk as an admin sees it. */
export async function openDesk(path = "/admin/demos") {
  seeAs(anAdmin());
  const app = renderPath(path);
  await screen.findByRole("heading", { level: 1, name: "Demo Desk" });
  return app;
}

export const onDesk = (name: string) => screen.findByRole("heading", { level: 2, name });
export const press = (key: string, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
export const judgement = () => screen.getByRole("region", { name: "Judgement" });

/** Lets the newest player report that it has come so far, a quarter of a second at a time. */
export function playTo(seconds: number, from = 0): void {
  const player = players.at(-1);
  if (!player) throw new Error("nothing plays");
  for (let at = from; at <= seconds; at += 0.25) {
    Object.defineProperty(player, "currentTime", { value: at, configurable: true, writable: true });
    player.dispatchEvent(new Event("timeupdate"));
  }
}
