# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_deadwax_global_optspecs
    string join \n listen= public-url= data-dir= label-name= key-file= tls-cert= tls-key= admin-mfa= paint= numbers= admin-listen= database-url= storage-url= backup-url= backup-recipient= backup-ping= smtp-url= mail-from= contact-to= bounce-address= bounce-url= dns-server= ai-url= ai-key= ai-model= trusted-proxies= log= h/help
end

function __fish_deadwax_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_deadwax_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_deadwax_using_subcommand
    set -l cmd (__fish_deadwax_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c deadwax -n "__fish_deadwax_needs_command" -l listen -d 'Address and port the website listens on. A port alone is on this machine, `:PORT` on all its addresses. Default: 127.0.0.1:8080' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l public-url -d 'The website\'s address as visitors type it; links in mails and pages are made from it. Default: the listen address' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l data-dir -d 'Folder of the database, the files and the spool. Default: ./data' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l label-name -d 'The label\'s name, one line. Default: 404 COLLECTIVE' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l key-file -d 'The key that encrypts two-factor secrets and queued mail and signs cookies; made at the first start. Every instance needs the same, and backups leave it out. Default: `key` in the data folder' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l tls-cert -d 'PEM file with the certificate chain; serves https itself' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l tls-key -d 'PEM file with the certificate\'s key' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l admin-mfa -d 'Whether admins may work without a second factor: `offered` warns of it, `required` asks for its set-up first. Default: offered' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l paint -d 'Whether public pages carry their text when they arrive (`on`), or browsers make it all (`off`). Default: on' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l numbers -d 'Whether visits are counted (`on`), or browsers tell nothing of them (`off`). Default: on' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l admin-listen -d 'Address and port that serve /metrics; off unless set' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l database-url -d '`postgres://user:password@host/name`; without it, SQLite in the data folder' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l storage-url -d '`s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`; without it, files in the data folder' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l backup-url -d 'Where backups are written to: a folder on another disk, or a bucket as `s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l backup-recipient -d 'The public key that backups are encrypted to, `age1…`, from `deadwax backup-key`' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l backup-ping -d 'An address that is fetched after each proven backup: `https://…`' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l smtp-url -d '`smtps://user:password@host` or `smtp://…` (by STARTTLS); without it, mail is captured in the data folder' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l mail-from -d 'The sender of mail, as `mail@label.example` or `The Label <mail@label.example>`' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l contact-to -d 'Where messages to the label go' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l bounce-address -d 'Where letters to the subscribers come back to if they cannot be delivered, also with `+` and more before the `@`' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l bounce-url -d 'The mailbox of `BOUNCE_ADDRESS`, which is read every five minutes: `imaps://user:password@host/Folder`' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l dns-server -d 'The DNS server that looks up the domain of `MAIL_FROM`: an address, with a port unless it is 53. Default: the system\'s' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l ai-url -d 'A language model that answers in the terminal: `https://host/v1` or the whole address of its chat completions; without it, the program answers from the catalogue' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l ai-key -d 'The key that the language model asks for' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l ai-model -d 'The name of the language model. Default: gpt-4o-mini' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l trusted-proxies -d 'Reverse proxies whose X-Forwarded-For is believed, separated by commas: addresses or networks, as `10.0.0.1` or `fd00::/8`' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -l log -d 'The log level: `error`, `warn`, `info`, `debug` or per module as `deadwax=debug,info`. Default: info' -r
complete -c deadwax -n "__fish_deadwax_needs_command" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "serve" -d 'Serve the website (brings the database up to date by itself)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "migrate" -d 'Bring the database up to date, and end'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "healthy" -d 'Ask the server on this machine whether it is ready; ends with 1 if not'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "sample" -d 'Load a made-up label into an empty database (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "check" -d 'Look for damaged or missing data (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "backup" -d 'Back the label up to `BACKUP_URL` and prove it, or write everything but the key file into a folder (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "backups" -d 'List the backups of `BACKUP_URL`'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "backup-key" -d 'Print a new pair of keys for `BACKUP_RECIPIENT`. It is stored nowhere'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "restore" -d 'Bring a backup into an empty database and storage, whichever these are. Everybody signs in again'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "import" -d 'Bring releases in from a table (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "export" -d 'Write releases, artists or numbers of visits as CSV to standard output (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "admin" -d 'Say who may enter the admin area (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "newsletter" -d 'Take an address off the newsletter (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "bounces" -d 'Read a mail that came back about a letter from standard input (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand serve" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand migrate" -l without-snapshot -d 'Change the database without writing a snapshot of it first'
complete -c deadwax -n "__fish_deadwax_using_subcommand migrate" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand healthy" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand sample" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand check" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand backup" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand backups" -l identity -d 'File with the owner\'s secret key, as `deadwax backup-key` or `age-keygen` printed it' -r -F
complete -c deadwax -n "__fish_deadwax_using_subcommand backups" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand backup-key" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand restore" -l at -d 'The last backup of this time by UTC, as `deadwax backups` lists them: `2026-11-26` or `2026-11-26T03:30`. Default: the newest' -r
complete -c deadwax -n "__fish_deadwax_using_subcommand restore" -l identity -d 'File with the owner\'s secret key, as `deadwax backup-key` or `age-keygen` printed it' -r -F
complete -c deadwax -n "__fish_deadwax_using_subcommand restore" -l keep-sessions -d 'Keep sessions, links and codes in mails valid: for a move, when nothing has happened since the backup'
complete -c deadwax -n "__fish_deadwax_using_subcommand restore" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and not __fish_seen_subcommand_from releases help" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and not __fish_seen_subcommand_from releases help" -f -a "releases" -d 'Releases from a CSV or TSV file with a header; all of them, or none where a row cannot be imported'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and not __fish_seen_subcommand_from releases help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from releases" -l year-alone -d 'How to treat rows that have a year and no day' -r -f -a "first-day\t'The first day of it'
last-day\t'The last day of it'
leave-out\t'They are left out'"
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from releases" -l date-order -d 'Which number is the month in dates such as 03/12/2019' -r -f -a "day-first\t'03/12/2019 is 3 December'
month-first\t'03/12/2019 is March 12'"
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from releases" -l dry-run -d 'Say what would be done, and do nothing. Ends as the import would'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from releases" -l drafts -d 'Make drafts of rows that say no state'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from releases" -l leave-out-refused -d 'Leave out the rows that cannot be imported'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from releases" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from help" -f -a "releases" -d 'Releases from a CSV or TSV file with a header; all of them, or none where a row cannot be imported'
complete -c deadwax -n "__fish_deadwax_using_subcommand import; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and not __fish_seen_subcommand_from create grant revoke reset-two-factor list help" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and not __fish_seen_subcommand_from create grant revoke reset-two-factor list help" -f -a "create" -d 'Make a confirmed account with admin rights, and print its password this one time'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and not __fish_seen_subcommand_from create grant revoke reset-two-factor list help" -f -a "grant" -d 'Give an existing account admin rights. Says since when it has been there, ends its sessions, and voids the links mailed to it and its password: its person gets a link to a new one'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and not __fish_seen_subcommand_from create grant revoke reset-two-factor list help" -f -a "revoke" -d 'Take the admin rights from an account, at once; the account stays'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and not __fish_seen_subcommand_from create grant revoke reset-two-factor list help" -f -a "reset-two-factor" -d 'Take the second factor off an account whose person lost it; its sessions end, and a mail tells so'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and not __fish_seen_subcommand_from create grant revoke reset-two-factor list help" -f -a "list" -d 'List everybody who has or had admin rights'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and not __fish_seen_subcommand_from create grant revoke reset-two-factor list help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from create" -l password-stdin -d 'Take the password from standard input (one line, 12 to 128 characters) instead of making one up'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from grant" -l keep-password -d 'Leave the password as it is: only for an account whose password certainly is its person\'s own'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from grant" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from revoke" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from reset-two-factor" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from help" -f -a "create" -d 'Make a confirmed account with admin rights, and print its password this one time'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from help" -f -a "grant" -d 'Give an existing account admin rights. Says since when it has been there, ends its sessions, and voids the links mailed to it and its password: its person gets a link to a new one'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from help" -f -a "revoke" -d 'Take the admin rights from an account, at once; the account stays'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from help" -f -a "reset-two-factor" -d 'Take the second factor off an account whose person lost it; its sessions end, and a mail tells so'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from help" -f -a "list" -d 'List everybody who has or had admin rights'
complete -c deadwax -n "__fish_deadwax_using_subcommand admin; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand newsletter; and not __fish_seen_subcommand_from remove help" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand newsletter; and not __fish_seen_subcommand_from remove help" -f -a "remove" -d 'Erase an address'
complete -c deadwax -n "__fish_deadwax_using_subcommand newsletter; and not __fish_seen_subcommand_from remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand newsletter; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand newsletter; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Erase an address'
complete -c deadwax -n "__fish_deadwax_using_subcommand newsletter; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand bounces" -s h -l help -d 'Print help'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "serve" -d 'Serve the website (brings the database up to date by itself)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "migrate" -d 'Bring the database up to date, and end'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "healthy" -d 'Ask the server on this machine whether it is ready; ends with 1 if not'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "sample" -d 'Load a made-up label into an empty database (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "check" -d 'Look for damaged or missing data (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "backup" -d 'Back the label up to `BACKUP_URL` and prove it, or write everything but the key file into a folder (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "backups" -d 'List the backups of `BACKUP_URL`'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "backup-key" -d 'Print a new pair of keys for `BACKUP_RECIPIENT`. It is stored nowhere'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "restore" -d 'Bring a backup into an empty database and storage, whichever these are. Everybody signs in again'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "import" -d 'Bring releases in from a table (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "export" -d 'Write releases, artists or numbers of visits as CSV to standard output (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "admin" -d 'Say who may enter the admin area (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "newsletter" -d 'Take an address off the newsletter (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "bounces" -d 'Read a mail that came back about a letter from standard input (also beside a running server)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and not __fish_seen_subcommand_from serve migrate healthy sample check backup backups backup-key restore import export admin newsletter bounces help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and __fish_seen_subcommand_from import" -f -a "releases" -d 'Releases from a CSV or TSV file with a header; all of them, or none where a row cannot be imported'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and __fish_seen_subcommand_from admin" -f -a "create" -d 'Make a confirmed account with admin rights, and print its password this one time'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and __fish_seen_subcommand_from admin" -f -a "grant" -d 'Give an existing account admin rights. Says since when it has been there, ends its sessions, and voids the links mailed to it and its password: its person gets a link to a new one'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and __fish_seen_subcommand_from admin" -f -a "revoke" -d 'Take the admin rights from an account, at once; the account stays'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and __fish_seen_subcommand_from admin" -f -a "reset-two-factor" -d 'Take the second factor off an account whose person lost it; its sessions end, and a mail tells so'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and __fish_seen_subcommand_from admin" -f -a "list" -d 'List everybody who has or had admin rights'
complete -c deadwax -n "__fish_deadwax_using_subcommand help; and __fish_seen_subcommand_from newsletter" -f -a "remove" -d 'Erase an address'
