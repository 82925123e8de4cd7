//! The browser asks the rules. Where it cannot, because a page paints before they are there or because their module has no room
//! for one more number (decision 0008), it repeats one; here each is held to its rule.

#![expect(clippy::expect_used, reason = "a source that cannot be read fails the run")]

use std::{fs, path::Path};

use rules::{
    avatar, browser, callback, codes, demo, embed, hero, image, listing, maintenance, media, messages, mfa,
    password, session, upload::MEGABYTE,
};

/// A source of the web app, each run of white space as one blank.
fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src").join(file);
    let text = fs::read_to_string(path).expect("a source of the web app");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A whole number as TypeScript writes it: `30_000`.
fn written(number: impl Into<f64>) -> String {
    let digits = number.into().to_string();
    match digits.len() {
        4.. => format!("{}_{}", &digits[..digits.len() - 3], &digits[digits.len() - 3..]),
        _ => digits,
    }
}

fn text(code: &str) -> String {
    messages::message(code).and_then(|message| message.text).expect("a message with a text")
}

#[test]
fn repeated_numbers_are_the_rules_own() {
    let repeated = [
        ("session/keeper.ts", format!("TICK_MS = {};", written(session::TICK_MS))),
        ("session/mfaCalls.ts", format!("RETRY_MS = {};", written(mfa::RETRY_MS))),
        ("session/screens/TwoFactorScreen.tsx", format!("SUCCESS_MS = {};", written(mfa::SUCCESS_MS))),
        ("session/screens/RecoveryForm.tsx", format!("RESEND_MS = {};", written(mfa::RECOVERY_RESEND_MS))),
        (
            "features/accounts/callback/Confirmation.tsx",
            format!("REDIRECT_MS = {};", written(callback::REDIRECT_MS)),
        ),
        (
            "features/accounts/callback/Confirmation.tsx",
            format!("LONGEST_ERROR = {};", callback::LONGEST_ERROR),
        ),
        ("rules/rules.ts", format!("PATIENCE_MS = {};", written(browser::RULES_WAIT_MS))),
        ("rules/rules.ts", format!("GIVE_UP_MS = {};", written(browser::RULES_LOAD_MS))),
        ("rules/rules.ts", format!("PAUSE_MS = {};", written(browser::RULES_PAUSE_MS))),
        ("ui/toasts/ToastRegion.tsx", format!("ERROR_MS = {};", written(browser::TOAST_ERROR_MS))),
        ("ui/toasts/ToastRegion.tsx", format!("SUCCESS_MS = {};", written(browser::TOAST_DONE_MS))),
        ("features/accounts/signup/useInbox.ts", format!("LOOK_MS = {};", written(browser::SIGN_UP_LOOK_MS))),
        ("api/useIsLate.ts", format!("PATIENCE_MS = {};", written(maintenance::WAIT_MS))),
        ("features/catalogue/Player.tsx", format!("FRAME_HEIGHT = {};", written(embed::PLAYER_HEIGHT))),
        ("features/catalogue/queries.ts", format!("PAGE_LIMIT = {};", written(listing::PAGE))),
        ("ui/Picture.tsx", format!("SMALL_WIDTH = {};", written(image::SMALL_WIDTH))),
    ];
    for (file, line) in repeated {
        assert!(source(file).contains(&line), "web/src/{file}: {line}");
    }
}

#[test]
fn repeated_words_are_the_rules_own() {
    let repeated = [
        ("app/NotFoundPage.tsx", text("page_not_found")),
        ("app/RouteError.tsx", text("admin_login_unexpected")),
        ("features/catalogue/ArtistPage.tsx", text("artist_not_found")),
        ("features/content/MaintenanceScreen.tsx", text("maintenance")),
        ("features/content/PrivacyPolicyPage.tsx", text("privacy_policy_failed")),
    ];
    for (file, words) in repeated {
        assert!(source(file).contains(&words), "web/src/{file}: {words}");
    }
}

#[test]
fn hints_name_the_limits_that_are_judged_by() {
    let mb = |bytes: u64| bytes / MEGABYTE;
    let hints = [
        (
            "features/accounts/signup/SignupForm.tsx",
            format!("Minimum {} characters required", password::SIGNUP_MIN),
        ),
        (
            "features/accounts/profile/AvatarSection.tsx",
            format!("at most {} MB.", mb(avatar::AVATAR_MAX_BYTES)),
        ),
        ("features/demos/DropZone.tsx", format!("At most {}\\u00a0MB.", mb(demo::DEMO_MAX_BYTES))),
        ("features/admin/editing/ImageField.tsx", format!("up to {} MB.", mb(image::IMAGE_MAX_BYTES))),
        ("features/admin/media/HeroUpload.tsx", format!("up to {} MB.", mb(hero::HERO_MAX_BYTES))),
        ("features/admin/media/UploadBox.tsx", format!("up to {} MB each.", mb(media::MEDIA_MAX_BYTES))),
        ("session/screens/RecoveryForm.tsx", format!("{} digits from the mail", codes::RECOVERY_DIGITS)),
    ];
    for (file, hint) in hints {
        assert!(source(file).contains(&hint), "web/src/{file}: {hint}");
    }
}
