package canon_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
)

// A texter makes texts of all that the fast path treats apart, in sizes around
// those of its windows.
type texter struct {
	*rand.Rand
	strings.Builder
	blank int // one in so many gaps has white space, 0 for none
}

func (g *texter) gap() {
	if g.blank == 0 || g.IntN(g.blank) > 0 {
		return
	}
	n := g.IntN(3)
	if g.IntN(40) == 0 {
		n = g.IntN(6000)
	}
	for range n {
		g.WriteByte(" \n\t\r"[g.IntN(4)])
	}
}

func (g *texter) string(name bool) {
	g.WriteByte('"')
	n := g.IntN(5)
	if g.IntN(60) == 0 && !name {
		n = g.IntN(1000)
	}
	plain := g.IntN(3) > 0
	for range n {
		pieces := []string{"a", "name", "value ", "sharedprefix", "é", "中", "𐀀", "\\n", "\\\"", "\\/", "\\u0001", "\\u00e9", "\\ud83d\\ude00", "\\u0041", "", "\ue000"}
		if plain {
			pieces = pieces[:4]
		}
		g.WriteString(pieces[g.IntN(len(pieces))])
	}
	if name {
		fmt.Fprintf(g, "%d", g.IntN(300))
	}
	g.WriteByte('"')
}

func (g *texter) value(depth int) {
	switch k := g.IntN(10); {
	case k < 2 && depth > 0:
		g.WriteByte('[')
		for i := range g.IntN(6) {
			if i > 0 {
				g.WriteByte(',')
			}
			g.gap()
			g.value(depth - 1)
			g.gap()
		}
		g.WriteByte(']')
	case k < 6 && depth > 0:
		g.WriteByte('{')
		n := g.IntN(6)
		if g.IntN(50) == 0 {
			n = g.IntN(200)
		}
		for i := range n {
			if i > 0 {
				g.WriteByte(',')
			}
			g.gap()
			g.string(true)
			g.gap()
			g.WriteByte(':')
			g.gap()
			g.value(depth - 1)
			g.gap()
		}
		g.WriteByte('}')
	case k < 8:
		g.string(false)
	default:
		numbers := []string{"0", "1", "-1", "1.0", "1e5", "123456789", "null", "true", "false", "0.1", "-0", "1e21", "12345678901234567890", "0.30000000000000004", "1E-7", "100000000000000000000000", strings.Repeat("9", g.IntN(300)+1) + ".5", "9007199254740993", "0.000001", "1." + strings.Repeat("0", g.IntN(400)+1)}
		g.WriteString(numbers[g.IntN(len(numbers))])
	}
}

// TestTextsOfAllKindsAgree compares with the reference what is in no order, has
// edits close together and far apart, and goes beyond windows; and what such a
// text becomes by a fault. Room for the output makes no difference.
func TestTextsOfAllKindsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(4096, 1))
	rounds := 1000
	if testing.Short() {
		rounds /= 20
	}
	for range rounds {
		g := &texter{Rand: r, blank: r.IntN(4)}
		g.value(1 + r.IntN(5))
		src := []byte(g.String())
		if err := agree(src); err != nil {
			t.Fatal(err)
		}
		if err := agree(mutate(r, src)); err != nil {
			t.Fatal(err)
		}
		if want, err := canon.Canonicalize(src); err == nil {
			for _, room := range []int{len(want), len(src) + r.IntN(200)} {
				if got, ok := canon.FastAppend(canon.Options{}, make([]byte, 1, 1+room), src); !ok || !bytes.Equal(got[1:], want) {
					t.Fatalf("%q with room for %d bytes gives %q", src, room, got)
				}
			}
		}
	}
}
