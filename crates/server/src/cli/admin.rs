//! `deadwax admin …`: who may enter the admin area, decided on the command line alone. Each change is a transaction, so it works beside a
//! running server, which applies it at the next request.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use deadwax_config::Origin;
use deadwax_mail::{Label, Mail, letters};
use deadwax_store::{
    clock::{Clock, Micros, rfc3339},
    crypto::Keys,
    db::{Db, Tx},
    ids::UserId,
    statements,
};
use rules::{
    email::Email,
    password::{self, Password},
};

use crate::{
    accounts::account_mail,
    accounts::hashing::Hasher,
    accounts::{
        links::{self, NewLink, Purpose},
        password as account_password, sign_up,
    },
    audit::record_system,
    auth::session,
    content::label::LabelView,
    two_factor,
};

statements! {
    // Locked, so that no mailed link moves the account to another mailbox at the same time.
    FIND = "SELECT u.id, u.confirmed_at, a.active \
        FROM users u LEFT JOIN admin_users a ON a.user_id = u.id \
        WHERE u.email = $1", postgres + " FOR NO KEY UPDATE OF u";
    LIST = "SELECT u.email, a.active, f.enabled_at, a.created_at \
        FROM admin_users a JOIN users u ON u.id = a.user_id LEFT JOIN two_factor f ON f.user_id = u.id \
        ORDER BY a.created_at, u.email";
    COUNT_ACTIVE = "SELECT COUNT(*) FROM admin_users WHERE active";
    DELETE_UNCONFIRMED = "DELETE FROM users WHERE email = $1 AND confirmed_at IS NULL";
    INSERT_USER = "INSERT INTO users (id, email, password_hash, confirmed_at, password_changed_at, created_at, \
            updated_at) \
        VALUES ($1, $2, $3, $4, $4, $4, $4)";
    HISTORY = "SELECT u.created_at, u.confirmed_at, \
            (SELECT MAX(s.used_at) FROM sessions s WHERE s.user_id = u.id) AS used_at, \
            (SELECT MAX(a.at) FROM audit_log a WHERE a.actor = u.id AND a.event LIKE 'session_%') AS audited_at \
        FROM users u \
        WHERE u.id = $1";
    GRANT = "INSERT INTO admin_users (user_id, active, mfa_enabled, created_at, updated_at) \
        VALUES ($1, TRUE, \
            EXISTS (SELECT 1 FROM two_factor f WHERE f.user_id = $1 AND f.enabled_at IS NOT NULL), $2, $2) \
        ON CONFLICT (user_id) DO UPDATE SET active = TRUE, updated_at = excluded.updated_at, \
            version = admin_users.version + 1";
    REVOKE = "UPDATE admin_users SET active = FALSE, updated_at = $2, version = version + 1 \
        WHERE user_id = $1 AND active";
}

#[derive(Clone, Debug, Subcommand)]
pub enum AdminCommand {
    /// Make a confirmed account with admin rights, and print its password this one time.
    Create {
        /// Its e-mail address.
        email: String,
        /// Take the password from standard input (one line, 12 to 128 characters) instead of making one up.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Give an existing account admin rights. Says since when it has been there, ends its sessions, and voids the links mailed to
    /// it and its password: its person gets a link to a new one.
    Grant {
        /// Its e-mail address.
        email: String,
        /// Leave the password as it is: only for an account whose password certainly is its person's own.
        #[arg(long)]
        keep_password: bool,
    },
    /// Take the admin rights from an account, at once; the account stays.
    Revoke {
        /// Its e-mail address.
        email: String,
    },
    /// Take the second factor off an account whose person lost it; its sessions end, and a mail tells so.
    ResetTwoFactor {
        /// Its e-mail address.
        email: String,
    },
    /// List everybody who has or had admin rights.
    List,
}

#[derive(Clone, Debug)]
pub struct Desk {
    pub db: Db,
    pub clock: Clock,
    pub origin: Origin,
    pub label: LabelView,
    pub key_path: PathBuf,
    /// Whether mail is captured, so that its links are printed too.
    pub captures_mail: bool,
}

#[derive(Debug, sqlx_macros::FromRow)]
struct Account {
    id: UserId,
    confirmed_at: Option<Micros>,
    active: Option<bool>,
}

#[derive(Debug, sqlx_macros::FromRow)]
#[expect(clippy::struct_field_names, reason = "instants are named so everywhere")]
struct History {
    created_at: Micros,
    confirmed_at: Option<Micros>,
    used_at: Option<Micros>,
    /// When a session was last begun, renewed or ended; a sign-out leaves nothing else.
    audited_at: Option<Micros>,
}

#[derive(Debug, sqlx_macros::FromRow)]
struct Row {
    email: String,
    active: bool,
    enabled_at: Option<Micros>,
    created_at: Micros,
}

impl Desk {
    pub async fn run(&self, command: AdminCommand, password: Option<Password>) -> anyhow::Result<String> {
        match command {
            AdminCommand::Create { email, .. } => {
                let (tx, said) = self.begin_to_create(&email, password).await?;
                tx.commit().await?;
                Ok(said)
            }
            AdminCommand::Grant { email, keep_password } => self.grant(&parse(&email)?, keep_password).await,
            AdminCommand::Revoke { email } => self.revoke(&parse(&email)?).await,
            AdminCommand::ResetTwoFactor { email } => self.reset_two_factor(&parse(&email)?).await,
            AdminCommand::List => self.list().await,
        }
    }

    /// Makes an account with admin rights, which exists once the transaction is committed. Returns the text to print, which contains the
    /// password and must be printed before the commit.
    pub async fn begin_to_create(
        &self,
        email: &str,
        typed: Option<Password>,
    ) -> anyhow::Result<(Tx, String)> {
        let email = &parse(email)?;
        let is_made_up = typed.is_none();
        let password = typed.unwrap_or_else(make_password);
        password::check_admin_password(password.expose()).context("the password")?;
        let hash = Hasher::new()?.hash(&password).await?;
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        if find(&mut tx, email).await?.is_some_and(|account| account.confirmed_at.is_some()) {
            bail!(
                "{email} has an account already, whoever made it; give it admin rights with: deadwax admin grant {email} \
                (its password counts no more then, and a link to a new one is mailed to it)"
            );
        }
        // An unconfirmed sign-up does not reserve the address.
        tx.query(DELETE_UNCONFIRMED).bind(email).execute().await?;
        let id = UserId::generate();
        tx.query(INSERT_USER).bind(id).bind(email).bind(&hash).bind(now).execute().await?;
        sign_up::insert_default_profile(&mut tx, id, email, now).await?;
        tx.query(GRANT).bind(id).bind(now).execute().await?;
        record_system(&mut tx, now, "user_created", Some(&user(id)), "account").await?;
        record_system(&mut tx, now, "authz_change", Some(&user(id)), "admin_granted").await?;
        let said = if is_made_up {
            format!("email: {email}\npassword: {}", password.expose())
        } else {
            format!("{email} is an admin")
        };
        Ok((tx, said))
    }

    async fn grant(&self, email: &str, keep_password: bool) -> anyhow::Result<String> {
        let now = self.clock.now();
        let keys = Keys::of(&self.db, &self.key_path, now).await?;
        let mut tx = self.db.begin().await?;
        let account = existing(&mut tx, email).await?;
        if account.active == Some(true) {
            return Ok(format!("{email} is an admin already"));
        }
        let history = tx.query(HISTORY).bind(account.id).one::<History>().await?;
        tx.query(GRANT).bind(account.id).bind(now).execute().await?;
        // A session planted or left open before must not become an admin's; nor may an earlier link, such as one that moves the account
        // back to a stranger's mailbox, or a password chosen by a stranger.
        session::end_others(&mut tx, account.id, None).await?;
        links::void_all(&mut tx, now, account.id).await?;
        record_system(&mut tx, now, "authz_change", Some(&user(account.id)), "admin_granted").await?;
        let mut lines = vec![format!("{email} is an admin, and signs in again"), history.summary()];
        if !keep_password {
            account_password::void(&mut tx, account.id, &Hasher::new()?, now).await?;
            record_system(&mut tx, now, "authn_password_change", Some(&user(account.id)), "voided").await?;
            lines.extend(self.mail_link(&mut tx, &keys, &account, email, now).await?);
        }
        tx.commit().await?;
        Ok(lines.join("\n"))
    }

    fn label(&self, at: Micros) -> Label<'_> {
        self.label.in_letter(&self.origin, at)
    }

    async fn mail_link(
        &self,
        tx: &mut Tx,
        keys: &Keys,
        account: &Account,
        email: &str,
        now: Micros,
    ) -> anyhow::Result<Vec<String>> {
        let token = links::create(tx, now, NewLink::new(Purpose::Reset, account.id)).await?;
        let label = self.label(now);
        let letter = letters::admin_granted(&label, token.expose());
        let not_after = Some(now + Purpose::Reset.life());
        let mail = Mail { not_after, ..Mail::new("admin_granted", email, letter) };
        deadwax_mail::enqueue(tx, keys, now, &mail).await?;
        let mut lines = vec![
            "its password counts no more; a link to a new one is mailed to it, and counts for an hour"
                .to_owned(),
        ];
        if self.captures_mail {
            lines.push(format!(
                "mail stays on this machine, so here is the link: {}",
                letters::reset_link(&label, token.expose())
            ));
        }
        Ok(lines)
    }

    async fn revoke(&self, email: &str) -> anyhow::Result<String> {
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let account = find(&mut tx, email).await?;
        let Some(account) = account.filter(|account| account.active == Some(true)) else {
            bail!("{email} is no admin");
        };
        tx.query(REVOKE).bind(account.id).bind(now).execute().await?;
        record_system(&mut tx, now, "authz_change", Some(&user(account.id)), "admin_revoked").await?;
        let left = tx.query(COUNT_ACTIVE).value::<i64>().await?;
        tx.commit().await?;
        Ok(if left == 0 {
            format!("{email} is no admin any more; nobody is: make one with: deadwax admin grant EMAIL")
        } else {
            format!("{email} is no admin any more")
        })
    }

    async fn reset_two_factor(&self, email: &str) -> anyhow::Result<String> {
        let now = self.clock.now();
        let keys = Keys::of(&self.db, &self.key_path, now).await?;
        let mut tx = self.db.begin().await?;
        let account = existing(&mut tx, email).await?;
        if !two_factor::remove(&mut tx, account.id, now).await? {
            bail!("{email} has no second factor");
        }
        session::end_others(&mut tx, account.id, None).await?;
        record_system(&mut tx, now, "mfa_disabled", Some(&user(account.id)), "two_factor").await?;
        let mail = Mail::new("two_factor_changed", email, letters::two_factor_off(&self.label(now)));
        deadwax_mail::enqueue(&mut tx, &keys, now, &mail).await?;
        tx.commit().await?;
        Ok(format!("{email} signs in again with the password alone; the server mails a notice"))
    }

    async fn list(&self) -> anyhow::Result<String> {
        let rows = self.db.query(LIST).all::<Row>().await?;
        if rows.is_empty() {
            return Ok("nobody is an admin; make one with: deadwax admin create EMAIL".to_owned());
        }
        let width = rows.iter().map(|row| row.email.chars().count()).max().unwrap_or(0).max("email".len());
        let line = |email: &str, active: &str, factor: &str, since: &str| {
            format!("{email:width$}  {active:6}  {factor:10}  {since}")
        };
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let mut lines = vec![line("email", "active", "two-factor", "since")];
        lines.extend(rows.iter().map(|row| {
            let since = rfc3339(row.created_at);
            line(
                &row.email,
                word(row.active),
                word(row.enabled_at.is_some()),
                since.get(..10).unwrap_or(&since),
            )
        }));
        Ok(lines.join("\n"))
    }
}

fn parse(email: &str) -> anyhow::Result<String> {
    let parsed = Email::parse(&account_mail::to_ascii(email)).with_context(|| email.to_owned())?;
    Ok(parsed.into_string())
}

fn user(id: UserId) -> String {
    format!("user:{id}")
}

async fn find(tx: &mut Tx, email: &str) -> sqlx::Result<Option<Account>> {
    tx.query(FIND).bind(email).optional::<Account>().await
}

impl History {
    /// When the account was made, confirmed and last used, for the operator to verify before granting rights.
    fn summary(&self) -> String {
        let at = |moment: Micros| {
            format!("on {}", rfc3339(moment).get(..16).unwrap_or_default().replace('T', " at "))
        };
        let used = self.used_at.max(self.audited_at).map_or_else(|| "not lately".to_owned(), at);
        let confirmed = self.confirmed_at.map_or_else(|| "never".to_owned(), at);
        format!("the account was made {}, confirmed {confirmed}, last used {used} (UTC)", at(self.created_at))
    }
}

async fn existing(tx: &mut Tx, email: &str) -> anyhow::Result<Account> {
    let Some(account) = find(tx, email).await? else {
        bail!("{email} has no account; make one with: deadwax admin create {email}");
    };
    if account.confirmed_at.is_none() {
        bail!("{email} is not confirmed yet: its person opens the mailed link first");
    }
    Ok(account)
}

/// 100 random bits in four groups of five unambiguous letters and digits.
fn make_password() -> Password {
    const SIGNS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let random: [u8; 20] = rand::random();
    let mut password = String::with_capacity(23);
    for (place, byte) in random.iter().enumerate() {
        if place > 0 && place % 5 == 0 {
            password.push('-');
        }
        password.push(char::from(SIGNS[usize::from(byte % 32)]));
    }
    password.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_up_password_is_long_enough_and_never_the_same() {
        let (one, other) = (make_password(), make_password());
        assert_ne!(one, other);
        assert_eq!(one.expose().len(), 23);
        assert!(password::check_admin_password(one.expose()).is_ok());
    }
}
