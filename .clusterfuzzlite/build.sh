#!/usr/bin/env bash
# Builds every fuzz target for libFuzzer, with its seeds and the dictionary, into
# $OUT, as ClusterFuzzLite and OSS-Fuzz call it: $CXX, $CXXFLAGS and
# $LIB_FUZZING_ENGINE say how a target is linked. The source is $SRC/touchstone,
# or CHECKOUT; TARGETS limits it to some. tools/fuzz-libfuzzer.sh builds by it too.
set -euo pipefail
cd "${CHECKOUT:-$SRC/touchstone}"

: "${OUT:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}"
targets=${TARGETS:-$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' fuzz/fuzz_test.go)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What is under test is instrumented, not what judges it: the ways through the
# generator, the laws and math/big are no news.
module=$(${GO:-go} list -m)
instrumented=()
for part in canon snapshot oracle/zoo; do
	instrumented+=("-gcflags=$module/$part/...=-d=libfuzzer")
done

${GO:-go} build -o "$work/touchstone" ./cmd/touchstone
for target in $targets; do
	${GO:-go} build -tags libfuzzer "${instrumented[@]}" -buildmode=c-archive \
		-ldflags "-X main.target=$target" -o "$work/$target.a" ./fuzz/libfuzzer
	# shellcheck disable=SC2086 # flags are words
	"$CXX" ${CXXFLAGS:-} $LIB_FUZZING_ENGINE "$work/$target.a" -o "$OUT/$target"
	"$work/touchstone" corpus seeds "$target" "$OUT/${target}_seed_corpus.zip"
	cp fuzz/libfuzzer/json.dict "$OUT/$target.dict"
	printf '[libfuzzer]\nmax_len = 1024\ntimeout = 20\n' >"$OUT/$target.options"
done
