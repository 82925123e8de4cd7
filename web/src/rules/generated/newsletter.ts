// Written by scripts/generate from crates/rules: messages of the newsletter form by code.

export const NEWSLETTER_MESSAGES = {
  newsletter_subscribed: { title: "Transmission successful", text: "You have been added to the encrypted channel." },
  newsletter_rate_limited: { title: "Transmission blocked", text: "Too many attempts. Please try again later." },
  newsletter_invalid_email: { title: "Invalid transmission format", text: "Please enter a valid email address." },
  newsletter_failed: { title: "Transmission failed", text: "Something went wrong. Please try again." },
} as const;
