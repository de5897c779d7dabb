package reports

import (
	"testing"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

func TestDepth(t *testing.T) {
	for _, c := range []struct {
		limits       result.Limits
		short, words string
	}{
		{result.Limits{}, "-", "-"},
		{result.Limits{Probed: 10000, Arrays: 1000, Objects: 1000}, "1,000", "1,000"},
		{result.Limits{Probed: 10000, Arrays: result.Unlimited, Objects: result.Unlimited}, "over 10,000", "over 10,000"},
		{result.Limits{Probed: 10000, Arrays: result.Unlimited, Objects: 5}, "5", "arrays over 10,000, objects 5"},
		{result.Limits{Probed: 10000, Arrays: 5, Objects: result.Unlimited}, "5", "arrays 5, objects over 10,000"},
		{result.Limits{Probed: 10000, Arrays: 7, Objects: 5}, "5", "arrays 7, objects 5"},
	} {
		if short, words := depthInShort(c.limits), depthInWords(c.limits); short != c.short || words != c.words {
			t.Errorf("%+v: %q, %q", c.limits, short, words)
		}
	}
}
