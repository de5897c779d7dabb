# A canonicalizer as it is often written, and the loop that lets Touchstone ask it.
# Replace canonicalize by your own; it takes bytes and returns bytes, or raises.
import json, sys

def canonicalize(text):
    value = json.loads(text)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

if sys.stdin.readline() != "hello 1 profile=rfc8785\n":
    sys.exit()  # this profile alone is served
print("hello 1 name=naive", flush=True)
for line in sys.stdin:
    if line == "bye\n":
        break
    id, operation, payload = line.split()
    if operation != "canon":
        print(id, "skip", flush=True)
        continue
    try:
        out = canonicalize(bytes.fromhex("" if payload == "-" else payload))
        print(id, "ok", out.hex() or "-", flush=True)
    except Exception:
        print(id, "reject -", flush=True)
