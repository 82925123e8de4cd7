//! Backups of the past, for fault rounds: `old_backups PLACE OWNER FOLDER [DATABASE_URL]` backs a label up as if it had been done on each of
//! the last nights and once a month before.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use deadwax::{
    jobs::Resources,
    operation::backups::{
        job::{BackupsJob, Target},
        label::Label,
        seal,
    },
};
use deadwax_store::{
    backup_runs::Kind,
    clock::{Clock, DAY},
    crypto::Keys,
    db::Db,
    spool::Spool,
    storage::Storage,
};
use tokio_util::sync::CancellationToken;

const AGES: [i64; 14] = [300, 270, 240, 210, 180, 150, 120, 90, 60, 30, 5, 4, 3, 2];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (place, owner, folder, url) = match arguments.as_slice() {
        [place, owner, folder] => (place, owner, folder, None),
        [place, owner, folder, url] => (place, owner, folder, Some(url.as_str())),
        _ => anyhow::bail!("old_backups PLACE OWNER FOLDER [DATABASE_URL]"),
    };
    let data_dir = PathBuf::from(folder);
    let key_path = data_dir.join("key");
    let now = Clock::System.now();
    let db = Db::open(url, &data_dir).await?;
    let storage = Storage::open(None, &data_dir)?;
    let keys = Keys::of(&db, &key_path, now).await?;
    let owner = Some(seal::read_recipient(owner).map_err(anyhow::Error::msg)?);
    for age in AGES {
        let clock = Clock::fixed(now - age * DAY);
        let resources =
            Resources { db: db.clone(), storage: storage.clone(), spool: Spool::open(&data_dir)?, clock };
        let label = Label { resources, data_dir: data_dir.clone(), key_path: key_path.clone() };
        let target = Target { url: place.clone().into(), owner: owner.clone(), ping: None };
        let job = BackupsJob::new(label, keys.clone(), target);
        let run =
            job.run_now(Kind::Backup, &CancellationToken::new()).await?.context("a run is under way")?;
        ensure!(run.failure.is_none(), "{}", run.failure.unwrap_or_default());
    }
    db.close().await;
    Ok(())
}
