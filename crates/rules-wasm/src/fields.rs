//! Fields and forms.
//!
//! A rule that yields a value answers `Checked<T>`: the cleaned value or the problems. A rule that only judges
//! answers a `Problem` or `null`.

use rules::artist::ArtistForm;
use rules::checked::{Problem, Refusal, check_field};
use rules::contact::ContactForm;
use rules::demo::DemoForm;
use rules::login::{AdminLoginForm, LoginForm};
use rules::newsletter::Subscription;
use rules::password::PasswordChangeForm;
use rules::product::ProductForm;
use rules::release::ReleaseForm;
use rules::signup::{SignupDialogForm, SignupForm};
use rules::upload::FileInfo;
use rules::{
    archive, artist, avatar, codes, contact, content_value, demo, email, email_change, forgot, hero, image,
    login, media, newsletter, password, product, release, signup, terminal, url, username,
};
use tsify::Ts;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::boundary::{checked, from_js, to_js, to_ts};

#[wasm_bindgen(typescript_custom_section)]
const CHECKED: &str = "
/** The outcome of a check: exactly one of the two is present. */
export type Checked<T> =
    | { value: T; problems?: undefined }
    | { value?: undefined; problems: Problem[] };
";

fn problem<E: Into<Refusal>>(field: &'static str, outcome: Result<(), E>) -> JsValue {
    to_js(&outcome.err().map(|refusal| Problem::new(field, refusal)))
}

/// The LOGIN tab of the dialog.
#[wasm_bindgen(js_name = checkLogin, unchecked_return_type = "Checked<Login>")]
pub fn check_login(form: Ts<LoginForm>) -> JsValue {
    checked(login::check_login(from_js(form)))
}

/// The form of `/admin/login`.
#[wasm_bindgen(js_name = checkAdminLogin, unchecked_return_type = "Checked<AdminLogin>")]
pub fn check_admin_login(form: Ts<AdminLoginForm>) -> JsValue {
    checked(login::check_admin_login(from_js(form)))
}

/// The SIGN UP tab of the dialog.
#[wasm_bindgen(js_name = checkSignupDialog, unchecked_return_type = "Checked<NewAccount>")]
pub fn check_signup_dialog(form: Ts<SignupDialogForm>) -> JsValue {
    checked(signup::check_signup_dialog(from_js(form)))
}

/// The page `/signup`.
#[wasm_bindgen(js_name = checkSignup, unchecked_return_type = "Checked<NewAccount>")]
pub fn check_signup(form: Ts<SignupForm>) -> JsValue {
    checked(signup::check_signup(from_js(form)))
}

/// The contact form.
#[wasm_bindgen(js_name = checkContact, unchecked_return_type = "Checked<ContactMessage>")]
pub fn check_contact(form: Ts<ContactForm>) -> JsValue {
    checked(contact::check_contact(from_js(form)))
}

/// The demo dialog; the file as `fileInfo` values, not as a `File`.
#[wasm_bindgen(js_name = checkDemo, unchecked_return_type = "Checked<Demo>")]
pub fn check_demo(form: Ts<DemoForm>) -> JsValue {
    checked(demo::check_demo(from_js(form)))
}

/// An artist in the admin area.
#[wasm_bindgen(js_name = checkArtist, unchecked_return_type = "Checked<ArtistForm>")]
pub fn check_artist(form: Ts<ArtistForm>) -> JsValue {
    checked(artist::check_artist(from_js(form)))
}

/// A release in the admin area.
#[wasm_bindgen(js_name = checkRelease, unchecked_return_type = "Checked<ReleaseForm>")]
pub fn check_release(form: Ts<ReleaseForm>) -> JsValue {
    checked(release::check_release(from_js(form)))
}

/// A product in the admin area; price and stock as typed.
#[wasm_bindgen(js_name = checkProduct, unchecked_return_type = "Checked<Product>")]
pub fn check_product(form: Ts<ProductForm>) -> JsValue {
    checked(product::check_product(from_js(form)))
}

/// An address as typed, with `https://` where it begins like the name of a website.
#[wasm_bindgen(js_name = completeUrl)]
pub fn complete_url(input: &str) -> String {
    url::complete_url(input)
}

/// What a typed price will be saved as.
#[wasm_bindgen(js_name = priceLabel, unchecked_return_type = "Checked<string>")]
pub fn price_label(input: &str) -> JsValue {
    checked(check_field("price", product::price_label(input)))
}

/// What a typed stock will be saved as.
#[wasm_bindgen(js_name = stockLabel, unchecked_return_type = "Checked<string>")]
pub fn stock_label(input: &str) -> JsValue {
    checked(check_field("stock_quantity", product::stock_label(input)))
}

/// The two fields of a password change.
#[wasm_bindgen(js_name = checkPasswordChange, unchecked_return_type = "Checked<PasswordChange>")]
pub fn check_password_change(form: Ts<PasswordChangeForm>) -> JsValue {
    checked(password::check_password_change(from_js(form)))
}

/// A username on the profile.
#[wasm_bindgen(js_name = checkUsername, unchecked_return_type = "Checked<string>")]
pub fn check_username(input: &str) -> JsValue {
    checked(check_field("username", username::Username::parse(input)))
}

/// An e-mail address, trimmed and in lower case.
#[wasm_bindgen(js_name = checkEmail, unchecked_return_type = "Checked<string>")]
pub fn check_email(input: &str) -> JsValue {
    checked(check_field("email", email::Email::parse(input)))
}

/// An address as it is shown to whoever may not be its owner; nothing for what is none.
#[wasm_bindgen(js_name = maskedEmail, unchecked_return_type = "string | null")]
pub fn masked_email(input: &str) -> JsValue {
    to_js(&email::masked(input))
}

/// The new address of the own account.
#[wasm_bindgen(js_name = checkEmailChange, unchecked_return_type = "Checked<string>")]
pub fn check_email_change(input: &str, current: &str) -> JsValue {
    checked(check_field("email", email_change::check_email_change(input, current)))
}

/// The address to send a reset link to, from the login dialog's identifier field.
#[wasm_bindgen(js_name = checkForgot, unchecked_return_type = "Checked<string>")]
pub fn check_forgot(identifier: &str) -> JsValue {
    checked(check_field("identifier", forgot::check_forgot(identifier)))
}

/// What to do with the newsletter field.
#[wasm_bindgen(js_name = readSubscription)]
pub fn read_subscription(input: &str) -> Ts<Subscription> {
    to_ts(&newsletter::read_subscription(input))
}

/// An authenticator code; white space of a pasted one does not count.
#[wasm_bindgen(js_name = totpCode, unchecked_return_type = "Checked<string>")]
pub fn totp_code(input: &str) -> JsValue {
    checked(check_field("code", codes::totp_code(input)))
}

/// What the authenticator field holds after this input.
#[wasm_bindgen(js_name = totpInput)]
pub fn totp_input(input: &str) -> String {
    codes::totp_input(input)
}

/// A recovery code, mailed or kept offline.
#[wasm_bindgen(js_name = recoveryCode, unchecked_return_type = "Checked<RecoveryCode>")]
pub fn recovery_code(input: &str) -> JsValue {
    checked(check_field("code", codes::recovery_code(input)))
}

/// A message of the terminal, trimmed.
#[wasm_bindgen(js_name = checkTerminalMessage, unchecked_return_type = "Checked<string>")]
pub fn check_terminal_message(input: &str) -> JsValue {
    checked(check_field("message", terminal::check_terminal_message(input)))
}

/// Whether Enter sends anything.
#[wasm_bindgen(js_name = canSubmit)]
pub fn can_submit(input: &str, pending: bool) -> bool {
    terminal::can_submit(input, pending)
}

/// A text of the site, stored as typed.
#[wasm_bindgen(js_name = checkContentValue, unchecked_return_type = "Problem | null")]
pub fn check_content_value(value: &str) -> JsValue {
    problem("value", content_value::check_content_value(value))
}

/// A file for the media library.
#[wasm_bindgen(js_name = checkMedia, unchecked_return_type = "Problem | null")]
pub fn check_media(file: Ts<FileInfo>) -> JsValue {
    problem("file", media::check_media(&from_js(file)))
}

/// An image for the home page.
#[wasm_bindgen(js_name = checkHero, unchecked_return_type = "Problem | null")]
pub fn check_hero(file: Ts<FileInfo>) -> JsValue {
    problem("file", hero::check_hero(&from_js(file)))
}

/// A person's picture.
#[wasm_bindgen(js_name = checkAvatar, unchecked_return_type = "Problem | null")]
pub fn check_avatar(file: Ts<FileInfo>) -> JsValue {
    problem("file", avatar::check_avatar(&from_js(file)))
}

/// An image of an artist, a release or a product.
#[wasm_bindgen(js_name = checkImage, unchecked_return_type = "Problem | null")]
pub fn check_image(file: Ts<FileInfo>) -> JsValue {
    problem("file", image::check_image(&from_js(file)))
}

/// A demo's file alone, as soon as it is chosen.
#[wasm_bindgen(js_name = checkDemoFile, unchecked_return_type = "Problem | null")]
pub fn check_demo_file(file: Ts<FileInfo>) -> JsValue {
    problem("file", demo::check_demo_file(&from_js(file)))
}

/// The end of a demo's file, before it travels: `archive::END_BYTES` of it, or all.
#[wasm_bindgen(js_name = checkDemoEnd, unchecked_return_type = "Problem | null")]
pub fn check_demo_end(name: &str, end: &[u8]) -> JsValue {
    problem("file", archive::check_demo_end(name, end))
}
