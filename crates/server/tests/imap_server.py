"""A small IMAP server with one mailbox, for the tests of mail that comes back.

imap_server.py: listens on a free port of 127.0.0.1. On standard output, a JSON object a line: {"port"} once, then {"seen"} for each mail that
is marked as read. Each line on standard input is a JSON text: a mail that arrives. The user is `bounces`, the password `secret`.
"""

import asyncio
import json
import re
import sys

mails = []
seen = set()


def say(**event):
    print(json.dumps(event), flush=True)


async def serve(reader, writer):
    def line(text):
        writer.write(text.encode() + b"\r\n")

    line("* OK ready")
    while command := (await reader.readline()).decode().strip():
        tag, _, rest = command.partition(" ")
        what = rest.upper()
        if what.startswith("LOGIN"):
            ok = rest.split(" ", 1)[1].replace('"', "") == "bounces secret"
            line(f"{tag} OK" if ok else f"{tag} NO [AUTHENTICATIONFAILED] bounces is refused")
        elif what.startswith("SELECT"):
            if "Missing" in rest:
                line(f"{tag} NO no such folder")
            else:
                line(f"* {len(mails)} EXISTS")
                line("* OK [UIDVALIDITY 7] valid")
                line(f"{tag} OK [READ-WRITE] selected")
        elif what.startswith("UID SEARCH UNSEEN"):
            unseen = [str(uid) for uid in range(1, len(mails) + 1) if uid not in seen]
            line(" ".join(["* SEARCH", *unseen]))
            line(f"{tag} OK searched")
        elif match := re.match(r"UID FETCH (\d+) .*<0\.(\d+)>", what):
            uid, most = int(match[1]), int(match[2])
            body = mails[uid - 1].encode()[:most]
            writer.write(f"* {uid} FETCH (UID {uid} BODY[]<0> {{{len(body)}}}\r\n".encode() + body + b")\r\n")
            line(f"{tag} OK fetched")
        elif match := re.match(r"UID STORE (\d+) \+FLAGS", what):
            seen.add(int(match[1]))
            say(seen=int(match[1]))
            line(f"{tag} OK stored")
        elif what.startswith("LOGOUT"):
            line("* BYE")
            line(f"{tag} OK")
            break
        else:
            line(f"{tag} BAD unknown")
        await writer.drain()
    await writer.drain()
    writer.close()


async def main():
    loop = asyncio.get_running_loop()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    say(port=server.sockets[0].getsockname()[1])
    arriving = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(arriving), sys.stdin)
    while line := await arriving.readline():
        mails.append(json.loads(line))
        say(arrived=len(mails))


asyncio.run(main())
