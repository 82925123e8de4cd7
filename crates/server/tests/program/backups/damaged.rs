//! Stores that were damaged or are hostile: a proof names the object, and a restore writes nothing of it.

use std::{fs, os::unix::fs::symlink, path::Path, time::Duration};

use deadwax_store::backup_runs::Kind;
use macro_rules_attribute::apply;

use super::{Backed, Place};
use crate::{on_both_engines, support::Engine};

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

#[apply(on_both_engines!)]
async fn a_flipped_bit_in_any_object_is_named(engine: Engine) {
    for is_sealed in [true, false] {
        let backed = Backed::in_folder(engine, is_sealed).await;
        backed.back_up().await;
        for path in backed.objects("") {
            let bytes = fs::read(&path).unwrap();
            let mut flipped = bytes.clone();
            // An empty table has no bit.
            let Some(byte) = flipped.len().checked_sub(1).map(|last| last / 2) else { continue };
            flipped[byte] ^= 1;
            fs::write(&path, flipped).unwrap();
            let words = backed.disproof().await;
            let time = words.contains("was not made with this label's key file");
            assert!(words.contains(&name(&path)) || time, "{}: {words}", path.display());
            fs::write(&path, bytes).unwrap();
        }
        assert_eq!(backed.run(Kind::Proof).await.failure, None);
    }
}

#[apply(on_both_engines!)]
async fn missing_truncated_swapped_and_older_objects_are_named(engine: Engine) {
    let backed = Backed::in_folder(engine, true).await;
    backed.back_up().await;
    let older = backed.objects("manifests").remove(0);
    backed.back_up().await;
    let newest = backed.objects("manifests").remove(1);
    let rows = backed.objects(&format!("rows/{}", super::time_of(&newest)));
    let (artists, files) =
        (rows.iter().find(|path| name(path).starts_with("artists")).unwrap(), backed.objects("files"));
    let releases = rows.iter().find(|path| name(path).starts_with("releases")).unwrap();
    for path in [artists, &files[0], &newest] {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(backed.disproof().await.contains(&name(path)));
        fs::write(path, bytes).unwrap();
    }
    for path in [artists, &files[0]] {
        let bytes = fs::read(path).unwrap();
        fs::remove_file(path).unwrap();
        let words = backed.disproof().await;
        assert!(words.contains(&name(path)) && words.ends_with("is missing"), "{words}");
        fs::write(path, bytes).unwrap();
    }
    for (one, other) in [(artists, releases), (&files[0], &files[1]), (&newest, &older)] {
        let (bytes, others) = (fs::read(one).unwrap(), fs::read(other).unwrap());
        fs::write(one, &others).unwrap();
        let words = backed.disproof().await;
        assert!(words.contains(&name(one)), "{words}");
        assert!(backed.restore(&Place::new(engine).await, "").await.is_err());
        fs::write(one, bytes).unwrap();
    }
    assert_eq!(backed.run(Kind::Proof).await.failure, None);
}

/// A store of another label is neither proved nor restored over this one's key file.
#[apply(on_both_engines!)]
async fn a_store_of_another_label_is_refused(engine: Engine) {
    let (mine, theirs) = (Backed::in_folder(engine, false).await, Backed::in_folder(engine, false).await);
    theirs.back_up().await;
    let backed = Backed { url: theirs.url.clone(), ..mine };
    let words = backed.disproof().await;
    assert!(words.contains("was not made with this label's key file"), "{words}");
    let place = Place::new(engine).await;
    fs::copy(backed.server.data.path().join("key"), place.data.path().join("key")).unwrap();
    let words = backed.restore(&place, "").await.unwrap_err().to_string();
    assert!(words.contains("was not made with this label's key file"), "{words}");
}

/// Links and names that lead out of the store or out of the folder are not followed.
#[apply(on_both_engines!)]
async fn nothing_outside_is_read_or_written(engine: Engine) {
    let backed = Backed::in_folder(engine, false).await;
    backed.back_up().await;
    let outside = tempfile::tempdir().unwrap();
    let file = backed.objects("files").remove(0);
    fs::rename(&file, outside.path().join("file")).unwrap();
    symlink(outside.path().join("file"), &file).unwrap();
    assert!(backed.disproof().await.ends_with("is missing"));
    let place = Place::new(engine).await;
    assert!(backed.restore(&place, "").await.is_err());
    fs::rename(outside.path().join("file"), &file).unwrap();

    // Where no key file vouches for it, a manifest may name anything.
    let manifest = backed.objects("manifests").remove(0);
    let text = fs::read_to_string(&manifest).unwrap();
    for table in ["../../../../outside", "/etc/passwd", "artists/../x", "ÄRZTE"] {
        fs::write(&manifest, text.replace("\"artists\"", &format!("\"{table}\""))).unwrap();
        let words = backed.restore(&place, "").await.unwrap_err().to_string();
        assert!(words.ends_with("is no table"), "{words}");
    }
    let objects = backed.objects("rows").into_iter().find(|path| name(path) == "objects.jsonl").unwrap();
    let (rows, mut forged) = (fs::read_to_string(&objects).unwrap(), serde_json::Value::Null);
    for key in ["../../outside", "releases/../../outside", "/outside"] {
        let first = rows.lines().next().unwrap();
        let mut row: serde_json::Value = serde_json::from_str(first).unwrap();
        row["key"] = key.into();
        let changed = rows.replacen(first, &row.to_string(), 1);
        fs::write(&objects, &changed).unwrap();
        forged = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        forged["tables"]["objects"]["sha256"] = sha256(changed.as_bytes()).into();
        fs::write(&manifest, format!("{forged}\n\n")).unwrap();
        let place = Place::new(engine).await;
        assert!(backed.restore(&place, "").await.is_err(), "{key}");
        assert!(!place.data.path().join("outside").exists());
        assert!(!place.data.path().parent().unwrap().join("outside").exists());
    }
    drop(forged);
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(bytes))
}

/// A file that the label itself has lost is named, and the rest is backed up.
#[apply(on_both_engines!)]
async fn a_damaged_file_of_the_label_is_a_warning(engine: Engine) {
    let backed = Backed::in_folder(engine, true).await;
    let media = backed.server.data.path().join("media");
    let mut files = Vec::new();
    super::walk(&media, &mut files);
    fs::write(&files[0], b"other bytes").unwrap();
    let run = backed.run(Kind::Backup).await;
    assert_eq!(run.failure, None);
    let words = run.warning.unwrap();
    assert!(words.contains("is damaged") && words.contains("deadwax check"), "{words}");
    let place = Place::new(engine).await;
    let restored = backed.restore(&place, "").await.unwrap();
    assert_eq!((restored.report.objects, restored.report.damaged.len()), (1, 1));
    backed.server.advance(Duration::from_secs(1));
}
