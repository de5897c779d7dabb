# Read by the scripts that fuzz: what they tell of a failure, so that the log of
# a CI run alone is enough to have it again.

# readable passes a log on without what could steer a terminal.
readable() { LC_ALL=C sed -E 's/[^\t -~]/?/g'; }

# artifact FILE HOW names an input that failed, gives its bytes in base64 if they
# are few, and tells how it is run again, where INPUT stands for the file.
artifact() {
	local size
	size=$(wc -c <"$1")
	echo "artifact: $1, $size bytes"
	if [ "$size" -le 8192 ]; then
		echo "base64: $(base64 <"$1" | tr -d '\n')"
		echo "to have it again: echo BASE64 | base64 -d >INPUT; $2"
	else
		echo "to have it again: $2"
	fi
}
