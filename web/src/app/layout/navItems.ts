export const NAV_ITEMS = [
  { to: "/", name: "HOME" },
  { to: "/releases", name: "RELEASES" },
  { to: "/artists", name: "ARTISTS" },
  { to: "/store", name: "STORE" },
  { to: "/terminal", name: "TERMINAL" },
] as const;
