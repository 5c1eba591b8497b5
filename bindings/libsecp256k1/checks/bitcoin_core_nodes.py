"""Runs two nodes of Bitcoin Core, one on each library: bitcoin_core_nodes.py BITCOIND FOLDER ORIGINAL OURS.

They speak by BIP 324's encrypted transport. Both make the same signatures, and each takes blocks of the other.
"""

import base64
import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request

DEADLINE = 120
# The secret keys 1 and 2, and their public keys.
KEYS = ["cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA", "cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87K7XCyj5v"]
PUBLIC = ["0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
          "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"]
# The address of key 1.
TARGET = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
DESCRIPTORS = [
    f"pkh({KEYS[0]})", f"wpkh({KEYS[0]})", f"sh(wpkh({KEYS[1]}))", f"wsh(multi(2,{KEYS[0]},{KEYS[1]}))",
    f"tr({KEYS[0]})", f"tr({PUBLIC[0]},pk({KEYS[1]}))", f"tr({PUBLIC[1]},multi_a(1,{KEYS[0]},{PUBLIC[1]}))",
]


def until(condition):
    end = time.monotonic() + DEADLINE
    while not (found := condition()):
        assert time.monotonic() < end, "nothing came in time"
        time.sleep(0.1)
    return found


class Refused(Exception):
    """What a node answers while it starts, or to a wrong call."""


class Node:
    def __init__(self, stack, program, folder, library, port):
        self.folder, self.port = folder, port
        os.makedirs(folder)
        self.process = subprocess.Popen(
            [program, "-regtest", f"-datadir={folder}", f"-bind=127.0.0.1:{port}", f"-rpcport={port + 1}", "-server",
             "-listenonion=0", "-discover=0", "-dnsseed=0", "-fixedseeds=0", "-v2transport=1", "-txindex"],
            env=os.environ | {"LD_LIBRARY_PATH": library}, stdout=subprocess.DEVNULL)
        stack.callback(self.process.kill)
        until(self.answers)
        with open(f"/proc/{self.process.pid}/maps") as maps:
            loaded = {line.split()[-1] for line in maps if "/libsecp256k1.so" in line}
        assert loaded == {f"{library}/libsecp256k1.so.7"}, loaded

    def answers(self):
        assert self.process.poll() is None, "the node ended"
        with contextlib.suppress(OSError, Refused):
            with open(f"{self.folder}/regtest/.cookie") as cookie:
                self.secret = base64.b64encode(cookie.read().encode()).decode()
            return self("uptime") is not None

    def __call__(self, method, *parameters):
        body = json.dumps({"jsonrpc": "2.0", "id": 0, "method": method, "params": parameters}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port + 1}", body, {
            "Authorization": f"Basic {self.secret}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=DEADLINE) as reply:
            answer = json.load(reply)
        if "error" in answer:
            raise Refused(method, answer["error"])
        return answer["result"]

    def stop(self):
        self("stop")
        assert self.process.wait(DEADLINE) == 0


def agree(nodes):
    until(lambda: len({node("getbestblockhash") for node in nodes}) == 1)


def main(stack, program, folder, original, ours):
    base = 20000 + os.getpid() % 10000
    theirs = Node(stack, program, f"{folder}/original", original, base)
    mine = Node(stack, program, f"{folder}/ours", ours, base + 2)
    nodes = [theirs, mine]

    mine("addnode", f"127.0.0.1:{base}", "onetry", True)
    sessions = [until(lambda: [peer["session_id"] for peer in node("getpeerinfo")
                               if peer["transport_protocol_type"] == "v2" and peer["version"]]) for node in nodes]
    assert sessions[0] == sessions[1] and len(sessions[0][0]) == 64, sessions

    coins = []
    for descriptor in DESCRIPTORS:
        public = [node("getdescriptorinfo", descriptor)["descriptor"] for node in nodes]
        assert public[0] == public[1]
        [block] = mine("generatetodescriptor", 1, public[0])
        coins.append(mine("getblock", block)["tx"][0])
    agree(nodes)
    theirs("generatetodescriptor", 101, theirs("getdescriptorinfo", "raw(51)")["descriptor"])
    agree(nodes)

    spent = []
    for number, (descriptor, coin) in enumerate(zip(DESCRIPTORS, coins, strict=True)):
        psbt = mine("createpsbt", [{"txid": coin, "vout": 0}], [{TARGET: 49.99}])
        signed = [node("descriptorprocesspsbt", psbt, [descriptor]) for node in nodes]
        assert signed[0]["complete"] and signed[0] == signed[1], (descriptor, signed)
        # Each node checks what the other passes on.
        spent.append(nodes[number % 2]("sendrawtransaction", signed[0]["hex"], 0))
    until(lambda: all(set(node("getrawmempool")) == set(spent) for node in nodes))
    theirs("generatetodescriptor", 1, theirs("getdescriptorinfo", "raw(51)")["descriptor"])
    agree(nodes)
    assert all(node("getrawmempool") == [] and node("verifychain", 4, 0) for node in nodes)

    [address] = mine("deriveaddresses", mine("getdescriptorinfo", DESCRIPTORS[0])["descriptor"])
    texts = [node("signmessagewithprivkey", KEYS[0], "a message") for node in nodes]
    assert texts[0] == texts[1]
    assert all(node("verifymessage", address, texts[0], "a message") for node in nodes)
    assert not any(node("verifymessage", address, texts[0], "another") for node in nodes)
    for node in nodes:
        node.stop()
    print(f"bitcoind: two nodes agree, and {len(spent)} kinds of outputs are spent")


with contextlib.ExitStack() as stack:
    main(stack, *sys.argv[1:])
