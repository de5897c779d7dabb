#!/usr/bin/env bash
# Lets rapid, gopter, Go's fuzzer and libFuzzer look for planted faults, each
# from one trivial seed, and writes how many executions each needed.
#
#   tools/zoo-engines.sh EXECUTIONS FILE [CREATURE]...
#
# FILE gets a line of budgets and then a line a creature, columns separated by
# tabs: creature, rapid, gopter, go fuzz, libFuzzer; "-" is not found, nothing
# is not asked. What stands in it already with the same budget is left alone, so
# that a run that was interrupted goes on. rapid, which is the slowest, gets a
# tenth of the executions. Without clang the last column stays empty.
set -euo pipefail
cd "$(dirname "$0")/.."

executions=${1:?how many executions of each engine?}
file=${2:?which file gets the figures?}
shift 2
go=${GO:-go}
work=reports/out/engines
head="# executions=$executions rapid=$((executions / 10))"
export TOUCHSTONE_ZOO_CREATURE

mkdir -p "$work/seeds"
[ -e "$file" ] && [ "$(head -n 1 "$file")" = "$head" ] || echo "$head" >"$file"
creatures=("$@")
[ ${#creatures[@]} -gt 0 ] || mapfile -t creatures < <("$go" run ./cmd/touchstone zoo --list)

TOUCHSTONE_ZOO_CREATURE=
"$go" test -c -o "$work/plain.test" ./oracle/zoo/engines
"$go" test -c -fuzz FuzzCreature -o "$work/fuzz.test" ./oracle/zoo/engines
clang=${CLANG:-$(command -v clang-19 || command -v clang || true)}
if [ -n "$clang" ]; then
	mkdir -p "$work/bin"
	CHECKOUT=$PWD OUT=$PWD/$work/bin CXX=$clang LIB_FUZZING_ENGINE=-fsanitize=fuzzer TARGETS=FuzzReference .clusterfuzzlite/build.sh
	printf '{"a":[1,"b"]}' >"$work/seeds/one"
else
	echo "zoo-engines.sh: there is no clang: libFuzzer is left out" >&2
fi
root=$PWD

# needed COMMAND... runs an engine and prints how many executions it needed.
needed() {
	local log status=0
	log=$("$@" 2>&1) || status=$?
	if [[ $log =~ killed\ after\ ([0-9]+)\ executions ]]; then
		echo "${BASH_REMATCH[1]}"
	elif [ $status -eq 0 ]; then
		echo -
	else
		printf 'zoo-engines.sh: %s failed on %s:\n%s\n' "${1##*/}" "$TOUCHSTONE_ZOO_CREATURE" "$log" | tail -n 20 >&2
		return 1
	fi
}

for creature in "${creatures[@]}"; do
	! cut -f 1 "$file" | grep -qxF -- "$creature" || continue
	TOUCHSTONE_ZOO_CREATURE=$creature
	rm -rf "$work/cache" "$work/corpus" "$work/dir"
	mkdir -p "$work/corpus" "$work/dir"
	cd "$work/dir" # Go's fuzzer leaves its finds in the folder it runs in
	rapid=$(needed ../plain.test -test.run '^TestRapid$' -test.timeout 0 -rapid.checks $((executions / 10)) -rapid.seed 1 -rapid.shrinktime 0s -rapid.nofailfile)
	gopter=$(needed ../plain.test -test.run '^TestGopter$' -test.timeout 0 -gopter.checks "$executions")
	gofuzz=$(needed ../fuzz.test -test.run '^$' -test.fuzz '^FuzzCreature$' -test.fuzztime "${executions}x" -test.fuzzminimizetime 1x \
		-test.parallel 1 -test.fuzzcachedir ../cache)
	cd "$root"
	libfuzzer=
	[ -z "$clang" ] || libfuzzer=$(needed "$work/bin/FuzzReference" -runs="$executions" -seed=1 -max_len=1024 -timeout=60 -dict="$work/bin/FuzzReference.dict" \
		-artifact_prefix="$work/" "$work/corpus" "$work/seeds")
	printf '%s\t%s\t%s\t%s\t%s\n' "$creature" "$rapid" "$gopter" "$gofuzz" "$libfuzzer" | tee -a "$file"
done
