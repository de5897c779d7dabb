"""Lets Touchstone ask canonicaljson, the canonical JSON of Matrix, by the line
protocol. Debian installs it for the system's own Python."""
import json
import sys
from importlib.metadata import version

from canonicaljson import encode_canonical_json


def answer(op, payload):
    if op != "canon":
        return "skip"
    try:
        return "ok " + (encode_canonical_json(json.loads(payload.decode("utf-8"))).hex() or "-")
    except (ValueError, RecursionError) as refusal:
        return "reject - " + (str(refusal)[:200].encode("utf-8", "replace").hex() or "-")


for line in sys.stdin:
    words = line.split()
    if words[0] == "bye" or words[0] == "hello" and words[2] != "profile=rfc8785":
        break
    if words[0] == "hello":
        print(f"hello 1 name=canonicaljson version={version('canonicaljson')} window=64", flush=True)
    else:
        print(words[0], answer(words[1], bytes.fromhex(words[2].replace("-", ""))), flush=True)
