#!/usr/bin/env bash
# mutants.sh PACKAGE: runs gremlins on a package and names each mutant that its
# tests let live, run too long or never reach, unless PACKAGE/equivalent.tsv
# lists it: kind, source line and why no test can tell it from the original,
# separated by tabs. The status is 1 if one is left.
#
# It takes hours for all packages and says nothing on a busy machine, so CI does
# not run it. gremlins passes whatever happens; this script does the judging.
set -euo pipefail
cd "$(dirname "$0")/.."
package=${1:?name a package, such as snapshot}
report=$(mktemp)
trap 'rm -f "$report"' EXIT
go build -modfile=tools/go.mod -o bin/gremlins github.com/go-gremlins/gremlins/cmd/gremlins
GOFLAGS=-count=1 bin/gremlins unleash "./$package" --workers 1 --timeout-coefficient 20 --output "$report" >&2 || true
left=0
while IFS=$'\t' read -r file line kind status; do
	source=$(sed -n "${line}p" "$package/$(basename "$file")" | sed 's/^[[:space:]]*//')
	if ! cut -f 1,2 "$package/equivalent.tsv" 2>/dev/null | grep -qxF -- "$kind"$'\t'"$source"; then
		printf '%s:%s: %s %s: %s\n' "$file" "$line" "$status" "$kind" "$source"
		left=1
	fi
done < <(jq -r '.files[] | .file_name as $f | .mutations[]
	| select(.status == "LIVED" or .status == "TIMED OUT" or .status == "NOT COVERED")
	| [$f, .line, .type, .status] | @tsv' "$report")
exit "$left"
