//! Properties of state machines and formats for arbitrary inputs: no panics, and round trips.

use proptest::prelude::*;
use rules::callback::{Callback, callback};
use rules::rate_limit::{Rate, Window};
use rules::{
    catalog, cooldown, demo_name, embed, format, login_lock, maintenance, media_name, mfa, sort_key,
    spreadsheet, terminal_cache,
};

proptest! {
    #[test]
    fn texts_of_any_kind_are_answered(text in any::<String>(), other in any::<String>(), now in any::<f64>()) {
        let _ = callback(&text, &other, false);
        let _ = catalog::catalog_label(Some(&text));
        let _ = cooldown::signup_error(None, &text, Some(now));
        let _ = format::month_label(&text);
        let _ = maintenance::page_key_for_path(&text);
        let _ = media_name::is_stored_key(&text);
        let _ = media_name::artist_key(1, &text);
        let _ = mfa::text(&text, Some(&other));
        let _ = cooldown::remaining_seconds(Some(now), 0.0);
        let _ = format::size_label(Some(now));
        let _ = login_lock::login_lock(&[now, 0.0, now, 1.0, now], 5.0);
    }

    #[test]
    fn a_guarded_cell_holds_no_formula_however_it_is_split_and_is_read_back(cell in "[=+@;'\"\t\n\ra -]{0,40}|.*") {
        let guarded = spreadsheet::guarded(&cell);
        prop_assert_eq!(spreadsheet::unguarded(&guarded), cell.as_str());
        for separators in [&[';', '\n', '\r'], &['\t', '\n', '\r']] {
            for piece in guarded.split(separators) {
                prop_assert!(!piece.trim_start_matches('"').starts_with(['=', '+', '-', '@']), "{piece:?}");
            }
        }
    }

    #[test]
    fn a_demo_name_is_a_demo_key_and_tells_its_artist(at in any::<u64>(), random in any::<u32>(), artist in any::<String>()) {
        let name = demo_name::demo_name(at, random, &artist, "wav");
        prop_assert!(demo_name::is_demo_key(&format!("demos/{name}")), "{name}");
        let label = demo_name::artist_label(&name);
        prop_assert!(!label.is_empty());
        // The label makes the same name again.
        prop_assert_eq!(demo_name::demo_name(at, random, &label, "wav"), name);
    }

    #[test]
    fn an_artist_key_is_a_media_key(at in any::<u64>(), stem in "[^/.]{1,20}", ext in "(jpg|PNG|webp|gif|avif)") {
        let key = media_name::artist_key(at, &format!("{stem}.{ext}")).unwrap();
        prop_assert!(media_name::is_media_key(&key));
        prop_assert!(media_name::is_inline(&key));
    }

    #[test]
    fn an_embed_address_is_one_of_the_two_players(link in "(https?://)?[a-z.@:/]{0,30}(spotify|soundcloud)\\.com[ -~]{0,40}") {
        for address in [embed::embed_url(Some(&link), None), embed::embed_url(None, Some(&link))].into_iter().flatten() {
            let known = ["https://open.spotify.com/embed/", "https://w.soundcloud.com/player/?url=https%3A%2F%2F"];
            prop_assert!(known.iter().any(|start| address.starts_with(start)), "{address}");
            prop_assert!(address.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~%/:?=".contains(&b)), "{address}");
        }
    }

    #[test]
    fn a_spotify_link_becomes_its_player(kind in "(track|album|artist|playlist|episode|show)", id in "[A-Za-z0-9]{22}", tail in "(\\?[ -~]{0,20})?") {
        let link = format!("https://open.spotify.com/{kind}/{id}{tail}");
        prop_assert_eq!(embed::embed_url(Some(&link), None), Some(format!("https://open.spotify.com/embed/{kind}/{id}")));
    }

    #[test]
    fn a_preview_is_the_beginning_of_its_text(text in "\\PC{0,400}") {
        let preview = format::preview(&text);
        if text.chars().count() <= format::PREVIEW_LENGTH {
            prop_assert_eq!(preview, text);
        } else {
            let kept = preview.strip_suffix("...").unwrap();
            prop_assert!(text.starts_with(kept));
            prop_assert!((1..=format::PREVIEW_LENGTH).contains(&kept.chars().count()));
        }
    }

    #[test]
    fn a_date_label_keeps_the_digits(year in 0_u32..10_000, month in 1_u32..=12, day in 1_u32..=28) {
        let date = format!("{year:04}-{month:02}-{day:02}");
        prop_assert_eq!(format::date_label(Some(&date)), format!("{year:04}.{month:02}.{day:02}"));
    }

    #[test]
    fn sorting_ignores_case_and_never_keeps_control_characters(name in any::<String>()) {
        let key = sort_key::sort_key(&name);
        prop_assert!(!key.is_empty() && !key.chars().any(char::is_control), "{key:?}");
        let ascii: String = name.chars().filter(char::is_ascii).collect();
        prop_assert_eq!(sort_key::sort_key(&ascii.to_ascii_uppercase()), sort_key::sort_key(&ascii.to_ascii_lowercase()));
    }

    #[test]
    fn a_wait_is_between_a_second_and_a_day(message in any::<String>(), retry in proptest::option::of(any::<f64>())) {
        prop_assert!((1..=86_400).contains(&cooldown::retry_seconds(retry, &message)));
    }

    #[test]
    fn a_time_in_words_is_read_as_it_is_written(hours in 0_u32..20, minutes in 1_u32..60) {
        let message = format!("Please wait {hours} hours and {minutes} minutes.");
        prop_assert_eq!(cooldown::retry_seconds(None, &message), hours * 3_600 + minutes * 60);
    }

    #[test]
    fn a_shown_error_is_short_plain_text(raw in any::<String>(), query in any::<String>()) {
        if let Callback::Error { message } = callback(&format!("#error_description={raw}"), &query, false) {
            prop_assert!(message.chars().count() <= 200 && !message.chars().any(char::is_control));
        }
    }

    #[test]
    fn a_window_is_never_exceeded(max in 1_u32..6, span_ms in 1_u64..1_000, steps in proptest::collection::vec(0_u64..400, 1..60)) {
        let window = Window { max, span_ms };
        let (mut now, mut state, mut allowed) = (0, Vec::new(), Vec::new());
        for step in steps {
            now += step;
            match window.take(&state, now) {
                Ok(next) => {
                    state = next;
                    allowed.push(now);
                }
                Err(exceeded) => {
                    prop_assert!(window.take(&state, now + exceeded.retry_after_ms).is_ok());
                    prop_assert!(window.take(&state, now + exceeded.retry_after_ms - 1).is_err());
                }
            }
        }
        for first in &allowed {
            let within = allowed.iter().filter(|at| (*first..first + span_ms).contains(at)).count();
            prop_assert!(within <= max as usize);
        }
    }

    #[test]
    fn a_rate_allows_its_burst_and_then_its_period(burst in 1_u32..6, period_ms in 1_u64..500, steps in proptest::collection::vec(0_u64..400, 1..60)) {
        let rate = Rate { burst, period_ms };
        let (mut now, mut state, mut allowed) = (0_u64, None, 0_u64);
        for step in steps {
            now += step;
            match rate.take(state, now) {
                Ok(next) => {
                    state = Some(next);
                    allowed += 1;
                }
                Err(exceeded) => prop_assert!(rate.take(state, now + exceeded.retry_after_ms).is_ok()),
            }
        }
        prop_assert!(allowed <= u64::from(burst) + now / period_ms);
    }

    #[test]
    fn what_was_answered_is_found_again_and_never_more_than_fifty(questions in proptest::collection::vec("[a-zA-Z ]{1,6}", 1..80)) {
        let mut entries = Vec::new();
        for question in &questions {
            entries = terminal_cache::remember(entries, question, "answer", 0.0);
            prop_assert!(entries.len() <= terminal_cache::MAX_ENTRIES);
        }
        let last = questions.last().unwrap();
        let found = terminal_cache::find(&entries, &last.to_uppercase());
        prop_assert_eq!(found.as_deref(), Some("answer [cached]"));
    }
}
