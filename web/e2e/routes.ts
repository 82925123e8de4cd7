/** Every route of the product that can be opened without an account, with a word its visitor finds there. */
export const ROUTES = [
  { path: "/", word: /404/ },
  { path: "/releases", word: /RELEASES/i },
  { path: "/artists", word: /ARTISTS/i },
  { path: "/store", word: /COMING SOON/ },
  { path: "/terminal", word: /TERMINAL/i },
  { path: "/contact", word: /CONTACT US/ },
  { path: "/privacy-policy", word: /PRIVACY POLICY/ },
  { path: "/profile", word: /./ },
  { path: "/signup", word: /SIGN ?UP/i },
  { path: "/auth/callback", word: /./ },
  { path: "/auth/welcome", word: /welcome/i },
  { path: "/auth/signup-success", word: /check your/i },
  { path: "/admin/login", word: /Admin Login/ },
  { path: "/admin", word: /./ },
  { path: "/admin/demos", word: /./ },
] as const;

/** Decision: these stand outside the site's navigation and footer. */
export const WITHOUT_LAYOUT: readonly string[] = ["/admin", "/admin/demos", "/admin/login"];

/** Widths between and below those of the pictures: the smallest that must do, and a tablet. */
export const OTHER_WIDTHS = [320, 768] as const;

/** A phone and a desk. */
export const WIDTHS = [360, 1440] as const;

/** The tabs of the dashboard. */
export const TABS = [
  "content",
  "artists",
  "releases",
  "store",
  "media",
  "newsletter",
  "analytics",
  "terminal",
  "security",
] as const;
