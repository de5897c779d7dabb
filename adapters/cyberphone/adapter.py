"""Lets Touchstone ask org.webpki.json.Canonicalize by the line protocol."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "build" / "src"))
from org.webpki.json.Canonicalize import canonicalize  # noqa: E402


def answer(op, payload):
    if op != "canon":
        return "skip"
    try:
        return "ok " + (canonicalize(json.loads(payload.decode("utf-8"))).hex() or "-")
    except (ValueError, RecursionError) as refusal:
        return "reject - " + (str(refusal)[:200].encode("utf-8", "replace").hex() or "-")


for line in sys.stdin:
    words = line.split()
    if words[0] == "bye" or words[0] == "hello" and words[2] != "profile=rfc8785":
        break
    if words[0] == "hello":
        print("hello 1 name=cyberphone-python window=64", flush=True)
    else:
        print(words[0], answer(words[1], bytes.fromhex(words[2].replace("-", ""))), flush=True)
