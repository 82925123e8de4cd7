// A picture of the site itself, as the server tells it.
import { call, type Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import type { RemovableRows } from "../lists/rowsCalls.ts";

export type SiteImage = Schemas["EditableImage"];

export const IMAGES_PATH = "/api/admin/site-images";

export const imagesQuery = readQuery(IMAGES_PATH, {});

export const imageCalls: RemovableRows = {
  path: IMAGES_PATH,
  remove: (image) =>
    call("DELETE", "/api/admin/site-images/{image}", { params: { path: { image } } }),
  trash: "site_image",
};

/** The home page's background. */
export const HERO_KEY = "hero_background";
