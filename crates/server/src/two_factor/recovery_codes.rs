//! The ten recovery codes: made with the factor, each valid once, stored as MACs.

use deadwax_store::{
    clock::Micros,
    crypto::Keys,
    db::{Db, Tx},
    statements,
};
use rules::codes::{OFFLINE_CODES, offline_code};
use uuid::Uuid;

statements! {
    COUNT = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1 AND kind = 'offline' AND used_at IS NULL";
    DELETE = "DELETE FROM recovery_codes WHERE user_id = $1 AND kind = 'offline'";
    INSERT = "INSERT INTO recovery_codes (id, user_id, kind, code_mac, created_at) VALUES ($1, $2, 'offline', $3, $4)";
    USE = "UPDATE recovery_codes SET used_at = $3 \
        WHERE user_id = $1 AND kind = 'offline' AND code_mac = $2 AND used_at IS NULL";
}

/// `code` in upper case and without its hyphen.
fn mac(keys: &Keys, user_id: Uuid, code: &str) -> Vec<u8> {
    keys.mac(&[b"offline_code", user_id.as_bytes(), code.as_bytes()])
}

/// Replaces all codes of an account; returns them as they are shown, `XXXXX-XXXXX`.
pub(super) async fn replace(
    tx: &mut Tx,
    keys: &Keys,
    user_id: Uuid,
    now: Micros,
) -> sqlx::Result<Vec<String>> {
    tx.query(DELETE).bind(user_id).execute().await?;
    let codes: Vec<String> = (0..OFFLINE_CODES).map(|_| offline_code(rand::random())).collect();
    for code in &codes {
        let mac = mac(keys, user_id, &code.replace('-', ""));
        tx.query(INSERT).bind(Uuid::now_v7()).bind(user_id).bind(mac).bind(now).execute().await?;
    }
    Ok(codes)
}

/// Uses up a code, in upper case and without its hyphen; whether it was valid.
pub(super) async fn spend(
    tx: &mut Tx,
    keys: &Keys,
    user_id: Uuid,
    code: &str,
    now: Micros,
) -> sqlx::Result<bool> {
    Ok(tx.query(USE).bind(user_id).bind(mac(keys, user_id, code)).bind(now).execute().await? > 0)
}

pub(super) async fn left(db: &Db, user_id: Uuid) -> sqlx::Result<i64> {
    Ok(db.query(COUNT).bind(user_id).one::<(i64,)>().await?.0)
}
