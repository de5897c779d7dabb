package shrink

import (
	"slices"
	"testing"
)

func TestLettersAreWhatAStringIsSpelledOf(t *testing.T) {
	for text, want := range map[string][]letter{
		``:                   nil,
		"aé😀\xff":            {{"a", "a"}, {"é", "é"}, {"😀", "😀"}, {"\xff", "\xff"}},
		`\"\\\/\b\f\n\r\t`:   {{`\"`, `"`}, {`\\`, `\`}, {`\/`, `/`}, {`\b`, "\b"}, {`\f`, "\f"}, {`\n`, "\n"}, {`\r`, "\r"}, {`\t`, "\t"}},
		`\u0041\u00e9\u00E9`: {{`\u0041`, "A"}, {`\u00e9`, "é"}, {`\u00E9`, "é"}},
		`\u09af\u09AF`:       {{`\u09af`, "\u09af"}, {`\u09AF`, "\u09af"}},
		`\ud7ff\ue000`:       {{`\ud7ff`, "\ud7ff"}, {`\ue000`, "\ue000"}},
		`\ud800\udc00`:       {{`\ud800\udc00`, "\U00010000"}},
		`\udbff\udfff`:       {{`\udbff\udfff`, "\U0010FFFF"}},
		`\uD83D\uDE00`:       {{`\uD83D\uDE00`, "😀"}},
		`\ud83d\ud83d\ude00`: {{`\ud83d`, `\ud83d`}, {`\ud83d\ude00`, "😀"}},
		`\uDBFF\udbff`:       {{`\uDBFF`, `\udbff`}, {`\udbff`, `\udbff`}},
		`\ud800\ue000`:       {{`\ud800`, `\ud800`}, {`\ue000`, "\ue000"}},
		`\udc00\udfff`:       {{`\udc00`, `\udc00`}, {`\udfff`, `\udfff`}},
		`\ud800x`:            {{`\ud800`, `\ud800`}, {"x", "x"}},
		`\q\u12\u12G4`:       {{`\q`, `\q`}, {`\u`, `\u`}, {"1", "1"}, {"2", "2"}, {`\u`, `\u`}, {"1", "1"}, {"2", "2"}, {"G", "G"}, {"4", "4"}},
		`\u00/0\u00:0`:       {{`\u`, `\u`}, {"0", "0"}, {"0", "0"}, {"/", "/"}, {"0", "0"}, {`\u`, `\u`}, {"0", "0"}, {"0", "0"}, {":", ":"}, {"0", "0"}},
		"\\u00`0":            {{`\u`, `\u`}, {"0", "0"}, {"0", "0"}, {"`", "`"}, {"0", "0"}},
		`\`:                  {{`\`, `\`}},
		`\u`:                 {{`\u`, `\u`}},
	} {
		if got := lettersOf([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSmallerIsShorterThenPlainer(t *testing.T) {
	order := []string{"", "0", "1", "9", "a", "A", " ", "!", "B", "~", "\x00", "\x1f", "\x7f", "\xff", "00", "01", "0a", "10", "~0", "000"}
	for i, a := range order {
		for k, b := range order {
			if got := smaller([]byte(a), []byte(b)); got != (i < k) {
				t.Errorf("%q is smaller than %q: %v", a, b, got)
			}
		}
	}
	seen := map[int]bool{}
	for c, r := range rank {
		if r < 1 || r > 256 || seen[r] {
			t.Errorf("the rank of the byte %d is %d", c, r)
		}
		seen[r] = true
	}
}
