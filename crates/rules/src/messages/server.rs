//! Refusals that the server alone words; the browser shows them as sent, so they are not part of its module.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("mfa_required", "", "Two-factor verification is required."),
    ("reauthentication_needed", "", "Please enter your password again to continue."),
    ("mfa_verification_needed", "", "Please enter a code of your second factor to change the address."),
    ("last_admin", "", "The last admin cannot delete the account."),
    ("already_enabled", "", "Two-factor authentication is already enabled for this account."),
    ("not_enabled", "", "Two-factor authentication is not enabled for this account."),
    ("secret_not_pending", "", "This set-up is no longer valid. Please start again."),
    (
        "recovery_hold",
        "",
        "Your password was reset by mail within the last 24 hours, so no recovery code can be sent yet. Use one of your \
         saved recovery codes.",
    ),
    ("invalid_request_id", "", "The request id must be 1 to 128 printable characters."),
    ("request_id_conflict", "", "This request id was used with another code."),
    ("tus_version", "", "Uploads speak version 1.0.0 of the tus protocol."),
    ("length_missing", "", "The length of the file must be told first."),
    ("invalid_form", "", "The upload could not be read."),
    ("too_many_form_parts", "", "An upload has at most 10 parts."),
    ("one_file", "", "Please choose one file."),
    ("invalid_metadata", "", "The description of the file could not be read."),
    ("offset_missing", "", "Where the bytes belong must be told."),
    ("checksum_algorithm", "", "Checksums are taken as sha1 or sha256, in base64."),
    ("checksum_mismatch", "", "What arrived is not what was sent. Please send it again."),
    ("upload_offset", "", "The upload is not where this request continues it. Please ask how far it is."),
    ("upload_too_long", "", "More arrived than was announced. Please begin again."),
    ("too_many_parts", "", "This upload has come in too many pieces. Please send the rest of it at once."),
    ("invalid_limit", "", "The limit must be between 1 and 100."),
    ("invalid_cursor", "", "This position in the list is not valid."),
    ("invalid_json", "", "The body is not valid JSON."),
    ("maintenance", "", "This page is currently down for maintenance. Check back soon."),
    ("too_slow", "", "The request arrived too slowly. Please try again."),
    ("storage_full", "", "There is no room for more uploads right now. Please try again later."),
    (
        "checklist_server_side_authorisation",
        "Server-side authorisation",
        "Every operation of this area asks for an admin's session before it looks anything up.",
    ),
    (
        "checklist_admin_two_factor",
        "Two-factor authentication of admins",
        "An admin's password alone should not be enough to sign in.",
    ),
    (
        "checklist_password_hashing",
        "Password hashing",
        "Passwords are stored as slow hashes, which tell nobody what they were.",
    ),
    (
        "checklist_upload_validation",
        "Upload validation",
        "Files are judged by name, type, size and first bytes, and there is room for them.",
    ),
    (
        "checklist_input_sanitising",
        "Input sanitising",
        "What is typed into forms cannot run in a visitor's browser.",
    ),
    (
        "checklist_sessions_and_transport",
        "Sessions and transport",
        "Nobody on the way can read along, and no script can read the session's cookie.",
    ),
    (
        "checklist_security_headers",
        "Security headers",
        "Every answer tells browsers what they must not do with it.",
    ),
    (
        "checklist_login_limits",
        "Login rate limiting",
        "Guessing passwords is slowed down in the browser and, whatever the browser does, on the server.",
    ),
];
