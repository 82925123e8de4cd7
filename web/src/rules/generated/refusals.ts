// Written by scripts/generate from crates/rules: the titles of toasts about what was refused.

/** Of a demo, by the code of the refusal. */
export const DEMO_TITLES: Readonly<Record<string, string>> = {
  "missing_information": "Missing information",
  "invalid_file_type": "Invalid file type",
  "artist_name_too_long": "Invalid information",
  "artist_name_characters": "Invalid information",
  "message_too_long": "Invalid information",
  "message_characters": "Invalid information",
  "archive_locked": "Archive refused",
  "archive_empty": "Archive refused",
  "archive_broken": "Archive refused",
  "archive_too_large": "Archive refused",
  "archive_nested": "Archive refused",
  "archive_unsafe": "Archive refused",
  "file_too_large": "File too large",
};

/** Of a file of the media library, by the text of the refusal. */
export const MEDIA_TITLES: Readonly<Record<string, string>> = {
  "File contains suspicious content": "Security error",
  "File type or extension not allowed. Upload images (JPEG, PNG, GIF, WebP) or videos (MP4, WebM, OGG)": "Invalid file type",
  "Please upload files smaller than 50MB": "File too large",
};

/** Of an image of an artist, a release or a product, by the text of the refusal. */
export const IMAGE_TITLES: Readonly<Record<string, string>> = {
  "Please upload a JPEG, PNG, WebP, or GIF image": "Invalid file type",
  "Please upload an image smaller than 5MB": "File too large",
};

/** Of the home page's image, by the text of the refusal. */
export const HERO_TITLES: Readonly<Record<string, string>> = {
  "Please select an image file (JPG, PNG, etc.)": "Invalid file type",
  "Please select an image smaller than 10MB": "File too large",
};

/** What is said of a demo without a file, or with an empty field. */
export const DEMO_MISSING = { title: "Missing information", text: "Please fill in all required fields and select a demo file." };
