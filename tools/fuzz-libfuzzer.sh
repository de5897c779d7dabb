#!/usr/bin/env bash
# Runs one fuzz target, or each, under libFuzzer for a number of executions.
#
#   tools/fuzz-libfuzzer.sh EXECUTIONS [TARGET]
#
# Skipped by name without clang; with TOUCHSTONE_CI=1 that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/artifact.sh

executions=${1:?how many executions of each target?}
wanted=${2:-}
out=reports/out/libfuzzer

clang=${CLANG:-}
for candidate in clang-19 clang; do
	[ -n "$clang" ] || clang=$(command -v "$candidate" || true)
done
if [ -z "$clang" ]; then
	echo "skipped: fuzz-libfuzzer: there is no clang (apt-get install clang-19 libclang-rt-19-dev)" >&2
	[ "${TOUCHSTONE_CI:-}" != 1 ] || exit 1
	exit 0
fi

targets=$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' fuzz/fuzz_test.go)
if [ -n "$wanted" ]; then
	grep -qx -- "$wanted" <<<"$targets" || { echo "fuzz-libfuzzer.sh: there is no target $wanted; choose one of" $targets >&2; exit 64; }
	targets=$wanted
fi

# what_failed LOG PREFIX PROGRAM prints the breach of a log and the artifacts beside it.
what_failed() {
	grep -aE '^(breach: |panic: |fatal error: |==[0-9]+== ?ERROR: )' "$1" | head -n 5 | readable | sed -E 's/^(.{2000}).+/\1 .../' || true
	local file
	for file in "$2"{crash,timeout,oom,leak}-*; do
		[ ! -f "$file" ] || artifact "$file" "$3 INPUT"
	done
}

# fuzz_one builds and runs one target, and tells how it went in lines that begin
# with its name, since others may be writing.
fuzz_one() {
	local target=$1 mine=$out/$1
	mkdir -p "$out/bin" "$mine/corpus" "$mine/seeds"
	rm -f "$mine"/{crash,timeout,oom,slow-unit,leak}-*
	CHECKOUT=$PWD OUT=$PWD/$out/bin CXX=$clang LIB_FUZZING_ENGINE=-fsanitize=fuzzer TARGETS=$target .clusterfuzzlite/build.sh
	${GO:-go} run ./cmd/touchstone corpus seeds "$target" "$mine/seeds" >/dev/null
	if "$out/bin/$target" -runs="$executions" -dict="$out/bin/$target.dict" -artifact_prefix="$mine/" \
		-max_len=1024 -timeout=20 -rss_limit_mb=4096 -seed="${SEED:-1}" -print_final_stats=1 \
		"$mine/corpus" "$mine/seeds" 2>"$mine/log"; then
		awk '/^stat::number_of_executed_units/ { runs = $2 } /^stat::new_units_added/ { added = $2 } /^Done/ { seconds = $5 }
			END { print runs " executions in " seconds " s, " added " inputs that reach something new" }' "$mine/log"
		return
	fi
	tail -n 12 "$mine/log" | readable
	what_failed "$mine/log" "$mine/" "$out/bin/$target"
	echo "failed"
	return 1
}

if [ -n "$wanted" ]; then
	fuzz_one "$wanted" 2>&1 | sed "s/^/$wanted: /"
	exit
fi
# A libFuzzer keeps one processor busy. Each has a process of this script, so
# that an interrupt ends all of them.
ended=0
xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" "$PWD/tools/fuzz-libfuzzer.sh" "$executions" <<<"$targets" || ended=$?
[ "$ended" -eq 0 ] || { echo "fuzz-libfuzzer.sh: a target has failed, see above" >&2; exit 1; }
