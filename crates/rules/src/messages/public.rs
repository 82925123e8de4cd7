//! Public pages.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("newsletter_subscribed", "Transmission successful", "You have been added to the encrypted channel."),
    ("newsletter_rate_limited", "Transmission blocked", "Too many attempts. Please try again later."),
    ("newsletter_invalid_email", "Invalid transmission format", "Please enter a valid email address."),
    ("newsletter_failed", "Transmission failed", "Something went wrong. Please try again."),
    ("demo_submitted", "Demo submitted successfully!", ""),
    ("demo_failed", "Upload failed", "Failed to upload demo. Please try again."),
    ("contact_sent", "Message Sent!", "Thank you for contacting us. We'll get back to you soon."),
    ("contact_failed", "Error", "Failed to send message. Please try again."),
    ("privacy_policy_failed", "", "Error loading privacy policy. Please try again later."),
    ("terminal_failed", "", "ERROR: Connection to AI system failed. Please try again."),
    ("terminal_unauthorized", "", "Authentication failed. Service temporarily unavailable."),
    ("terminal_not_found", "", "AI service not found. Please contact support."),
    ("terminal_rate_limited", "", "Rate limit exceeded. Please wait before trying again."),
    ("terminal_internal", "", "Internal server error. Please try again later."),
    ("artist_not_found", "", "ARTIST NOT FOUND"),
    ("page_not_found", "", "Oops! Page not found"),
];
