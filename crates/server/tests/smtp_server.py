"""A real mail server (aiosmtpd) that misbehaves on demand, for the tests of mail.

smtp_server.py PORT: listens on 127.0.0.1, also at a port that another socket holds without listening. A line on standard input sets what it does from then on, and the local
part of a recipient sets it for that mail alone: accept, slow (thinks for 4 seconds), stall, drop (takes the mail and hangs up before saying so), 421, 452,
454, 550, few (as accept, and 421 to the 61st mail of a connection). On standard output, a JSON object a line: {"port"} once, then {"sender", "to", "at", "data"} for each mail it
has read, with the time in milliseconds since 1970.
It ends when its standard input does.
"""

import asyncio
import json
import sys
import time

from aiosmtpd.smtp import SMTP

MODES = ("accept", "few", "slow", "stall", "drop", "421", "452", "454", "550")
REPLIES = {
    "421": "421 4.3.2 Going down, {0}",
    "452": "452 4.3.1 No room for {0}",
    "454": "454 4.7.1 Relay access denied, {0}",
    "550": "550 5.1.1 Nobody called {0}",
}
mode = "accept"


def say(**event):
    print(json.dumps(event), flush=True)


def mode_for(address):
    local = address.split("@")[0]
    return local if local in MODES else mode


class Handler:
    def __init__(self):
        self.mails = 0

    async def handle_MAIL(self, server, session, envelope, address, options):
        self.mails += 1
        if mode == "few" and self.mails > 60:
            return "421 too many messages in this connection"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        reply = REPLIES.get(mode_for(address))
        if reply:
            return reply.format(address)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        what = mode_for(envelope.rcpt_tos[0])
        if what == "stall":
            await asyncio.sleep(3600)
        text = envelope.content.decode("ascii", "backslashreplace")
        say(sender=envelope.mail_from, to=envelope.rcpt_tos, at=round(time.time() * 1000), data=text)
        if what == "slow":
            await asyncio.sleep(4)
        if what == "drop":
            server.transport.abort()
            await asyncio.sleep(3600)
        return "250 Taken"


async def main():
    global mode
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(Handler(), hostname="sink.example", enable_SMTPUTF8=False),
        "127.0.0.1",
        int(sys.argv[1]),
        reuse_port=True,
    )
    say(port=server.sockets[0].getsockname()[1])
    commands = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := (await commands.readline()).decode().strip():
        mode = line
        say(mode=mode)


asyncio.run(main())
