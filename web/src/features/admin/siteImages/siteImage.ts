// A picture of the site itself, as the server tells it.
import type { Schemas } from "../editing/kind.ts";

export type SiteImage = Schemas["EditableImage"];

export const IMAGES_PATH = "/api/admin/site-images";

/** The home page's background. */
export const HERO_KEY = "hero_background";
