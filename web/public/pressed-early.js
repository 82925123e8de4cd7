// Remembers the key of a painted page that is pressed last before the app is here: the app presses it again (takeOver.tsx). A file
// of its own, since pages may run no script that stands in them.
window.pressedEarly = undefined;
addEventListener(
  "click",
  (event) => {
    window.pressedEarly = event.target.closest?.("button");
  },
  true,
);
