//! Calls state machines and formats by the names of the JavaScript bindings.

use rules::auth_stage::AdminRecord;
use rules::checked::Problem;
use rules::release_details::{Credit, Track};
use rules::signup_attempts::SignupAttempts;
use rules::{
    analytics, auth_stage, backups, callback, catalog, catalog_number, content, cooldown, demo_desk,
    demo_name, demo_state, embed, format, import, letter_arrival, letter_sending, login_lock, mail_replies,
    maintenance, media_name, messages, mfa, newsletter_consent, publish, rate_limit, reconnect, resend,
    search, session, slug, sort_key, spreadsheet, subscriber_import, terminal_cache, terminal_question,
    track_list,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The result of a function in this module; `None` for another name.
pub(crate) fn call(function: &str, args: &[Value]) -> Option<Value> {
    exported(function, &Args(args))
        .or_else(|| native(function, &Args(args)))
        .or_else(|| newsletter(function, &Args(args)))
        .or_else(|| letters(function, &Args(args)))
        .or_else(|| of_backups(function, &Args(args)))
        .or_else(|| arrival(function, &Args(args)))
        .or_else(|| numbers(function, &Args(args)))
}

fn exported(function: &str, a: &Args) -> Option<Value> {
    Some(match function {
        "auth_stage" => {
            let admin = AdminRecord {
                active: a.flag(1),
                mfa_enabled: a.flag(2),
                mfa_verified_until_ms: a.maybe_number(3),
            };
            plain(auth_stage::auth_stage(a.flag(0), Some(admin), a.number(4)))
        }
        "login_lock_after_failure" => plain(login_lock::after_failure(&a.plain::<Vec<f64>>(0), a.number(1))),
        "login_lock" => plain(login_lock::login_lock(&a.plain::<Vec<f64>>(0), a.number(1))),
        "signup_attempts_after_submit" => plain(attempts(a).after_submit(a.number(2))),
        "signup_is_blocked" => plain(attempts(a).is_blocked(a.number(2))),
        "signup_error" => plain(cooldown::signup_error(a.plain(0), a.text(1), a.maybe_number(2))),
        "remaining_seconds" => plain(cooldown::remaining_seconds(a.maybe_number(0), a.number(1))),
        "resend_wait_seconds" => plain(resend::resend_wait_seconds(a.maybe_number(0), a.number(1))),
        "resend_succeeded" => plain(resend::resend_succeeded(a.flag(0), a.text(1))),
        "callback" => plain(callback::callback(a.text(0), a.text(1), a.flag(2))),
        "mfa_text" => plain(mfa::text(a.text(0), a.maybe_text(1))),
        "mfa_should_retry" => plain(mfa::should_retry(a.maybe_text(0), a.plain(1))),
        "session_should_renew" => plain(session::should_renew(a.number(0), a.number(1))),
        "reconnect_delay_ms" => plain(reconnect::delay_ms(a.plain(0))),
        "maintenance_view" => plain(maintenance::decide(a.plain(0), a.flag(1), a.flag(2), a.number(3))),
        "page_key_for_path" => plain(maintenance::page_key_for_path(a.text(0))),
        "email_domain" => plain(analytics::email_domain(a.text(0))),
        "record_signup_event" => plain(analytics::record(a.plain(0), a.plain(1))),
        "signup_counters" => plain(analytics::counters(&a.plain::<Vec<_>>(0), a.number(1))),
        "terminal_cache_find" => plain(terminal_cache::find(&a.plain::<Vec<_>>(0), a.text(1))),
        "terminal_cache_remember" => {
            plain(terminal_cache::remember(a.plain(0), a.text(1), a.text(2), a.number(3)))
        }
        "size_label" => plain(format::size_label(a.maybe_number(0))),
        "date_label" => plain(format::date_label(a.maybe_text(0))),
        "month_label" => plain(format::month_label(a.text(0))),
        "preview" => plain(format::preview(a.text(0))),
        "demo_artist_label" => plain(demo_name::artist_label(a.text(0))),
        "demo_promise_text" => plain(demo_state::promise_text(a.plain(0))),
        "content_card_title" => plain(content::card_title(a.text(0))),
        "content_card_rows" => plain(content::card_rows(a.text(0))),
        "terminal_code" => plain(messages::terminal_code(a.plain(0)).as_str()),
        _ => return None,
    })
}

/// Functions used by the server only.
fn native(function: &str, a: &Args) -> Option<Value> {
    Some(match function {
        "terminal_question" => plain(terminal_question::understand(a.text(0), a.text(1))),
        "sort_key" => plain(sort_key::sort_key(a.text(0))),
        "release_search" => match search::release_search(a.text(0)) {
            Ok(search) => plain(search),
            Err(code) => json!({"refused": code.as_str()}),
        },
        "slug" => plain(slug::slug(a.maybe_text(0), a.text(1))),
        "numbered_slug" => plain(slug::numbered(a.text(0), a.plain(1))),
        "is_slug_of" => plain(slug::is_of(a.text(0), a.text(1))),
        "is_slug" => plain(slug::is_slug(a.text(0))),
        "import_columns" => plain(import::columns(&a.plain::<Vec<String>>(0))),
        "import_date" => plain(import::date(a.text(0))),
        "import_row" => plain(import::row(&a.plain(0), a.plain(1), a.plain(2))),
        "import_artist_key" => plain(import::artist_key(a.text(0))),
        "guarded_cell" => plain(spreadsheet::guarded(a.text(0))),
        "unguarded_cell" => plain(spreadsheet::unguarded(a.text(0))),
        "next_state" => {
            let present = a.maybe_text(0).and_then(publish::ReleaseState::named);
            plain(publish::next_state(
                present.map(|state| (state, a.plain(1))),
                a.plain(2),
                a.plain(3),
                a.plain(4),
            ))
        }
        "publish_instant" => plain(publish::instant(a.text(0))),
        "tracks" => plain(track_list::tracks(a.text(0))),
        "track_count" => plain(track_list::tracks(a.text(0)).map(|tracks| tracks.len())),
        "credits" => plain(track_list::credits(a.text(0))),
        "tracks_as_text" => plain(track_list::tracks_text(&a.plain::<Vec<Track>>(0))),
        "credits_as_text" => plain(track_list::credits_text(&a.plain::<Vec<Credit>>(0))),
        "tracks_again" => plain(track_list::tracks(a.text(0)).map(|tracks| track_list::tracks_text(&tracks))),
        "credits_again" => {
            plain(track_list::credits(a.text(0)).map(|credits| track_list::credits_text(&credits)))
        }
        "catalog_label" => plain(catalog::catalog_label(a.maybe_text(0))),
        "embed_url" => plain(embed::embed_url(a.maybe_text(0), a.maybe_text(1))),
        "release_count_label" => plain(format::release_count_label(a.plain(0))),
        "effective" => plain(content::effective(a.text(0), a.maybe_text(1), a.text(2))),
        "has_default_text" => {
            plain(content::default_text(a.text(0)).is_some_and(|text| !text.trim().is_empty()))
        }
        "has_description" => {
            plain(content::description(a.text(0)).is_some_and(|text| !text.trim().is_empty()))
        }
        "demo_name" => {
            let random = u32::from_str_radix(a.text(1), 16).expect("eight hex digits");
            plain(demo_name::demo_name(a.plain(0), random, a.text(2), a.text(3)))
        }
        "demo_states" => plain(demo_state::DemoState::ALL),
        "demo_state_named" => plain(demo_state::DemoState::named(a.text(0))),
        "sender_step" => plain(demo_state::sender_step(a.plain(0), a.plain(1), a.flag(2), a.flag(3))),
        "promise_rank" => plain(demo_state::promise_rank(a.plain(0))),
        "demo_rank" => plain(demo_state::rank(a.plain(0), a.plain(1))),
        "days_within" => plain(demo_state::days_within(a.plain(0))),
        "days_waited" => plain(demo_state::days_waited(a.plain(0))),
        "desk_note" => noted(demo_desk::note(a.text(0))),
        "desk_tags" => noted(demo_desk::tags(&a.plain::<Vec<String>>(0))),
        "desk_score" => noted(demo_desk::score(a.plain(0))),
        "overdue_days" => noted(demo_desk::overdue_days(a.plain(0))),
        "draft_title" => plain(demo_desk::draft_title(a.text(0))),
        "tagged_name" => plain(demo_desk::tagged_name(a.text(0))),
        "draft_artist" => plain(demo_desk::draft_artist(a.text(0))),
        "desk_state" => noted(demo_desk::state(a.text(0))),
        "is_demo_key" => plain(demo_name::is_demo_key(a.text(0))),
        "without_artists" => plain(demo_name::without_artists(a.text(0))),
        "is_media_key" => plain(media_name::is_media_key(a.text(0))),
        "is_stored_key" => plain(media_name::is_stored_key(a.text(0))),
        "content_type" => plain(media_name::content_type(a.text(0))),
        "is_inline" => plain(media_name::is_inline(a.text(0))),
        "artist_key" => plain(media_name::artist_key(a.plain(0), a.text(1))),
        "mfa_verdict" => {
            let matches: Vec<(i32, bool)> = a.plain(2);
            let matches: Vec<_> =
                matches.into_iter().map(|(offset, spent)| mfa::Match { offset, spent }).collect();
            plain(mfa::verdict(a.plain(0), a.plain(1), &matches).code())
        }
        "mfa_verified_until_ms" => plain(mfa::verified_until_ms(a.plain(0), a.plain(1))),
        "mfa_repetition" => json!(format!("{:?}", mfa::repetition(a.plain(0), a.flag(1), a.plain(2)))),
        "mfa_rate_limited_text" => plain(mfa::rate_limited_text(a.plain(0))),
        "session_ends_at_ms" => plain(session::ends_at_ms(moments(a))),
        "session_is_alive" => plain(session::is_alive(moments(a), a.plain(3))),
        "session_previous_token" => json!(format!("{:?}", session::previous_token(a.plain(0), a.plain(1)))),
        "session_next_token_is_under_way" => plain(session::next_token_is_under_way(a.plain(0), a.plain(1))),
        "session_stamp_counts" => plain(session::stamp_counts(a.plain(0), a.plain(1))),
        "window_takes" => {
            let window = rate_limit::Window { max: a.plain(0), span_ms: a.plain(1) };
            takes(Vec::new(), &a.plain::<Vec<u64>>(2), |taken, now| window.take(taken, now))
        }
        "window_reserves" => reserves(a),
        "rate_takes" => {
            let rate = rate_limit::Rate { burst: a.plain(0), period_ms: a.plain(1) };
            takes(None, &a.plain::<Vec<u64>>(2), |full_at, now| rate.take(*full_at, now).map(Some))
        }
        _ => return None,
    })
}

/// Consent to the newsletter, which only the server decides.
fn newsletter(function: &str, a: &Args) -> Option<Value> {
    Some(match function {
        "newsletter_subscribed" => plain(newsletter_consent::subscribed(a.plain(0), a.flag(1), a.flag(2))),
        "next_newsletter_confirmation" => {
            match newsletter_consent::next_confirmation(&a.plain::<Vec<u64>>(0), a.plain(1)) {
                Ok(sent) => plain(sent),
                Err(not_yet) => plain(not_yet),
            }
        }
        "newsletter_confirmations_a_day" => refused(newsletter_consent::confirmations_a_day(a.plain(0))),
        "subscriber_columns" => plain(subscriber_import::columns(&a.plain::<Vec<String>>(0))),
        "subscriber_file" => plain(subscriber_import::list_of(a.text(0))),
        "subscriber_time" => plain(subscriber_import::time(a.text(0))),
        "subscriber_row" => refused(subscriber_import::read(&a.plain(0), a.plain(1), a.plain(2))),
        "subscriber_repeats" => {
            let rows = a.plain::<Vec<Option<(String, subscriber_import::Standing)>>>(0);
            let rows: Vec<_> =
                rows.iter().map(|row| row.as_ref().map(|(email, is)| (email.as_str(), *is))).collect();
            plain(subscriber_import::repeats(&rows))
        }
        "subscriber_verdict" => {
            plain(subscriber_import::verdict(a.plain(0), a.flag(1), a.plain(2), a.flag(3)))
        }
        "newsletter_vouch_sentence" => refused(newsletter_consent::vouch_sentence(a.text(0))),
        _ => return None,
    })
}

/// Sending letters, which only the server decides.
fn letters(function: &str, a: &Args) -> Option<Value> {
    Some(match function {
        "letter_after_step" => {
            let step = if a.text(1) == "send" { letter_sending::SendingStep::Send } else { a.plain(1) };
            refused_sending(letter_sending::after_step(a.plain(0), step, a.flag(2)))
        }
        "letter_begins" => plain(letter_sending::begins(a.plain(0), a.plain(1))),
        "letter_goes_out" => refused_sending(letter_sending::goes_out_ms(a.text(0), a.plain(1))),
        "letter_verdict" => {
            let text = a.text(2);
            plain(mail_replies::verdict(a.plain(0), a.plain(1), mail_replies::enhanced_code(text)))
        }
        "letter_bounce" => {
            let status = mail_replies::enhanced_code(a.text(1));
            plain(mail_replies::bounce(a.text(0), status, a.plain(2)))
        }
        "letters_too_many_refused" => {
            plain(letter_sending::too_many_refused(a.plain(0), a.plain(1), a.flag(2)))
        }
        "letters_pace_take" => match a.plain::<letter_sending::Pace>(0).take(a.plain(1), a.plain(2)) {
            Ok(pace) => plain(pace),
            Err(wait_ms) => json!({"wait_ms": wait_ms}),
        },
        "letters_pace_slow_down" => plain(a.plain::<letter_sending::Pace>(0).slow_down(a.plain(1))),
        "letters_duration" => {
            plain(letter_sending::duration_s(a.plain(0), a.plain(1), a.plain(2), a.plain(3)))
        }
        "letters_a_second" => refused_sending(letter_sending::letters_a_second(a.plain(0))),
        "letters_bound" => refused_sending(letter_sending::letters_bound(a.plain(0))),
        "postal_address" => refused_sending(letter_sending::postal_address(a.text(0))),
        _ => return None,
    })
}

/// Settings of backups, which only the server checks.
fn of_backups(function: &str, a: &Args) -> Option<Value> {
    let (interval, days, weeks, months) = match function {
        "backup_settings" => (a.plain(0), a.plain(1), a.plain(2), a.plain(3)),
        _ => return None,
    };
    let checked = backups::check_backup_settings(interval, days, weeks, months);
    let codes = |problems: &[Problem]| problems.iter().map(|problem| problem.code).collect::<Vec<_>>();
    Some(checked.map_or_else(|problems| json!({"refused": codes(&problems)}), plain))
}

/// Catalogue numbers.
fn numbers(function: &str, a: &Args) -> Option<Value> {
    Some(match function {
        "catalog_number" => plain(catalog_number::CatalogNumber::parse(a.text(0))),
        "first_number" => plain(catalog_number::first_number(a.text(0))),
        "catalog_key" => plain(catalog_number::key(a.text(0))),
        "catalog_notices" => plain(catalog_number::notices(a.plain::<Vec<String>>(0))),
        _ => return None,
    })
}

/// Whether letters arrive, which only the server looks up.
fn arrival(function: &str, a: &Args) -> Option<Value> {
    Some(match function {
        "arrival_is_free_mailbox" => plain(letter_arrival::is_free_mailbox(a.text(0))),
        "arrival_sender" => found(letter_arrival::sender(a.text(0), a.flag(1))),
        "arrival_mx" => {
            found(letter_arrival::mx(a.text(0), a.plain::<Option<Vec<String>>>(1).as_deref(), a.plain(2)))
        }
        "arrival_https" => found(letter_arrival::https(a.text(0), a.flag(1))),
        "arrival_leave" => found(letter_arrival::leave(a.plain(0))),
        "arrival_postal" => found(letter_arrival::postal(a.text(0))),
        "arrival_dmarc_names" => plain(letter_arrival::dmarc::names(a.text(0))),
        "arrival_dmarc" => {
            let texts = a.plain::<Option<Vec<String>>>(1);
            let records = texts.map(|texts| letter_arrival::dmarc::records(&texts));
            found(letter_arrival::dmarc::finding(a.text(0), records.as_deref(), a.flag(2)))
        }
        "arrival_spf_terms" => plain(letter_arrival::spf::parse(a.text(0))),
        "arrival_is_within" => plain(letter_arrival::spf::is_within(a.plain(0), a.plain(1), a.plain(2))),
        "arrival_spf" => {
            let texts = a.plain::<Option<Vec<String>>>(1);
            let records = texts.map(|texts| letter_arrival::spf::records(&texts));
            found(letter_arrival::spf::finding(a.text(0), records.as_deref(), &a.plain(2), a.maybe_text(3)))
        }
        "arrival_headers" => match letter_arrival::headers::read(a.text(0)) {
            Ok(read) => {
                let grades: Vec<_> = read.findings.iter().map(|finding| plain(finding.grade)).collect();
                json!({"said": read.said, "grades": grades})
            }
            Err(error) => json!({"refused": error.code()}),
        },
        _ => return None,
    })
}

/// The grade, and the value to enter.
fn found(finding: letter_arrival::Finding) -> Value {
    json!([finding.grade, finding.record.map(|record| record.value)])
}

fn refused_sending<T: Serialize>(outcome: Result<T, letter_sending::SendingError>) -> Value {
    outcome.map_or_else(|error| json!({"refused": error.code()}), plain)
}

/// The reserved times, one after the other.
fn reserves(a: &Args) -> Value {
    let window = rate_limit::Window { max: a.plain(0), span_ms: a.plain(1) };
    let mut kept = Vec::new();
    let moments = a.plain::<Vec<u64>>(2).into_iter().map(|now| {
        let (at, taken) = window.reserve(&kept, now);
        kept = taken;
        at
    });
    plain(moments.collect::<Vec<_>>())
}

fn noted<T: Serialize>(outcome: Result<T, demo_desk::DeskError>) -> Value {
    outcome.map_or_else(|error| json!({"refused": error.code()}), plain)
}

fn refused<T: Serialize, E: Into<rules::checked::Refusal>>(outcome: Result<T, E>) -> Value {
    outcome.map_or_else(|error| json!({"refused": error.into().code}), plain)
}

/// Takes at each time in turn: 0 if it was allowed, else the wait in milliseconds.
fn takes<S>(start: S, moments: &[u64], take: impl Fn(&S, u64) -> Result<S, rate_limit::Exceeded>) -> Value {
    let mut state = start;
    let mut answers = Vec::new();
    for now in moments {
        answers.push(match take(&state, *now) {
            Ok(next) => {
                state = next;
                0
            }
            Err(exceeded) => exceeded.retry_after_ms,
        });
    }
    json!(answers)
}

fn attempts(a: &Args) -> SignupAttempts {
    SignupAttempts { attempts: a.plain(0), last_attempt_ms: a.maybe_number(1) }
}

fn moments(a: &Args) -> session::Moments {
    session::Moments { created_at_ms: a.plain(0), used_at_ms: a.plain(1), factor_pending: a.flag(2) }
}

struct Args<'a>(&'a [Value]);

impl Args<'_> {
    fn plain<T: DeserializeOwned>(&self, index: usize) -> T {
        serde_json::from_value(self.0[index].clone()).expect("an argument of the rule's type")
    }

    fn text(&self, index: usize) -> &str {
        self.0[index].as_str().expect("a text")
    }

    fn maybe_text(&self, index: usize) -> Option<&str> {
        self.0[index].as_str()
    }

    fn flag(&self, index: usize) -> bool {
        self.0[index].as_bool().expect("true or false")
    }

    fn number(&self, index: usize) -> f64 {
        self.0[index].as_f64().expect("a number")
    }

    fn maybe_number(&self, index: usize) -> Option<f64> {
        self.0[index].as_f64()
    }
}

fn plain(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).expect("a plain value")
}
