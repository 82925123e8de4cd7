"""A small DNS server over UDP and TCP, for the tests of what is looked up about the sender.

dns_server.py: listens on a free port of 127.0.0.1. On standard output, {"port"} once, then {"set"} for each line that it has read. A line on
standard input is a JSON object: a name, and its records as {"TXT": [...], "MX": [[10, "mx.example"]], "A": [...], "CNAME": "other.example"}, or
"silent", "servfail" or "refused". Other names do not exist. Answers over 512 bytes are cut over UDP.
"""

import asyncio
import ipaddress
import json
import struct
import sys

KINDS = {1: "A", 5: "CNAME", 15: "MX", 16: "TXT", 28: "AAAA"}
NUMBERS = {name: number for number, name in KINDS.items()}
CODES = {"servfail": 2, "refused": 5}
zone = {}


def wire_name(name):
    parts = [part for part in name.rstrip(".").split(".") if part]
    return b"".join(bytes([len(part)]) + part.encode() for part in parts) + b"\0"


def wire_data(kind, value):
    if kind == "TXT":
        raw = value.encode()
        pieces = [raw[at : at + 255] for at in range(0, len(raw), 255)] or [b""]
        return b"".join(bytes([len(piece)]) + piece for piece in pieces)
    if kind == "MX":
        return struct.pack(">H", value[0]) + wire_name(value[1])
    if kind == "CNAME":
        return wire_name(value)
    return ipaddress.ip_address(value).packed


def asked(query):
    at, parts = 12, []
    while size := query[at]:
        parts.append(query[at + 1 : at + 1 + size].decode())
        at += size + 1
    return ".".join(parts).lower(), struct.unpack(">H", query[at + 1 : at + 3])[0], query[12 : at + 5]


def answer(query, most):
    name, number, question = asked(query)
    kind = KINDS.get(number)
    found = zone.get(name)
    if found == "silent":
        return None
    records, code, hops = [], CODES.get(found if isinstance(found, str) else "", 0), 0
    if found is None:
        code = 3
    while isinstance(found, dict) and hops < 40:
        if "CNAME" in found and kind != "CNAME":
            records.append((name, "CNAME", found["CNAME"]))
            name, hops = found["CNAME"].lower(), hops + 1
            found = zone.get(name)
            continue
        records += [(name, kind, value) for value in found.get(kind, [])]
        break
    body = b"".join(
        wire_name(owner) + struct.pack(">HHIH", NUMBERS[kind], 1, 60, len(data)) + data
        for owner, kind, value in records
        for data in [wire_data(kind, value)]
    )
    cut = most and len(body) > most
    flags = 0x8180 | code | (0x0200 if cut else 0)
    count = 0 if cut else len(records)
    return query[:2] + struct.pack(">HHHHH", flags, 1, count, 0, 0) + question + (b"" if cut else body)


class Udp(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, peer):
        if said := answer(data, 512):
            self.transport.sendto(said, peer)


async def tcp(reader, writer):
    size = struct.unpack(">H", await reader.readexactly(2))[0]
    if said := answer(await reader.readexactly(size), 0):
        writer.write(struct.pack(">H", len(said)) + said)
        await writer.drain()
    writer.close()


async def main():
    loop = asyncio.get_running_loop()
    server = await asyncio.start_server(tcp, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    await loop.create_datagram_endpoint(Udp, local_addr=("127.0.0.1", port))
    print(json.dumps({"port": port}), flush=True)
    lines = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        for name, records in json.loads(line).items():
            zone[name] = records
        print(json.dumps({"set": len(zone)}), flush=True)


asyncio.run(main())
