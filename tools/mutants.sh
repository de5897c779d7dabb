#!/usr/bin/env bash
# mutants.sh: lets gremlins plant small faults, one at a time, and names each that
# the tests of its package let live, run too long or never reach, unless the
# package's equivalent.tsv lists it: kind, source line, and why no test can tell
# it from the original, separated by tabs. The status is 1 if one is left.
#
#   tools/mutants.sh PACKAGE            a package without those below it: snapshot/jsvalue
#   tools/mutants.sh --changed [BASE]   the lines that differ from where the branch left
#                                       BASE (origin/main) in the packages that are held
#                                       to it, listed below, at most TOUCHSTONE_MUTANTS
#                                       (100) faults
#
# A fault takes some three seconds, one that never ends twenty times what the
# tests take, all packages an hour. On a busy machine a fault can time out that
# would be found: run it again.
#
# Files that the build leaves out are not tried: GOFLAGS=-tags=purego tries those of
# that build.
#
# gremlins passes whatever happens, so the script does the judging; a run that
# failed, or without a single fault, is an error. It works on a copy of what git
# lists, without cached results, and without vet, which would find faults in place
# of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

# held are the packages, with those below them, that no fault may survive.
held=(
	canon
	oracle/baseline
	oracle/check
	oracle/explain
	oracle/grammar
	oracle/ladder
	oracle/law
	oracle/numbers
	oracle/oracletest
	oracle/peer
	oracle/process
	oracle/relation
	oracle/result
	oracle/shrink
	oracle/vectorlint
	oracle/verdict
	oracle/wire
	oracle/zoo
	snapshot
)

most=1000000
base=
case ${1-} in
'' | -h | --help)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 64
	;;
--changed)
	most=${TOUCHSTONE_MUTANTS:-100}
	base=$(git merge-base "${2:-origin/${GITHUB_BASE_REF:-main}}" HEAD 2>/dev/null) ||
		{ echo "mutants: there is no base to compare with"; exit 0; }
	mapfile -t packages < <(git diff --name-only --diff-filter=d "$base" -- "${held[@]/%//*.go}" ':!*_test.go' | xargs -r dirname | sort -u)
	[ ${#packages[@]} -gt 0 ] || { echo "mutants: nothing changed since $base"; exit 0; }
	;;
*) packages=("${1%/}") ;;
esac

work=$(mktemp -d)
gremlins=
# stop ends gremlins with all that it has started.
stop() {
	[ -z "$gremlins" ] || { kill -KILL -- "-$gremlins" && wait "$gremlins"; } 2>/dev/null || true
	gremlins=
}
# sweep ends what a fault let get away from its test: it would run on, and slow
# down what is timed. No test that lives has an orphan of five minutes.
sweep() { pkill -KILL -P 1 "$@" -f "^$work/" 2>/dev/null || true; }
trap 'stop; sweep; rm -rf "$work"' EXIT
go build -modfile=tools/go.mod -o "$work/gremlins" github.com/go-gremlins/gremlins/cmd/gremlins
repository=$(git rev-parse --absolute-git-dir)

# gremlins asks for the coverage of a package and of all below it, and takes what
# stands in a case for not covered. This go measures the package alone and then
# calls every line covered: a fault that no test reaches lives, and says so. One
# that does not compile is told by status 2, where go has 1 as for tests that fail.
mkdir "$work/bin"
cat >"$work/bin/go" <<'END'
#!/usr/bin/env bash
set -euo pipefail
[ "$1" = test ] || exec "$REAL_GO" "$@"
if [ "$2" != -cover ]; then
	"$REAL_GO" "$@" >"$TMPDIR/said" 2>&1 && exit 0
	! grep -qF '[build failed]' "$TMPDIR/said" || exit 2
	exit 1
fi
"$REAL_GO" test -coverprofile "$4" "./$MUTATED"
module=$("$REAL_GO" list -m)
for file in "$MUTATED"/*.go; do echo "$module/$file:1.1,1000000.1 1 1"; done >>"$4"
END
chmod +x "$work/bin/go"

# unleash PACKAGE runs gremlins in a copy of the tree. It asks git for the changed
# lines, whose files it knows by their names within the package only, and takes
# what lies between two changes of one hunk for changed: hence git's settings.
unleash() {
	rm -rf "$work/tree" && mkdir -p "$work/tree" "$work/tmp"
	git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -x -C "$work/tree"
	cd "$work/tree/$1"
	ulimit -v 4194304 # KiB: a fault may ask for memory without end
	REAL_GO=$(command -v go)
	export REAL_GO MUTATED=$1 PATH=$work/bin:$PATH TMPDIR=$work/tmp GOFLAGS="${GOFLAGS-} -count=1 -vet=off -failfast" NO_COLOR=1
	mapfile -t outside < <("$REAL_GO" list -f '{{range .IgnoredGoFiles}}{{println .}}{{end}}' . | sed '/./s/^/--exclude-files=^/;/^$/d')
	[ -z "$base" ] || export GIT_DIR=$repository GIT_WORK_TREE=$work/tree GIT_OPTIONAL_LOCKS=0 \
		GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=diff.relative GIT_CONFIG_VALUE_0=true GIT_CONFIG_KEY_1=diff.context GIT_CONFIG_VALUE_1=0
	exec setsid "$work/gremlins" unleash "$PWD" ${base:+--diff "$base"} --exclude-files / "${outside[@]}" --workers 1 --timeout-coefficient 20 \
		--invert-logical --invert-loopctrl --invert-assignments --remove-self-assignments --invert-bitwise --invert-bwassign
}

# listed KIND SOURCE: whether the table of $package has it.
listed() { cut -f 1,2 "$package/equivalent.tsv" 2>/dev/null | grep -qxF -- "$1"$'\t'"$2"; }

# judge counts what gremlins says and names what is left, until enough are tried.
judge() {
	local line status kind place source
	while [ "$tried" -lt "$most" ] && read -r line; do
		if ! [[ $line =~ ^(KILLED|LIVED|TIMED OUT|NOT COVERED|NOT VIABLE)\ ([A-Z_]+)\ at\ (.+)$ ]]; then
			[[ $line == SKIPPED* ]] || echo "$line" >&2
			continue
		fi
		status=${BASH_REMATCH[1]} kind=${BASH_REMATCH[2]} place=${BASH_REMATCH[3]}
		tried=$((tried + 1))
		sweep --older 300
		if [[ $status != KILLED && $status != "NOT VIABLE" ]]; then
			IFS=: read -r file row _ <<<"$place"
			source=$(sed -n "${row}s/^[[:space:]]*//p" "$work/tree/$package/$file")
			if listed "$kind" "$source"; then
				status=listed
			else
				printf '%s/%s: %s %s: %s\n' "$package" "$place" "$status" "$kind" "$source"
				left=$((left + 1))
			fi
		fi
		count[$status]=$((${count[$status]:-0} + 1))
	done
}

tried=0
left=0
for package in "${packages[@]}"; do
	[ "$tried" -lt "$most" ] || break
	[ -d "$package" ] || { echo "mutants: there is no package $package" >&2; exit 64; }
	declare -A count=()
	exec 3< <(unleash "$package")
	gremlins=$!
	judge <&3
	if [ "$tried" -ge "$most" ]; then
		echo "mutants: $tried were tried, which is the limit; more lines may have changed"
		stop
	elif ! wait "$gremlins"; then
		echo "mutants: gremlins failed in $package" >&2
		exit 1
	fi
	gremlins=
	printf '%s:' "$package"
	for status in "${!count[@]}"; do printf ' %s %s,' "${count[$status]}" "$status"; done | sed 's/,$//'
	printf '\n'
done
[ -n "$base" ] || [ "$tried" -gt 0 ] || { echo "mutants: no fault was tried" >&2; exit 1; }
[ "$left" -eq 0 ] || { echo "mutants: $left are left"; exit 1; }
