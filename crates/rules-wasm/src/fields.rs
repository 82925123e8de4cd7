//! Field and form rules.
//!
//! A rule with a value returns `Checked<T>`: the cleaned value or the problems. Other rules return a `Problem` or `null`.

use rules::artist::ArtistForm;
use rules::contact::ContactForm;
use rules::demo::DemoForm;
use rules::letter_template::{LetterForm, LetterValues};
use rules::letters::LetterDraft;
use rules::login::{AdminLoginForm, LoginForm};
use rules::newsletter::Subscription;
use rules::password::PasswordChangeForm;
use rules::product::ProductForm;
use rules::release::ReleaseForm;
use rules::signup::{SignupDialogForm, SignupForm};
use rules::upload::FileInfo;
use rules::{
    archive, artist, avatar, codes, contact, content_value, demo, demo_desk, email, email_change, forgot,
    hero, image, letter_template, letters, login, mark, media, newsletter, password, product, release,
    signup, terminal, url, username,
};
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answers::{
    CheckedAccount, CheckedAdminLogin, CheckedArtist, CheckedContact, CheckedDemo, CheckedEmail,
    CheckedLetter, CheckedLetterDraft, CheckedLogin, CheckedPasswordChange, CheckedProduct,
    CheckedRecoveryCode, CheckedRelease, CheckedText, CheckedUsername, MaybeProblem, MaybeText,
};
use crate::boundary::{from_js, judged, of_field, to_js};

/// Checks of forms: `#[doc = "…"] checkLogin: login::check_login(LoginForm) -> CheckedLogin;`.
///
/// A `///` would arrive as a raw string, whose `r"` wasm-bindgen takes for text.
macro_rules! forms {
    ($($(#[$meta:meta])* $js:ident: $module:ident::$check:ident($Form:ident) -> $Answer:ident;)+) => {$(
        $(#[$meta])*
        #[wasm_bindgen(js_name = $js)]
        pub fn $check(form: Ts<$Form>) -> Ts<$Answer> {
            to_js($module::$check(from_js(form)))
        }
    )+};
}

/// Checks of chosen files: `#[doc = "…"] checkMedia: media::check_media;`.
macro_rules! files {
    ($($(#[$meta:meta])* $js:ident: $module:ident::$check:ident;)+) => {$(
        $(#[$meta])*
        #[wasm_bindgen(js_name = $js)]
        pub fn $check(file: Ts<FileInfo>) -> Ts<MaybeProblem> {
            judged("file", $module::$check(&from_js(file)))
        }
    )+};
}

forms! {
    #[doc = "Checks the LOGIN tab of the dialog."]
    checkLogin: login::check_login(LoginForm) -> CheckedLogin;
    #[doc = "Checks the form of `/admin/login`."]
    checkAdminLogin: login::check_admin_login(AdminLoginForm) -> CheckedAdminLogin;
    #[doc = "Checks the SIGN UP tab of the dialog."]
    checkSignupDialog: signup::check_signup_dialog(SignupDialogForm) -> CheckedAccount;
    #[doc = "Checks the page `/signup`."]
    checkSignup: signup::check_signup(SignupForm) -> CheckedAccount;
    #[doc = "Checks the contact form."]
    checkContact: contact::check_contact(ContactForm) -> CheckedContact;
    #[doc = "Checks the demo dialog; the file is given as `FileInfo`, not as a `File`."]
    checkDemo: demo::check_demo(DemoForm) -> CheckedDemo;
    #[doc = "Checks the artist form of the dashboard."]
    checkArtist: artist::check_artist(ArtistForm) -> CheckedArtist;
    #[doc = "Checks the release form of the dashboard."]
    checkRelease: release::check_release(ReleaseForm) -> CheckedRelease;
    #[doc = "Checks the product form of the dashboard, with price and stock as typed."]
    checkProduct: product::check_product(ProductForm) -> CheckedProduct;
}

/// Adds `https://` to a typed URL that begins like a host name.
#[wasm_bindgen(js_name = completeUrl)]
pub fn complete_url(input: &str) -> String {
    url::complete_url(input)
}

/// The price a typed text will be saved as.
#[wasm_bindgen(js_name = priceLabel)]
pub fn price_label(input: &str) -> Ts<CheckedText> {
    of_field("price", product::price_label(input))
}

/// The stock a typed text will be saved as.
#[wasm_bindgen(js_name = stockLabel)]
pub fn stock_label(input: &str) -> Ts<CheckedText> {
    of_field("stock_quantity", product::stock_label(input))
}

/// Checks the form of a password change.
#[wasm_bindgen(js_name = checkPasswordChange)]
pub fn check_password_change(form: Ts<PasswordChangeForm>) -> Ts<CheckedPasswordChange> {
    to_js(password::check_password_change(from_js(form)))
}

/// Checks a username on the profile.
#[wasm_bindgen(js_name = checkUsername)]
pub fn check_username(input: &str) -> Ts<CheckedUsername> {
    of_field("username", username::Username::parse(input))
}

/// Checks an e-mail address; the value is trimmed and in lower case.
#[wasm_bindgen(js_name = checkEmail)]
pub fn check_email(input: &str) -> Ts<CheckedEmail> {
    of_field("email", email::Email::parse(input))
}

/// An address as shown to people who may not own it; `null` if it is not an address.
#[wasm_bindgen(js_name = maskedEmail)]
pub fn masked_email(input: &str) -> Ts<MaybeText> {
    to_js(email::masked(input))
}

/// Checks an account's new address.
#[wasm_bindgen(js_name = checkEmailChange)]
pub fn check_email_change(input: &str, current: &str) -> Ts<CheckedEmail> {
    of_field("email", email_change::check_email_change(input, current))
}

/// Checks the login dialog's identifier as the address for a reset link.
#[wasm_bindgen(js_name = checkForgot)]
pub fn check_forgot(identifier: &str) -> Ts<CheckedEmail> {
    of_field("identifier", forgot::check_forgot(identifier))
}

/// Action for the newsletter field.
#[wasm_bindgen(js_name = readSubscription)]
pub fn read_subscription(input: &str) -> Ts<Subscription> {
    to_js(newsletter::read_subscription(input))
}

/// Checks an authenticator code, ignoring white space.
#[wasm_bindgen(js_name = totpCode)]
pub fn totp_code(input: &str) -> Ts<CheckedText> {
    of_field("code", codes::totp_code(input))
}

/// Filters the input of the authenticator field.
#[wasm_bindgen(js_name = totpInput)]
pub fn totp_input(input: &str) -> String {
    codes::totp_input(input)
}

/// Checks a mailed or offline recovery code.
#[wasm_bindgen(js_name = recoveryCode)]
pub fn recovery_code(input: &str) -> Ts<CheckedRecoveryCode> {
    of_field("code", codes::recovery_code(input))
}

/// Checks a terminal message; the value is trimmed.
#[wasm_bindgen(js_name = checkTerminalMessage)]
pub fn check_terminal_message(input: &str) -> Ts<CheckedText> {
    of_field("message", terminal::check_terminal_message(input))
}

/// Whether Enter sends the message.
#[wasm_bindgen(js_name = canSubmit)]
pub fn can_submit(input: &str, pending: bool) -> bool {
    terminal::can_submit(input, pending)
}

/// Checks the editable text of a key, which is stored as typed.
#[wasm_bindgen(js_name = checkContentText)]
pub fn check_content_text(key: &str, value: &str) -> Ts<MaybeProblem> {
    judged("value", content_value::check_content_text(key, value))
}

/// Checks the typed days of the desk's settings.
#[wasm_bindgen(js_name = checkOverdueDays)]
pub fn check_overdue_days(typed: &str) -> Ts<MaybeProblem> {
    judged("overdue_days", demo_desk::check_overdue_days(typed))
}

forms! {
    #[doc = "Checks a template of the demo letters."]
    checkLetterTemplate: letter_template::check_letter_template(LetterForm) -> CheckedLetter;
    #[doc = "Checks an answer to a demo."]
    checkLetter: letter_template::check_letter(LetterForm) -> CheckedLetter;
}

/// Fills in a template.
#[wasm_bindgen(js_name = fillLetter)]
pub fn fill_letter(template: Ts<LetterForm>, values: Ts<LetterValues>) -> Ts<LetterForm> {
    to_js(letter_template::fill_letter(&from_js(template), &from_js(values)))
}

/// Checks a letter to the subscribers.
#[wasm_bindgen(js_name = checkLetterDraft)]
pub fn check_letter_draft(draft: Ts<LetterDraft>) -> Ts<CheckedLetterDraft> {
    to_js(letters::check_letter_draft(from_js(draft)))
}

files! {
    #[doc = "Checks a file for the media library."]
    checkMedia: media::check_media;
    #[doc = "Checks a background image of the home page."]
    checkHero: hero::check_hero;
    #[doc = "Checks a mark of the label."]
    checkMark: mark::check_mark;
    #[doc = "Checks an avatar."]
    checkAvatar: avatar::check_avatar;
    #[doc = "Checks an image of an artist, release or product."]
    checkImage: image::check_image;
    #[doc = "Checks a demo's file when it is chosen."]
    checkDemoFile: demo::check_demo_file;
}

/// Checks the end of a demo's file before the upload: its last `DEMO_END_BYTES`, or all of it.
#[wasm_bindgen(js_name = checkDemoEnd)]
pub fn check_demo_end(name: &str, end: &[u8]) -> Ts<MaybeProblem> {
    judged("file", archive::check_demo_end(name, end))
}
