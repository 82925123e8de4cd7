/** Every route of the product, with a word found there by a visitor or, where it is for people who are signed in, an admin. */
export const ROUTES = [
  { path: "/", word: /404/ },
  { path: "/releases", word: /RELEASES/i },
  { path: "/artists", word: /ARTISTS/i },
  { path: "/store", word: /COMING SOON/ },
  { path: "/terminal", word: /TERMINAL/i },
  { path: "/contact", word: /CONTACT US/ },
  { path: "/privacy-policy", word: /PRIVACY POLICY/ },
  { path: "/profile", word: /PROFILE/ },
  { path: "/signup", word: /SIGN ?UP/i },
  { path: "/auth/callback", word: /Invalid confirmation link/ },
  { path: "/auth/welcome", word: /welcome/i },
  { path: "/auth/signup-success", word: /check your/i },
  { path: "/admin/login", word: /Admin Login/ },
  { path: "/admin", word: /Admin Dashboard/ },
  { path: "/admin/demos", word: /Demo Desk/ },
] as const;

const isForMembers = ({ path }: (typeof ROUTES)[number]) =>
  /^\/(profile|admin|admin\/demos)$/.test(path);

/** Routes that lead a visitor to others. */
export const MEMBERS_ROUTES = ROUTES.filter(isForMembers);

export const PUBLIC_ROUTES = ROUTES.filter((route) => !isForMembers(route));

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
