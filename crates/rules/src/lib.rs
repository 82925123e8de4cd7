#![doc = include_str!("../README.md")]

// fields and forms
pub mod artist;
pub mod avatar;
pub mod checked;
pub mod codes;
pub mod contact;
pub mod content_value;
pub mod demo;
pub mod email;
pub mod email_change;
pub mod forgot;
pub mod hero;
pub mod image;
pub mod limits;
pub mod login;
pub mod media;
pub mod newsletter;
mod number;
pub mod password;
pub mod product;
pub mod reference;
pub mod release;
pub mod request;
pub mod signup;
pub mod site_image;
pub mod terminal;
pub mod text;
pub mod upload;
pub mod url;
pub mod username;
mod validation;

// machines and formats
pub mod analytics;
pub mod auth_stage;
pub mod callback;
pub mod catalog;
pub mod content;
pub mod cooldown;
pub mod demo_name;
pub mod embed;
pub mod format;
pub mod listing;
pub mod login_lock;
pub mod mailed_link;
pub mod maintenance;
pub mod media_name;
pub mod messages;
pub mod mfa;
pub mod rate_limit;
pub mod reconnect;
pub mod resend;
pub mod retention;
pub mod session;
pub mod signup_attempts;
pub mod sort_key;
pub mod terminal_cache;
