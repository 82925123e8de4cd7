//! State machines and display formats.

use rules::analytics::{SignupCounters, SignupEvent};
use rules::callback::Callback;
use rules::cooldown::SignupError;
use rules::login_lock::LoginLock;
use rules::signup_attempts::SignupAttempts;
use rules::{
    analytics, callback, content, cooldown, demo_name, demo_state, format, login_lock, messages, mfa,
    reconnect, resend, session, terminal_cache,
};
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answers::{MaybeText, Moments, SignupEvents, TerminalCache};
use crate::boundary::{from_js, to_js};

/// The refused sign-ins to keep after another one.
#[wasm_bindgen(js_name = loginLockAfterFailure)]
pub fn login_lock_after_failure(failed_at_ms: Ts<Moments>, now_ms: f64) -> Ts<Moments> {
    to_js(login_lock::after_failure(&from_js(failed_at_ms).0, now_ms))
}

/// State of the admin login's lock.
#[wasm_bindgen(js_name = loginLock)]
pub fn login_lock(failed_at_ms: Ts<Moments>, now_ms: f64) -> Ts<LoginLock> {
    to_js(login_lock::login_lock(&from_js(failed_at_ms).0, now_ms))
}

/// The count of sign-ups after another attempt.
#[wasm_bindgen(js_name = signupAttemptsAfterSubmit)]
pub fn signup_attempts_after_submit(
    attempts: u32,
    last_attempt_ms: Option<f64>,
    now_ms: f64,
) -> Ts<SignupAttempts> {
    to_js(SignupAttempts { attempts, last_attempt_ms }.after_submit(now_ms))
}

/// Whether the next sign-up is blocked.
#[wasm_bindgen(js_name = signupIsBlocked)]
pub fn signup_is_blocked(attempts: u32, last_attempt_ms: Option<f64>, now_ms: f64) -> bool {
    SignupAttempts { attempts, last_attempt_ms }.is_blocked(now_ms)
}

/// Text and wait after a failed sign-up.
#[wasm_bindgen(js_name = signupError)]
pub fn signup_error(status: Option<u32>, message: &str, retry_after_seconds: Option<f64>) -> Ts<SignupError> {
    to_js(cooldown::signup_error(status, message, retry_after_seconds))
}

/// Seconds until a time, rounded up.
#[wasm_bindgen(js_name = remainingSeconds)]
pub fn remaining_seconds(until_ms: Option<f64>, now_ms: f64) -> u32 {
    cooldown::remaining_seconds(until_ms, now_ms)
}

/// Seconds until the confirmation mail can be resent.
#[wasm_bindgen(js_name = resendWaitSeconds)]
pub fn resend_wait_seconds(used_at_ms: Option<f64>, now_ms: f64) -> u32 {
    resend::resend_wait_seconds(used_at_ms, now_ms)
}

/// Whether a resend counts as done.
#[wasm_bindgen(js_name = resendSucceeded)]
pub fn resend_succeeded(accepted: bool, message: &str) -> bool {
    resend::resend_succeeded(accepted, message)
}

/// Initial state of the confirmation page for its address.
#[wasm_bindgen(js_name = callback)]
pub fn callback(fragment: &str, query: &str, has_session: bool) -> Ts<Callback> {
    to_js(callback::callback(fragment, query, has_session))
}

/// The text for a code of the second factor's service.
#[wasm_bindgen(js_name = mfaText)]
pub fn mfa_text(code: &str, message: Option<String>) -> String {
    mfa::text(code, message.as_deref())
}

/// Whether a failed call of the second factor is retried.
#[wasm_bindgen(js_name = mfaShouldRetry)]
pub fn mfa_should_retry(code: Option<String>, retries: u32) -> bool {
    mfa::should_retry(code.as_deref(), retries)
}

/// Whether the session is renewed now.
#[wasm_bindgen(js_name = sessionShouldRenew)]
pub fn session_should_renew(expires_at_ms: f64, now_ms: f64) -> bool {
    session::should_renew(expires_at_ms, now_ms)
}

/// Delay before the live connection is reopened, in milliseconds.
#[wasm_bindgen(js_name = reconnectDelayMs)]
pub fn reconnect_delay_ms(failures: u32) -> u32 {
    reconnect::delay_ms(failures)
}

/// The domain kept of an address in a sign-up event.
#[wasm_bindgen(js_name = emailDomain)]
pub fn email_domain(email: &str) -> Ts<MaybeText> {
    to_js(analytics::email_domain(email))
}

/// Adds a sign-up event.
#[wasm_bindgen(js_name = recordSignupEvent)]
pub fn record_signup_event(events: Ts<SignupEvents>, event: Ts<SignupEvent>) -> Ts<SignupEvents> {
    to_js(analytics::record(from_js(events).0, from_js(event)))
}

/// Counts the sign-up events.
#[wasm_bindgen(js_name = signupCounters)]
pub fn signup_counters(events: Ts<SignupEvents>, now_ms: f64) -> Ts<SignupCounters> {
    to_js(analytics::counters(&from_js(events).0, now_ms))
}

/// The terminal's cached answer, tagged.
#[wasm_bindgen(js_name = terminalCacheFind)]
pub fn terminal_cache_find(entries: Ts<TerminalCache>, question: &str) -> Ts<MaybeText> {
    to_js(terminal_cache::find(&from_js(entries).0, question))
}

/// Adds an answer to the terminal's cache.
#[wasm_bindgen(js_name = terminalCacheRemember)]
pub fn terminal_cache_remember(
    entries: Ts<TerminalCache>,
    question: &str,
    response: &str,
    now_ms: f64,
) -> Ts<TerminalCache> {
    to_js(terminal_cache::remember(from_js(entries).0, question, response, now_ms))
}

/// Formats a file size with its unit.
#[wasm_bindgen(js_name = sizeLabel)]
pub fn size_label(size_bytes: Option<f64>) -> String {
    format::size_label(size_bytes)
}

/// Formats a release date as `YYYY.MM.DD`.
#[wasm_bindgen(js_name = dateLabel)]
pub fn date_label(release_date: Option<String>) -> String {
    format::date_label(release_date.as_deref())
}

/// The first 150 characters of a text.
#[wasm_bindgen(js_name = preview)]
pub fn preview(text: &str) -> String {
    format::preview(text)
}

/// The artist in a demo's file name.
#[wasm_bindgen(js_name = demoArtistLabel)]
pub fn demo_artist_label(file_name: &str) -> String {
    demo_name::artist_label(file_name)
}

/// The demo dialog's text about the waiting time.
#[wasm_bindgen(js_name = demoPromiseText)]
pub fn demo_promise_text(days: u32) -> String {
    demo_state::promise_text(days)
}

/// Title of a text's card.
#[wasm_bindgen(js_name = contentCardTitle)]
pub fn content_card_title(key: &str) -> String {
    content::card_title(key)
}

/// Rows of a text's input.
#[wasm_bindgen(js_name = contentCardRows)]
pub fn content_card_rows(key: &str) -> u32 {
    content::card_rows(key)
}

/// Toast code of an unsuccessful terminal answer.
#[wasm_bindgen(js_name = terminalCode)]
pub fn terminal_code(status: Option<u32>) -> String {
    messages::terminal_code(status).as_str().to_owned()
}
