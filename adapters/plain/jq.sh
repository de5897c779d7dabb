#!/bin/sh
# Lets Touchstone ask jq by the line protocol, used as if it were RFC 8785: -S
# sorts the names, -c writes no white space, -j no line end.
canonicalize() {
	jq -S -c -j -s 'if length == 1 then .[0] else error("not one value") end' 2>/dev/null
}

out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
while read -r id op payload; do
	case $id in
	bye)
		break
		;;
	hello)
		[ "$payload" = profile=rfc8785 ] || break
		echo "hello 1 name=jq version=$(jq --version)"
		;;
	*)
		if [ "$op" != canon ]; then
			echo "$id skip"
		elif printf %s "${payload#-}" | xxd -r -p | canonicalize >"$out"; then
			hex=$(xxd -p "$out" | tr -d '\n')
			echo "$id ok ${hex:--}"
		else
			echo "$id reject -"
		fi
		;;
	esac
done
