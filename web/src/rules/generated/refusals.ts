// Written by scripts/generate from crates/rules: toast titles of refusals.

/** Titles for a demo by the refusal's code. */
export const DEMO_TITLES: Readonly<Record<string, string>> = {
  "missing_information": "Missing information",
  "invalid_file_type": "Invalid file type",
  "file_empty": "Empty file",
  "artist_name_too_long": "Invalid information",
  "artist_name_characters": "Invalid information",
  "message_too_long": "Invalid information",
  "message_characters": "Invalid information",
  "archive_locked": "Archive refused",
  "archive_empty": "Archive refused",
  "archive_no_track": "Archive refused",
  "archive_broken": "Archive refused",
  "archive_too_large": "Archive refused",
  "archive_nested": "Archive refused",
  "archive_unsafe": "Archive refused",
  "file_too_large": "File too large",
};

/** Titles for a file uploaded in the dashboard by the refusal's code. */
export const UPLOAD_TITLES: Readonly<Record<string, string>> = {
  "file_too_large": "File too large",
  "invalid_file_type": "Invalid file type",
  "mark_broken": "Mark not accepted",
  "mark_effects": "Mark not accepted",
  "mark_empty": "Mark not accepted",
  "mark_entities": "Mark not accepted",
  "mark_proportions": "Mark not accepted",
  "mark_text": "Mark not accepted",
  "mark_too_complex": "Mark not accepted",
  "picture_gone": "Picture gone",
  "picture_too_large": "Picture too large",
  "suspicious_name": "Security error",
};

/** Shown for a demo without a file, or with an empty field. */
export const DEMO_MISSING = { title: "Missing information", text: "Please fill in all required fields and select a demo file." };
