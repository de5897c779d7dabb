#!/bin/sh
# Copies the sources of github.com/cyberphone/json-canonicalization, in the
# version that this project's go.mod requires, and compiles those in Java.
set -e
cd "$(dirname "$0")"
go mod download github.com/cyberphone/json-canonicalization
from=$(go list -m -f '{{.Dir}}' github.com/cyberphone/json-canonicalization)
rm -rf build && mkdir build
cp -R "$from/node-es6" "$from/python3/src" "$from/java/canonicalizer/src/org" build/
chmod -R u+w build
go list -m -f '{{.Version}}' github.com/cyberphone/json-canonicalization >build/version
if command -v javac >/dev/null; then
	javac -nowarn -cp build -d build Adapter.java
fi
