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
];
