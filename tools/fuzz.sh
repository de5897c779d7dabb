#!/usr/bin/env bash
# Runs each fuzz target of the module for a number of executions, one after the
# other: a budget by count says what was done, whatever the machine's speed.
#
#   tools/fuzz.sh EXECUTIONS [PATTERN]
#
# PATTERN chooses targets by a regular expression over "folder/Name".
set -uo pipefail
cd "$(dirname "$0")/.."
source tools/artifact.sh

executions=${1:?how many executions of each target?}
pattern=${2:-.}

targets=$(git ls-files -co --exclude-standard -- '*_test.go' |
	xargs grep -H '^func Fuzz[A-Za-z0-9_]*(' |
	sed -E 's|^([^:]*/)?[^/:]*:func (Fuzz[A-Za-z0-9_]*)\(.*|\1\2|' | sort | grep -E -- "$pattern")
[ -n "$targets" ] || { echo "fuzz.sh: no fuzz target matches $pattern" >&2; exit 64; }

failed=()
for target in $targets; do
	folder=./${target%/*} name=${target##*/}
	echo "== $target"
	before=$(ls "$folder/testdata/fuzz/$name" 2>/dev/null)
	${GO:-go} test -run '^$' -fuzz "^$name\$" -fuzztime "${executions}x" "$folder" | readable |
		awk '/^fuzz: elapsed/ { next } /no fuzz tests to fuzz/ { none = 1 } { print } END { exit none }' && continue
	failed+=("$target")
	for file in "$folder/testdata/fuzz/$name"/*; do
		[ ! -f "$file" ] || grep -qxF -- "${file##*/}" <<<"$before" ||
			artifact "$file" "${GO:-go} test -run '^$name\$/^${file##*/}\$' $folder with INPUT as $file"
	done
done
[ ${#failed[@]} -eq 0 ] || { printf 'fuzz.sh: failed: %s\n' "${failed[*]}" >&2; exit 1; }
