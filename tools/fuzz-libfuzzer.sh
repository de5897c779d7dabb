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

failed=()
for target in $targets; do
	echo "== $target"
	mkdir -p "$out/bin" "$out/$target/corpus" "$out/$target/seeds"
	CHECKOUT=$PWD OUT=$PWD/$out/bin CXX=$clang LIB_FUZZING_ENGINE=-fsanitize=fuzzer TARGETS=$target .clusterfuzzlite/build.sh
	${GO:-go} run ./cmd/touchstone corpus seeds "$target" "$out/$target/seeds"
	rm -f "$out/$target"/{crash,timeout,oom,slow-unit,leak}-*
	ok=1
	"$out/bin/$target" -runs="$executions" -dict="$out/bin/$target.dict" -artifact_prefix="$out/$target/" \
		-max_len=1024 -timeout=20 -rss_limit_mb=4096 -seed="${SEED:-1}" -print_final_stats=1 \
		"$out/$target/corpus" "$out/$target/seeds" 2>"$out/$target/log" || ok=0
	tail -n 12 "$out/$target/log" | readable
	[ $ok = 1 ] || { failed+=("$target"); what_failed "$out/$target/log" "$out/$target/" "$out/bin/$target" >&2; }
done
[ ${#failed[@]} -eq 0 ] || { printf 'fuzz-libfuzzer.sh: failed: %s\n' "${failed[*]}" >&2; exit 1; }
