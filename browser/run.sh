#!/usr/bin/env bash
# Runs the tests of pages in Chromium, by node's own test runner.
#
#   browser/run.sh [FILE...]
#
# Skipped by name without node, its packages or Chromium; with TOUCHSTONE_CI=1
# that is an error.
set -euo pipefail
cd "$(dirname "$0")"

skip() {
	echo "skipped: browser: $1" >&2
	[ "${TOUCHSTONE_CI:-}" != 1 ] || exit 1
	exit 0
}
command -v node >/dev/null || skip "there is no node (apt-get install nodejs npm)"
lack=$(node --input-type=module -e 'import { missing } from "./harness.mjs"; console.log(missing())')
[ -z "$lack" ] || skip "$lack"
mkdir -p ../reports/out/browser
exec node --test --test-reporter=spec "$@"
