// Functions that run in the page of the scripted hour: when a key was pressed, when its result was painted, and when sound
// started.

/** Installed with the page. Counts clicks and records the sounds of every player. */
export function watch() {
  globalThis.desk = { pointers: 0, sounds: [] };
  const count = (event) => {
    // A click caused by a key has no detail.
    if (event.type !== "click" || event.detail > 0) globalThis.desk.pointers += 1;
  };
  for (const kind of ["mousedown", "mousemove", "pointerdown", "touchstart", "wheel", "click"]) {
    addEventListener(kind, count, { capture: true, passive: true });
  }
  const Player = globalThis.Audio;
  globalThis.Audio = function Heard(...sources) {
    const player = new Player(...sources);
    player.addEventListener("playing", () => {
      const from = player.currentTime;
      const look = () => {
        if (player.paused) return;
        if (player.currentTime === from) setTimeout(look, 2);
        else globalThis.desk.sounds.push({ at: performance.now(), source: player.currentSrc });
      };
      look();
    });
    return player;
  };
}

/**
 * Sets `answered` to a promise for the next key press and its result: `shown` are pairs of a selector and the text of its first
 * element, `gone` is a selector without matches, and `isHeard` requires sound. Resolves to the times from the press to each,
 * once painted.
 */
export function awaitKey({ shown = [], gone, isHeard }) {
  globalThis.answered = new Promise((done, missed) => {
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        let seen;
        const heardAt = () => globalThis.desk.sounds.find(({ at }) => at >= timeStamp)?.at;
        const has = ([selector, text]) => {
          const found = document.querySelector(selector);
          if (!found || text === undefined) return found !== null;
          return (found.matches("input, textarea") ? found.value : found.textContent).includes(text);
        };
        const tooLong = setTimeout(() => {
          const missing = shown.filter((one) => !has(one)).map((one) => one.join(" "));
          missed(new Error(`did not come: ${missing.join(", ") || gone || "a sound"}; ${document.querySelector("main")?.innerText.slice(0, 400)}`));
        }, 20_000);
        const look = () => {
          if (seen === undefined && shown.every(has) && !(gone && document.querySelector(gone))) {
            // The frame after this one begins once this one is on the screen.
            seen = 0;
            requestAnimationFrame(() => {
              seen = performance.now() - timeStamp;
            });
          }
          if (seen && (!isHeard || heardAt() !== undefined)) {
            clearTimeout(tooLong);
            done({ seen, heard: isHeard ? heardAt() - timeStamp : undefined });
          } else requestAnimationFrame(look);
        };
        look();
      },
      { capture: true, once: true },
    );
  });
}

/** Sets `pressed` to a promise for the time of the next key press, by the clock all pages share. */
export function awaitPress() {
  globalThis.pressed = new Promise((done) => {
    addEventListener("keydown", ({ timeStamp }) => done(performance.timeOrigin + timeStamp), { capture: true, once: true });
  });
}

/** The time when something is shown, by that clock. */
export function whenShown([selector, text]) {
  return new Promise((done) => {
    const look = () => {
      const found = document.querySelector(selector);
      if (!found?.textContent.includes(text)) return requestAnimationFrame(look);
      return requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
    };
    look();
  });
}

/** A page with two players only, to measure the browser itself. Plays them in turn, one per key press. */
export function playBare(sources) {
  globalThis.bare = sources.map((source) => {
    const player = new Audio();
    player.preload = "auto";
    player.src = source;
    return player;
  });
  let turn = 0;
  addEventListener("keydown", () => {
    for (const player of globalThis.bare) player.pause();
    const player = globalThis.bare[turn % globalThis.bare.length];
    player.currentTime = 0;
    void player.play();
    turn += 1;
  });
}

/** Scrolls to the last row as fast as rows arrive; returns the frame times in ms and the row reached. */
export function scrollToEnd() {
  return new Promise((done) => {
    const frames = [];
    const began = performance.now();
    let last = began;
    let still = 0;
    let reached = 0;
    const step = () => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      const before = scrollY;
      scrollBy(0, 1200);
      const more = [...document.querySelectorAll("main button")].find(({ innerText }) => /^load/i.test(innerText));
      still = scrollY !== before || more ? 0 : still + 1;
      if (scrollY === before && more?.ariaDisabled !== "true") more?.click();
      for (const row of document.querySelectorAll("[aria-posinset]")) reached = Math.max(reached, Number(row.ariaPosInSet));
      if (still < 120 && now - began < 180_000) return requestAnimationFrame(step);
      return done({ frames: frames.slice(1), took: now - began, reached });
    };
    requestAnimationFrame(step);
  });
}
