#!/usr/bin/env python3
"""Lets Touchstone ask Python's json.dumps by the line protocol, used as if it were RFC 8785."""
import json
import sys


def canonicalize(text: bytes) -> bytes:
    value = json.loads(text.decode("utf-8"))
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def answer(op: str, payload: bytes) -> str:
    if op != "canon":
        return "skip"
    try:
        return "ok " + (canonicalize(payload).hex() or "-")
    except (ValueError, RecursionError) as refusal:
        return "reject - " + (str(refusal)[:200].encode("utf-8", "replace").hex() or "-")


for line in sys.stdin:
    words = line.split()
    if words[0] == "bye":
        break
    if words[0] == "hello":
        if words[2] != "profile=rfc8785":
            break
        print(f"hello 1 name=json.dumps version={sys.version.split()[0]} window=64", flush=True)
    else:
        payload = b"" if words[2] == "-" else bytes.fromhex(words[2])
        print(words[0], answer(words[1], payload), flush=True)
