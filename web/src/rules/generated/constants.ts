// Written by scripts/generate from crates/rules: the numbers, types and texts that pages need by name.

/** A page waits so long for the rules; after that it goes on without them. */
export const RULES_WAIT_MS = 3000;

/** A load of the rules that hangs is given up after this. */
export const RULES_LOAD_MS = 60000;

/** A load of the rules that failed is not repeated sooner. */
export const RULES_PAUSE_MS = 10000;

/** A toast about what failed stays so long. */
export const TOAST_ERROR_MS = 15000;

/** What failed within it is told together. */
export const TOAST_TOGETHER_MS = 1000;

/** Toasts about what failed that stand together. */
export const TOAST_ERRORS_MAX = 3;

/** A toast about what was done stays so long. */
export const TOAST_DONE_MS = 5000;

/** A deleted demo can be brought back for so long. */
export const DEMO_TRASH_MS = 60000;

/** From one look whether a sign-up is confirmed to the next. */
export const SIGN_UP_LOOK_MS = 5000;

/** From one look at the clock to the next, by which a sleep of the machine is noticed. */
export const WAKE_CHECK_MS = 15000;

/** So long without a look at the clock, and the machine slept. */
export const SLEEP_MS = 120000;

/** From a failure to the next try while the rules, which know the waits, are not loaded. */
export const RETRY_WITHOUT_RULES_MS = 3000;

/** From one look whether the session has to be renewed to the next. */
export const SESSION_TICK_MS = 30000;

/** A page waits so long for its maintenance flag. */
export const MAINTENANCE_WAIT_MS = 5000;

/** From a failed call of the second factor to its one repetition. */
export const MFA_RETRY_MS = 1000;

/** From the success of the second factor to the next screen. */
export const MFA_SUCCESS_MS = 1000;

/** From one mailed recovery code to the next. */
export const RECOVERY_RESEND_MS = 60000;

/** Between two lines of the terminal's boot sequence. */
export const BOOT_LINE_DELAY_MS = 800;

/** From a confirmed address to the next page. */
export const CONFIRMED_REDIRECT_MS = 2000;

/** How long the welcome page stays. */
export const WELCOME_REDIRECT_MS = 5000;

/** Characters of an artist's bio, at most. */
export const BIO_MAX = 1000;

/** Tracks of a release, and its credits, at most. */
export const RELEASE_ROWS_MAX = 200;

/** Characters of a password at sign-up, at least. */
export const SIGNUP_PASSWORD_MIN = 6;

/** Digits of a mailed recovery code. */
export const RECOVERY_DIGITS = 8;

/** Characters shown of an error in a mailed link's address, at most. */
export const CALLBACK_ERROR_MAX = 200;

/** Characters of a note on a demo, at most. */
export const DESK_NOTE_MAX = 2000;

/** Tags of a demo, at most. */
export const DESK_TAGS_MAX = 20;

/** Demos that are declined at once, at most. */
export const DECLINED_MAX = 200;

/** A demo counts as heard after so much of it. */
export const HEARD_AFTER_MS = 20000;

/** The promise to senders is made from what was heard in so many days. */
export const PROMISE_WINDOW_DAYS = 90;

/** What was deleted stays so many days in the trash. */
export const TRASH_DAYS = 30;

/** The audit log goes back so many days. */
export const AUDIT_DAYS = 180;

/** An import can be undone for so many hours. */
export const IMPORT_UNDO_HOURS = 24;

/** A mailed recovery code works so many minutes. */
export const RECOVERY_MINUTES = 10;

/** The steps of a demo, as its sender reads them. */
export const SENDER_STEPS = ["RECEIVED", "HEARD", "SHORTLISTED", "DECISION"] as const;

/** Rows of a public list that are read at once. */
export const LIST_PAGE = 50;

/** Characters that a list is searched for, at most. */
export const SEARCH_MAX = 200;

/** Width of the small version beside a picture, at most, in pixels. */
export const SMALL_WIDTH = 640;

/** Height of a streaming service's player, in pixels. */
export const PLAYER_HEIGHT = 152;

/** Width and height of an avatar, in pixels. */
export const AVATAR_SIZE = 512;

/** JPEG quality of an avatar, 0 to 1. */
export const AVATAR_QUALITY = 0.8;

/** Bytes of a demo's end to be looked at before it travels. */
export const DEMO_END_BYTES = 262144;

/** The largest demo, in MB. */
export const DEMO_MAX_MB = 70;

/** The largest image of an artist, a release or a product, in MB. */
export const IMAGE_MAX_MB = 5;

/** The largest image of the home page, in MB. */
export const HERO_MAX_MB = 10;

/** The largest avatar, in MB. */
export const AVATAR_MAX_MB = 2;

/** The largest file of the media library, in MB. */
export const MEDIA_MAX_MB = 50;

/** `accept` of a demo. */
export const DEMO_ACCEPT = ".zip,.mp3,.wav,.flac,.m4a";

/** `accept` of an image of an artist, a release or a product. */
export const IMAGE_ACCEPT = ".jpg,.jpeg,.png,.webp,.gif";

/** `accept` of the home page's image. */
export const HERO_ACCEPT = ".jpg,.jpeg,.png,.webp,.gif,.avif";

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

/** At an address that is none. */
export const PAGE_NOT_FOUND = "Oops! Page not found";

/** Where a call about the session cannot be made. */
export const LOGIN_UNREACHABLE = "SYSTEM ERROR: Connection failed";

/** Beside it, of a sign-out that the server is told of later. */
export const SIGN_OUT_OWED = "You are signed out here. The server will be notified as soon as it can be reached.";

/** Where the session has ended. */
export const SESSION_ENDED = "Session expired. Please sign in again.";

/** At the address of an artist who is not there. */
export const ARTIST_NOT_FOUND = "ARTIST NOT FOUND";

/** Where a page broke. */
export const UNEXPECTED_ERROR = "An unexpected error occurred. Please try again.";

/** In the place of a page that is down. */
export const MAINTENANCE = "This page is currently down for maintenance. Check back soon.";

/** In the place of a policy that could not be read. */
export const PRIVACY_POLICY_FAILED = "Error loading privacy policy. Please try again later.";
