#!/usr/bin/python3
"""old_label.py FOLDER VERSION: a data folder as the program of that schema left it, with an artist and releases."""
import hashlib, pathlib, re, sqlite3, sys

folder, newest = pathlib.Path(sys.argv[1]), int(sys.argv[2])
db = sqlite3.connect(folder / "deadwax.db", isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
# As sqlx keeps what it has applied.
db.execute("CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, installed_on TIMESTAMP NOT NULL "
           "DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, checksum BLOB NOT NULL, execution_time BIGINT NOT NULL)")
for path in sorted(pathlib.Path("migrations/sqlite").glob("*.sql")):
    number, name = re.match(r"(\d+)_(.*)\.sql", path.name).groups()
    if int(number) > newest:
        break
    db.executescript(path.read_text())
    db.execute("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (?, ?, TRUE, ?, 0)",
               (int(number), name.replace("_", " "), hashlib.sha384(path.read_bytes()).digest()))
artist = bytes(15) + b"\1"
db.execute("INSERT INTO artists (id, name, sort_key) VALUES (?, 'Mira Holm', 'mira holm')", (artist,))
for number in range(200):
    db.execute("INSERT INTO releases (id, title, sort_key, artist_id) VALUES (?, ?, ?, ?)",
               (bytes(15) + bytes([number]), f"Dead Air {number}", f"dead air {number:03}", artist))
db.close()
