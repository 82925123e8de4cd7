//! Properties of fields and forms for arbitrary inputs.

use proptest::prelude::*;
use rules::artist::{ArtistForm, check_artist};
use rules::checked::Checked;
use rules::codes::{RecoveryCode, offline_code, recovery_code, totp_code, totp_input};
use rules::contact::{ContactForm, check_contact};
use rules::demo::{DEMO_MAX_BYTES, DemoForm, check_demo, check_demo_file, too_large};
use rules::email::{Email, normalise};
use rules::login::{AdminLoginForm, LoginForm, check_admin_login, check_login, identify};
use rules::password::{PasswordChangeForm, check_password_change};
use rules::product::{
    PRICE_MAX_CENTS, Price, ProductError, ProductForm, ProductRequest, STOCK_MAX, check_product,
    check_product_request, parse_price, parse_stock, price_label, stock_label,
};
use rules::release::{ReleaseForm, check_release};
use rules::release_details::{Credit, DURATION_MAX, Track};
use rules::signup::{SignupDialogForm, SignupForm, check_signup, check_signup_dialog};
use rules::text::{count, strip_tags};
use rules::track_list::{credits, credits_text, tracks, tracks_text};
use rules::upload::FileInfo;
use rules::url::sanitize_url;
use rules::username::{Username, default_username};
use rules::{
    avatar, content_value, email_change, forgot, hero, image, media, newsletter, password, terminal,
};

/// Arbitrary text that contains characters relevant to the rules more often.
fn anything() -> impl Strategy<Value = String> {
    let short = [
        "<", ">", "</", "<b>", "<!--", "@", ".", ":", "/", "//", "\\", "\0", "\n", "\t", " ", "-", "_", "e",
        " / ", ": ", " 6:12", "+", "1", "9", "https://", ".exe", ".png", "admin", "\u{301}", "\u{5d0}",
        "\u{202e}", "🎛", "ä", "Ａ", "[", "]", "%09", "?",
    ];
    let telling = prop::sample::select([&short[..], &["/media/artists/", "javascript:"]].concat());
    prop_oneof![any::<String>(), prop::collection::vec(telling, 0..40).prop_map(|parts| parts.concat()),]
}

fn perhaps() -> impl Strategy<Value = Option<String>> {
    prop::option::of(anything())
}

fn file() -> impl Strategy<Value = FileInfo> {
    (anything(), anything(), any::<f64>()).prop_map(|(name, media_type, size_bytes)| FileInfo {
        name,
        media_type,
        size_bytes,
    })
}

/// Text that a form mostly takes, of characters that mean something to the rules.
fn typed() -> impl Strategy<Value = String> {
    let telling = prop::sample::select(vec![
        "a", "B", "ä", "🎛", "\u{301}", "\u{5d0}", "1", "&", " ", "-", "/", " / ", "\\", ":", ": ", " 6:12",
        "[", "]", "[A1] ",
    ]);
    let good = prop::collection::vec(telling, 1..12).prop_map(|parts| parts.concat());
    prop_oneof![9 => good, 1 => anything()]
}

fn maybe_typed() -> impl Strategy<Value = Option<String>> {
    prop::option::of(typed())
}

fn url() -> impl Strategy<Value = Option<String>> {
    prop_oneof![9 => prop::option::of("https://[a-z]{1,9}\\.org(/[a-z?=]{0,9})?"), 1 => perhaps()]
}

fn artist() -> impl Strategy<Value = ArtistForm> {
    (typed(), maybe_typed(), prop::array::uniform8(url())).prop_map(|(name, bio, urls)| {
        let [
            image_url,
            spotify_url,
            soundcloud_url,
            apple_music_url,
            youtube_url,
            instagram_url,
            website,
            twitter,
        ] = urls;
        ArtistForm {
            name,
            bio,
            image_url,
            spotify_url,
            soundcloud_url,
            apple_music_url,
            youtube_url,
            instagram_url,
            website,
            twitter,
            featured: false,
        }
    })
}

fn track() -> impl Strategy<Value = Track> {
    let position = prop::option::of("[A-B]{1,2}[0-9]{0,2}");
    (position, typed(), maybe_typed(), prop::option::of(0..=DURATION_MAX)).prop_map(
        |(position, title, artist, duration_seconds)| Track { position, title, artist, duration_seconds },
    )
}

fn release() -> impl Strategy<Value = ReleaseForm> {
    let artist_id = prop_oneof![Just(None), Just(Some("00000000-0000-7000-8000-000000000000".to_owned()))];
    let date = prop_oneof![9 => "20[0-9]{2}-0[1-9]-[12][0-9]".boxed(), 1 => anything().boxed()];
    let credit = (typed(), typed()).prop_map(|(role, name)| Credit { role, name });
    let texts = (typed(), artist_id, maybe_typed(), date, maybe_typed(), maybe_typed());
    let rows = (prop::collection::vec(track(), 0..3), prop::collection::vec(credit, 0..3));
    (texts, prop::array::uniform6(url()), rows).prop_map(|(texts, urls, (tracks, credits))| {
        let (title, artist_id, catalog, release_date, description, format) = texts;
        let [cover_image_url, spotify_url, soundcloud_url, apple_music_url, youtube_url, bandcamp_url] = urls;
        ReleaseForm {
            title,
            artist_id,
            catalog,
            release_date,
            description,
            cover_image_url,
            spotify_url,
            soundcloud_url,
            apple_music_url,
            youtube_url,
            bandcamp_url,
            format,
            tracks,
            credits,
            ..ReleaseForm::default()
        }
    })
}

/// A refusal has problems, at most one per field.
fn is_well_formed<T>(checked: &Checked<T>) -> bool {
    let Err(problems) = checked else { return true };
    let fields: std::collections::HashSet<_> = problems.iter().map(|problem| &problem.field).collect();
    !problems.is_empty() && fields.len() == problems.len()
}

proptest! {
    #[test]
    fn stripping_twice_is_stripping_once(text in anything()) {
        let once = strip_tags(&text);
        prop_assert_eq!(strip_tags(&once), once);
    }

    #[test]
    fn no_complete_tag_is_left(text in anything()) {
        let left = strip_tags(&text);
        for (at, _) in left.match_indices('<') {
            let rest = &left[at + 1..];
            let begins = rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
            prop_assert!(!begins || !rest.contains('>'), "{left:?}");
        }
    }

    #[test]
    fn text_without_brackets_is_kept_as_typed(text in "[^<>]{0,60}") {
        prop_assert_eq!(strip_tags(&text), text);
    }

    #[test]
    fn an_address_is_its_own_normal_form(text in anything()) {
        if let Ok(email) = Email::parse(&text) {
            prop_assert_eq!(email.as_str(), normalise(&text));
            prop_assert_eq!(Email::parse(email.as_str()), Ok(email.clone()));
            prop_assert_eq!(format!("{}@{}", email.local(), email.domain()), email.as_str());
            prop_assert!(email.as_str().bytes().all(|byte| byte.is_ascii_graphic()));
        }
        prop_assert_eq!(normalise(&normalise(&text)), normalise(&text));
    }

    #[test]
    fn ordinary_addresses_are_accepted(local in "[a-z0-9]{1,20}([.+-][a-z0-9]{1,5}){0,2}", domain in "[a-z0-9]{1,20}(-[a-z]{1,5})?", top in "[a-z]{2,8}") {
        let address = format!("{local}@{domain}.{top}");
        prop_assert!(Email::parse(&address).is_ok());
    }

    #[test]
    fn a_username_is_what_the_rule_says(text in anything()) {
        if let Ok(name) = Username::parse(&text) {
            prop_assert_eq!(name.as_str(), &text);
            prop_assert!((3..=20).contains(&count(&text)));
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
            prop_assert!(Username::parse(&name.key()).is_ok());
        }
    }

    #[test]
    fn a_default_username_is_always_a_username(email in anything(), attempt in any::<u32>()) {
        let name = default_username(&email, attempt);
        prop_assert_eq!(Username::parse(name.as_str()), Ok(name.clone()));
    }

    #[test]
    fn two_attempts_never_propose_the_same_name(email in "[a-z]{1,30}@x\\.org", attempt in 0_u32..1_000_000) {
        prop_assert_ne!(default_username(&email, attempt), default_username(&email, attempt + 1));
    }

    #[test]
    fn a_sanitised_address_stays_what_it_is(text in anything()) {
        if let Ok(url) = sanitize_url(&text) {
            let lower = url.to_ascii_lowercase();
            prop_assert!(url.is_empty() || ["http://", "https://", "/media/"].iter().any(|start| lower.starts_with(start)));
            prop_assert_eq!(sanitize_url(&url), Ok(url));
        }
    }

    #[test]
    fn ordinary_addresses_of_pages_are_kept(host in "[a-z0-9]{1,20}\\.[a-z]{2,6}", path in "(/[a-zA-Z0-9._~-]{0,10}){0,4}", query in "(\\?[a-z]=[a-z0-9%]{0,10})?") {
        let url = format!("https://{host}{path}{query}");
        prop_assert_eq!(sanitize_url(&url), Ok(url));
    }

    #[test]
    fn what_a_code_field_keeps_can_be_typed_again(text in anything()) {
        let kept = totp_input(&text);
        prop_assert_eq!(totp_input(&kept), kept);
        if let Ok(code) = totp_code(&text) {
            prop_assert_eq!(totp_code(&code), Ok(code));
        }
    }

    #[test]
    fn an_offline_code_is_read_back_however_it_is_typed(random in any::<u64>()) {
        let shown = offline_code(random);
        let expected = Ok(RecoveryCode::Offline(shown.replace('-', "")));
        prop_assert_eq!(recovery_code(&shown), expected.clone());
        prop_assert_eq!(recovery_code(&shown.to_ascii_lowercase().replace('-', " ")), expected);
    }

    #[test]
    fn whole_cents_survive_being_written_and_read(cents in 0..=PRICE_MAX_CENTS) {
        let written = format!("{}.{:02}", cents / 100, cents % 100);
        prop_assert_eq!(parse_price(&written).map(Price::cents), Ok(cents));
        let label = price_label(&written).unwrap();
        prop_assert_eq!(label.replace('\u{a0}', ""), written);
        // The label parses to its price, also with dots and commas swapped.
        prop_assert_eq!(parse_price(&label).map(Price::cents), Ok(cents));
        prop_assert_eq!(parse_price(&label.replace('.', ",").replace('\u{a0}', ".")).map(Price::cents), Ok(cents));
        prop_assert_eq!(parse_price(&label.replace('\u{a0}', ",")).map(Price::cents), Ok(cents));
    }

    #[test]
    fn a_checked_product_passes_again_as_a_request(cents in 0..=PRICE_MAX_CENTS, stock in 0..=STOCK_MAX) {
        let price = format!("{}.{:02}", cents / 100, cents % 100);
        let form = ProductForm {
            title: "Record".into(),
            price: Some(price),
            stock_quantity: Some(stock.to_string()),
            active: true,
            ..ProductForm::default()
        };
        let product = check_product(form).unwrap();
        let sent = serde_json::to_string(&product).unwrap();
        let request: ProductRequest = serde_json::from_str(&sent).unwrap();
        prop_assert_eq!(check_product_request(request), Ok(product));
    }

    #[test]
    fn thousandths_of_a_call_are_rounded_half_up(thousandths in 0_u32..999_999_000) {
        let request = ProductRequest {
            price: Some(f64::from(thousandths) / 1000.0),
            ..serde_json::from_str(r#"{"title": "Record", "stock_quantity": 0}"#).unwrap()
        };
        let price = check_product_request(request).map(|product| product.price.cents());
        prop_assert_eq!(price, Ok((thousandths + 5) / 10));
    }

    #[test]
    fn a_typed_price_is_never_a_thousand_times_what_its_signs_can_say(whole in "[0-9]{1,3}", rest in "[0-9]{3}") {
        for sign in ['.', ','] {
            let written = format!("{whole}{sign}{rest}");
            prop_assert_eq!(parse_price(&written), Err(ProductError::PriceUnclear));
            prop_assert!(parse_stock(&written).is_err());
        }
    }

    #[test]
    fn a_number_in_any_notation_is_read_as_the_same(digits in "[0-9]{1,6}", shift in 0_usize..6) {
        let whole = format!("{digits}{}", "0".repeat(shift));
        prop_assert_eq!(parse_stock(&format!("{digits}e{shift}")), parse_stock(&whole));
        prop_assert_eq!(parse_stock(&format!("{whole}e-{shift}")), parse_stock(&digits));
    }

    #[test]
    fn a_demo_beyond_the_limit_never_seems_within_it(bytes in DEMO_MAX_BYTES + 1..u64::MAX) {
        let size = too_large(bytes).message.replace("File size must be under 70MB. Your file is ", "").replace(" MB.", "");
        prop_assert!(size.parse::<f64>().is_ok_and(|megabytes| megabytes > 70.0), "{size}");
    }

    #[test]
    fn every_form_for_visitors_answers_with_a_value_or_with_problems(
        texts in prop::collection::vec(anything(), 4),
        option in perhaps(),
        other in perhaps(),
        file in prop::option::of(file()),
    ) {
        let [a, b, c, d] = <[String; 4]>::try_from(texts).unwrap();
        let form = LoginForm { identifier: a.clone(), password: b.clone().into() };
        prop_assert!(is_well_formed(&check_login(form)));
        let form = AdminLoginForm { email: a.clone(), password: b.clone().into() };
        prop_assert!(is_well_formed(&check_admin_login(form)));
        let form = ContactForm { name: a.clone(), email: b.clone(), message: c.clone() };
        prop_assert!(is_well_formed(&check_contact(form)));
        let form = PasswordChangeForm { password: a.clone().into(), confirm_password: b.clone().into() };
        prop_assert!(is_well_formed(&check_password_change(form)));
        let form =
            SignupForm { email: a.clone(), username: option.clone(), password: b.clone().into(), full_name: other };
        prop_assert!(is_well_formed(&check_signup(form)));
        let form =
            SignupDialogForm { full_name: a.clone(), email: b.clone(), username: c, password: d.into() };
        prop_assert!(is_well_formed(&check_signup_dialog(form)));
        let form = DemoForm { artist_name: a, email: b, message: option, file };
        prop_assert!(is_well_formed(&check_demo(form)));
    }

    #[test]
    fn a_stored_artist_can_be_edited(form in artist()) {
        let artist = check_artist(form);
        prop_assert!(is_well_formed(&artist));
        // Too many refused ones fail the test.
        prop_assume!(artist.is_ok());
        let artist = artist.unwrap();
        prop_assert!(!artist.name.contains(['<', '>']));
        prop_assert_eq!(check_artist(artist.clone()), Ok(artist));
    }

    #[test]
    fn a_stored_release_can_be_edited(form in release()) {
        let release = check_release(form);
        prop_assert!(is_well_formed(&release));
        prop_assume!(release.is_ok());
        let release = release.unwrap();
        // Stored rows survive a table unchanged.
        prop_assert_eq!(tracks(&tracks_text(&release.tracks)), Some(release.tracks.clone()));
        prop_assert_eq!(credits(&credits_text(&release.credits)), Some(release.credits.clone()));
        prop_assert_eq!(check_release(release.clone()), Ok(release));
    }

    #[test]
    fn a_form_of_a_product_answers_with_a_value_or_with_problems(
        title in anything(),
        options in prop::array::uniform5(perhaps()),
    ) {
        let [description, price, image_url, stock_quantity, category] = options;
        let form = ProductForm {
            title,
            description,
            price,
            image_url,
            stock_quantity,
            category,
            featured: true,
            active: true,
        };
        prop_assert!(is_well_formed(&check_product(form)));
    }

    #[test]
    fn no_single_rule_panics(text in anything(), file in file()) {
        let _answers = (identify(&text), recovery_code(&text), price_label(&text), stock_label(&text));
        let _answers = (newsletter::read_subscription(&text), forgot::check_forgot(&text), email_change::check_email_change(&text, &text));
        let _answers = (terminal::check_terminal_message(&text), content_value::check_content_text("label_signal", &text));
        let _answers = (password::check_signup_password(&text), password::check_admin_password(&text), password::can_be_right(&text));
        let _answers = (media::check_media(&file), hero::check_hero(&file), rules::mark::check_mark(&file), avatar::check_avatar(&file), image::check_image(&file), check_demo_file(&file));
    }
}
