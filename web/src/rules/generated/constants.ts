// Written by scripts/generate from crates/rules: numbers, types and texts with single exports.

/** Wait for the rules before a page continues without them. */
export const RULES_WAIT_MS = 3000;

/** A load of the rules is abandoned after this. */
export const RULES_LOAD_MS = 60000;

/** Minimum pause after a failed load of the rules. */
export const RULES_PAUSE_MS = 10000;

/** Display time of an error toast. */
export const TOAST_ERROR_MS = 15000;

/** Errors within this span are shown together. */
export const TOAST_TOGETHER_MS = 1000;

/** Maximum number of error toasts shown together. */
export const TOAST_ERRORS_MAX = 3;

/** Display time of a success toast. */
export const TOAST_DONE_MS = 5000;

/** How long a page is visible before it counts as seen. */
export const SEEN_AFTER_MS = 1000;

/** Time within which a page that is opened again does not count again. */
export const SEEN_AGAIN_MS = 10000;

/** How long a release is heard before it counts as played. */
export const PLAYED_AFTER_MS = 10000;

/** How long a deleted demo can be restored. */
export const DEMO_TRASH_MS = 60000;

/** Interval between checks whether a sign-up is confirmed. */
export const SIGN_UP_LOOK_MS = 5000;

/** Interval between clock checks that detect a sleep of the machine. */
export const WAKE_CHECK_MS = 15000;

/** A longer gap between clock checks means the machine slept. */
export const SLEEP_MS = 120000;

/** The waits before the first, second, third and every later try to reach the server. */
export const RECONNECT_MS = [1000, 2000, 5000, 10000] as const;

/** Interval between checks whether the session must be renewed. */
export const SESSION_TICK_MS = 30000;

/** Maximum wait for the maintenance setting of a page. */
export const MAINTENANCE_WAIT_MS = 5000;

/** Delay before the single retry of a second-factor call. */
export const MFA_RETRY_MS = 1000;

/** Delay from the second factor's success to the next screen. */
export const MFA_SUCCESS_MS = 1000;

/** Delay before another recovery code can be requested. */
export const RECOVERY_RESEND_MS = 60000;

/** Delay between two lines of the terminal's boot sequence. */
export const BOOT_LINE_DELAY_MS = 800;

/** Delay from a confirmed address to the next page. */
export const CONFIRMED_REDIRECT_MS = 2000;

/** Leaving the newsletter can be undone for this long. */
export const COME_BACK_MS = 60000;

/** Display time of the welcome page. */
export const WELCOME_REDIRECT_MS = 5000;

/** Maximum length of an artist's bio in characters. */
export const BIO_MAX = 1000;

/** Maximum number of parts of a letter. */
export const LETTER_PARTS_MAX = 40;

/** Maximum number of tracks of a release, and of credits. */
export const RELEASE_ROWS_MAX = 200;

/** Minimum length of a password at sign-up in characters. */
export const SIGNUP_PASSWORD_MIN = 6;

/** Digits of a mailed recovery code. */
export const RECOVERY_DIGITS = 8;

/** Maximum length of a displayed error from a mailed link in characters. */
export const CALLBACK_ERROR_MAX = 200;

/** Maximum length of a note on a demo in characters. */
export const DESK_NOTE_MAX = 2000;

/** Maximum number of tags of a demo. */
export const DESK_TAGS_MAX = 20;

/** Maximum number of demos declined at once. */
export const DECLINED_MAX = 200;

/** A demo counts as heard after this much playback. */
export const HEARD_AFTER_MS = 20000;

/** The promise to senders is based on demos heard within this many days. */
export const PROMISE_WINDOW_DAYS = 90;

/** Days that deleted rows stay in the trash. */
export const TRASH_DAYS = 30;

/** Days that the audit log goes back. */
export const AUDIT_DAYS = 180;

/** Hours during which an import can be undone. */
export const IMPORT_UNDO_HOURS = 24;

/** Lifetime of a mailed recovery code in minutes. */
export const RECOVERY_MINUTES = 10;

/** Steps of a demo as shown to its sender. */
export const SENDER_STEPS = ["RECEIVED", "HEARD", "SHORTLISTED", "DECISION"] as const;

/** Rows on a page of a public list. */
export const LIST_PAGE = 50;

/** Maximum length of a list's search in characters. */
export const SEARCH_MAX = 200;

/** Maximum width of a picture's small version in pixels. */
export const SMALL_WIDTH = 640;

/** Height of a streaming service's player, in pixels. */
export const PLAYER_HEIGHT = 152;

/** Width and height of an avatar, in pixels. */
export const AVATAR_SIZE = 512;

/** JPEG quality of an avatar, 0 to 1. */
export const AVATAR_QUALITY = 0.8;

/** Bytes at the end of a demo that are checked before the upload. */
export const DEMO_END_BYTES = 262144;

/** Maximum size of a demo in MB. */
export const DEMO_MAX_MB = 70;

/** Maximum size of an image of an artist, release or product in MB. */
export const IMAGE_MAX_MB = 5;

/** Maximum size of the home page's image in MB. */
export const HERO_MAX_MB = 10;

/** Maximum size of an avatar in MB. */
export const AVATAR_MAX_MB = 2;

/** Maximum size of a media library file in MB. */
export const MEDIA_MAX_MB = 50;

/** `accept` of a demo. */
export const DEMO_ACCEPT = ".zip,.mp3,.wav,.flac,.m4a";

/** `accept` of an image of an artist, a release or a product. */
export const IMAGE_ACCEPT = ".jpg,.jpeg,.png,.webp,.gif";

/** `accept` of the home page's image. */
export const HERO_ACCEPT = ".jpg,.jpeg,.png,.webp,.gif,.avif";

/** `accept` of the label's mark. */
export const MARK_ACCEPT = ".svg,.png";

/** `accept` of an avatar. */
export const AVATAR_ACCEPT = ".jpg,.jpeg,.png,.webp";

/** `accept` of the media library. */
export const MEDIA_ACCEPT = ".jpg,.jpeg,.png,.gif,.webp,.mp4,.webm,.ogg,.ogv";

/** The types of an image of an artist, a release or a product. */
export const IMAGE_TYPES = "JPEG, PNG, WebP or GIF";

/** The types of the home page's image. */
export const HERO_TYPES = "JPEG, PNG, WebP, GIF or AVIF";

/** The types of an avatar. */
export const AVATAR_TYPES = "JPG, PNG or WebP";

/** The types of an image of the media library. */
export const MEDIA_IMAGE_TYPES = "JPEG, PNG, GIF, WebP";

/** The types of a video of the media library. */
export const MEDIA_VIDEO_TYPES = "MP4, WebM, OGG";

/** Shown at an unknown address. */
export const PAGE_NOT_FOUND = "Oops! Page not found";

/** Shown if a call about the session cannot be made. */
export const LOGIN_UNREACHABLE = "SYSTEM ERROR: Connection failed";

/** Added to it if a sign-out will be sent to the server later. */
export const SIGN_OUT_OWED = "You are signed out here. The server will be notified as soon as it can be reached.";

/** Shown when the session has ended. */
export const SESSION_ENDED = "Session expired. Please sign in again.";

/** Shown at the address of an unknown artist. */
export const ARTIST_NOT_FOUND = "ARTIST NOT FOUND";

/** Shown when a page crashed. */
export const UNEXPECTED_ERROR = "An unexpected error occurred. Please try again.";

/** Heading of the page that confirms a subscription. Kept in proofs of consent. */
export const CONFIRM_HEADING = "CONFIRM YOUR ADDRESS";

/** Its sentence. */
export const CONFIRM_SENTENCE = "We write to you when there is news: new records, and little else. Every letter says how to leave.";

/** Its button. */
export const CONFIRM_BUTTON = "YES, WRITE TO ME";

/** Shown instead of a page in maintenance. */
export const MAINTENANCE = "This page is currently down for maintenance. Check back soon.";

/** Shown if the privacy policy cannot be loaded. */
export const PRIVACY_POLICY_FAILED = "Error loading privacy policy. Please try again later.";

/** Shown if a sign-up gets no answer. */
export const SIGNUP_BUSY = "Email service temporarily busy. Please try again shortly.";

/** Shown for a sign-up in the dialog without a full name. */
export const FULL_NAME_REQUIRED = "Full name is required";

/** Shown for one without a username. */
export const USERNAME_TOO_SHORT = "Username must be at least 3 characters";

/** Code of the toast by the status of a terminal's answer; others have `terminal_failed`. */
export const TERMINAL_CODES = {
  401: "terminal_unauthorized",
  404: "terminal_not_found",
  429: "terminal_rate_limited",
  500: "terminal_internal",
} as const;
