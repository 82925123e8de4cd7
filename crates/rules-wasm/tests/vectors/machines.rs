//! Calls state machines and formats by name.

use rules_wasm::machines as m;
use wasm_bindgen::JsValue;

use crate::Args;

/// The result of a function in this module; `None` for another name.
pub(crate) fn call(function: &str, a: &Args) -> Option<JsValue> {
    Some(match function {
        "login_lock_after_failure" => m::login_lock_after_failure(a.object(0), a.number(1)).into(),
        "login_lock" => m::login_lock(a.object(0), a.number(1)).into(),
        "signup_attempts_after_submit" => {
            m::signup_attempts_after_submit(a.whole(0), a.maybe_number(1), a.number(2)).into()
        }
        "signup_is_blocked" => m::signup_is_blocked(a.whole(0), a.maybe_number(1), a.number(2)).into(),
        "signup_error" => m::signup_error(a.maybe_whole(0), a.text(1), a.maybe_number(2)).into(),
        "remaining_seconds" => m::remaining_seconds(a.maybe_number(0), a.number(1)).into(),
        "resend_wait_seconds" => m::resend_wait_seconds(a.maybe_number(0), a.number(1)).into(),
        "resend_succeeded" => m::resend_succeeded(a.flag(0), a.text(1)).into(),
        "callback" => m::callback(a.text(0), a.text(1), a.flag(2)).into(),
        "mfa_text" => m::mfa_text(a.text(0), a.maybe_text(1)).into(),
        "mfa_should_retry" => m::mfa_should_retry(a.maybe_text(0), a.whole(1)).into(),
        "session_should_renew" => m::session_should_renew(a.number(0), a.number(1)).into(),
        "reconnect_delay_ms" => m::reconnect_delay_ms(a.whole(0)).into(),
        "email_domain" => m::email_domain(a.text(0)).into(),
        "record_signup_event" => m::record_signup_event(a.object(0), a.object(1)).into(),
        "signup_counters" => m::signup_counters(a.object(0), a.number(1)).into(),
        "terminal_cache_find" => m::terminal_cache_find(a.object(0), a.text(1)).into(),
        "terminal_cache_remember" => {
            m::terminal_cache_remember(a.object(0), a.text(1), a.text(2), a.number(3)).into()
        }
        "size_label" => m::size_label(a.maybe_number(0)).into(),
        "date_label" => m::date_label(a.maybe_text(0)).into(),
        "preview" => m::preview(a.text(0)).into(),
        "demo_artist_label" => m::demo_artist_label(a.text(0)).into(),
        "demo_promise_text" => m::demo_promise_text(a.whole(0)).into(),
        "content_card_title" => m::content_card_title(a.text(0)).into(),
        "content_card_rows" => m::content_card_rows(a.text(0)).into(),
        "terminal_code" => m::terminal_code(a.maybe_whole(0)).into(),
        _ => return None,
    })
}
