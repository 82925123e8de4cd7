// The demo desk in tests, with players controlled by the test.
import { fireEvent, screen } from "@testing-library/react";
import { vi } from "vitest";
import { seeAs } from "./calls.ts";
import { anAdmin } from "./people.ts";
import { renderPath } from "./renderPath.tsx";

/** Sources of started players. */
export const started: string[] = [];
export const players: HTMLAudioElement[] = [];

/** Call before each test. */
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

/** Opens the desk as an admin. */
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

/** Makes the newest player report positions up to this one, every quarter of a second. */
export function playTo(seconds: number, from = 0): void {
  const player = players.at(-1);
  if (!player) throw new Error("nothing plays");
  for (let at = from; at <= seconds; at += 0.25) {
    Object.defineProperty(player, "currentTime", { value: at, configurable: true, writable: true });
    player.dispatchEvent(new Event("timeupdate"));
  }
}
