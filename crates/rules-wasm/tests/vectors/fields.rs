//! Calls fields and forms by name.

use rules_wasm::fields as f;
use wasm_bindgen::JsValue;

use crate::Args;

/// The result of a function in this module; `None` for another name.
pub(crate) fn call(function: &str, a: &Args) -> Option<JsValue> {
    Some(match function {
        "check_login" => f::check_login(a.object(0)).into(),
        "check_admin_login" => f::check_admin_login(a.object(0)).into(),
        "check_signup_dialog" => f::check_signup_dialog(a.object(0)).into(),
        "check_signup" => f::check_signup(a.object(0)).into(),
        "check_contact" => f::check_contact(a.object(0)).into(),
        "check_demo" => f::check_demo(a.object(0)).into(),
        "check_artist" => f::check_artist(a.object(0)).into(),
        "check_release" => f::check_release(a.object(0)).into(),
        "check_product" => f::check_product(a.object(0)).into(),
        "complete_url" => f::complete_url(a.text(0)).into(),
        "price_label" => f::price_label(a.text(0)).into(),
        "stock_label" => f::stock_label(a.text(0)).into(),
        "check_password_change" => f::check_password_change(a.object(0)).into(),
        "check_username" => f::check_username(a.text(0)).into(),
        "check_email" => f::check_email(a.text(0)).into(),
        "masked_email" => f::masked_email(a.text(0)).into(),
        "check_email_change" => f::check_email_change(a.text(0), a.text(1)).into(),
        "check_forgot" => f::check_forgot(a.text(0)).into(),
        "read_subscription" => f::read_subscription(a.text(0)).into(),
        "totp_code" => f::totp_code(a.text(0)).into(),
        "totp_input" => f::totp_input(a.text(0)).into(),
        "recovery_code" => f::recovery_code(a.text(0)).into(),
        "check_terminal_message" => f::check_terminal_message(a.text(0)).into(),
        "can_submit" => f::can_submit(a.text(0), a.flag(1)).into(),
        "check_content_text" => f::check_content_text(a.text(0), a.text(1)).into(),
        "check_overdue_days" => f::check_overdue_days(a.text(0)).into(),
        "check_letter_template" => f::check_letter_template(a.object(0)).into(),
        "check_letter" => f::check_letter(a.object(0)).into(),
        "check_letter_draft" => f::check_letter_draft(a.object(0)).into(),
        "fill_letter" => f::fill_letter(a.object(0), a.object(1)).into(),
        "check_media" => f::check_media(a.object(0)).into(),
        "check_mark" => f::check_mark(a.object(0)).into(),
        "check_hero" => f::check_hero(a.object(0)).into(),
        "check_avatar" => f::check_avatar(a.object(0)).into(),
        "check_image" => f::check_image(a.object(0)).into(),
        "check_demo_file" => f::check_demo_file(a.object(0)).into(),
        _ => return None,
    })
}
