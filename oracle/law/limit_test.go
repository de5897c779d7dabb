package law

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reject"
)

// limited is canon within limits that change has changed.
type limited struct {
	answers
	change func(*Limits)
	err    error // instead of canon's refusals
}

func (l limited) Within(limits Limits) Implementation {
	if l.change != nil {
		l.change(&limits)
	}
	o := canon.Options{
		MaxDepth: limits.Depth, MaxInput: limits.Input, MaxOutput: limits.Output, MaxMembers: limits.Members,
		MaxElements: limits.Elements, MaxStringBytes: limits.StringBytes, MaxDigits: limits.Digits,
	}
	return answers(func(src []byte) ([]byte, error) {
		out, err := o.Canonicalize(src)
		if err != nil && l.err != nil {
			err = l.err
		}
		return out, err
	})
}

// Every limit is met by one text: 4 levels, 3 members, 5 elements, a string of 6
// bytes and a number of 8 digits, all of them elsewhere than first.
const everyLimit = ` {"a":[1,[[],"\u00e9\n",12]],"bc":[0,1,2,3,"\u0001\"\\\/\t\ud83d"],"d":-10.94567e1}`

func TestLimitsNoticesOneTooManyAndOneTooFew(t *testing.T) {
	input := strings.Replace(everyLimit, `\ud83d`, `x`, 1)
	for name, of := range map[string]func(*Limits) *int{
		"depth": func(l *Limits) *int { return &l.Depth }, "input": func(l *Limits) *int { return &l.Input },
		"output": func(l *Limits) *int { return &l.Output }, "members": func(l *Limits) *int { return &l.Members },
		"elements": func(l *Limits) *int { return &l.Elements }, "string bytes": func(l *Limits) *int { return &l.StringBytes },
		"digits": func(l *Limits) *int { return &l.Digits },
	} {
		for step, what := range map[int]string{-1: "one too few", 0: "as many", 1: "one too many"} {
			im := limited{answers: canon.Canonicalize, change: func(l *Limits) {
				if n := of(l); *n > 1 {
					*n += step
				}
			}}
			expect(t, name+", "+what, checkLimits(im, []byte(input)), step != 0)
		}
	}
}

func TestMeasuresOfATextAreWhatItsLimitsCount(t *testing.T) {
	input := strings.Replace(everyLimit, `\ud83d`, `x`, 1)
	out, err := canon.Canonicalize([]byte(input))
	want := measure{depth: 4, members: 3, elements: 5, stringBytes: 6, digits: 8}
	if got := measureOf([]byte(input), out); err != nil || got != want {
		t.Errorf("%+v, want %+v, %v", got, want, err)
	}
	if got := measureOf([]byte("1"), []byte("1")); got != (measure{digits: 1}) {
		t.Errorf("of a number: %+v", got)
	}
}

func TestLimitsNoticesAnotherReason(t *testing.T) {
	expect(t, "the reason", checkLimits(limited{answers: canon.Canonicalize}, []byte("[[1]]")), false)
	expect(t, "another", checkLimits(limited{answers: canon.Canonicalize, err: &reject.Error{Reason: reject.Syntax}}, []byte("[[1]]")), true)
	expect(t, "none", checkLimits(limited{answers: canon.Canonicalize, err: errOther}, []byte("[[1]]")), true)
	expect(t, "of what is refused", checkLimits(limited{answers: gives("", errOther)}, []byte("[[1]]")), false)
}

func TestLimitsAreMeasuredUpToASize(t *testing.T) {
	lax := limited{answers: canon.Canonicalize, change: func(l *Limits) { *l = Limits{} }}
	for size, noticed := range map[int]bool{mostMeasured: true, mostMeasured + 1: false} {
		text := "[[1]" + strings.Repeat(" ", size-5) + "]"
		expect(t, text[:5], checkLimits(lax, []byte(text)), noticed)
	}
}

func TestShapesGrowAsTheirNamesSay(t *testing.T) {
	want := map[string]string{
		"string": `"777"`, "array": `[7,7,7,0]`, "object": `{"000000":0,"000001":0,"000002":0}`,
		"object, reversed":  `{"000003":0,"000002":0,"000001":0}`,
		"object, scattered": `{"000000":0,"000003":0,"000002":0}`,
		"number":            `0.777`, "zeros": `1000e-3`, "white space": " \n \n \n0", "escapes": `"\u0041\n\u0041\n\u0041\n"`,
		"long names": `{"aaa1":0,"aaa0":0}`, "numbers": `[1.7976931348623157e308,1.7976931348623157e308,1.7976931348623157e308,0]`,
	}
	far := map[string]string{"depth": `[[]]`, "deep names": `{"a":{"a":0}}`, "unclosed": `[{"a":[`}
	for _, s := range shapes {
		got, text := s.write(3, "7"), want[s.name]
		if text == "" {
			got, text = s.write(40, "7"), far[s.name]
		}
		if got != text || json.Valid([]byte(got)) == (s.name == "unclosed") {
			t.Errorf("%s: %s, want %s", s.name, got, text)
		}
	}
	if names := Shapes(); len(names) != len(want)+len(far) || !slices.Contains(names, "depth") {
		t.Errorf("%v", names)
	}
}

// working tells how much work the runs have taken, which is written down.
type working struct {
	done *int64
	of   func(src []byte) int64
}

func (w working) Work() int64 { return *w.done }

func (w working) Canonicalize(src []byte) ([]byte, error) {
	*w.done += w.of(src)
	return nil, errOther
}

func TestGrowthNoticesSixtyFourTimesTheWork(t *testing.T) {
	for excess, noticed := range map[int64]bool{0: false, 1: true} {
		small := int64(0)
		im := working{new(int64), func(src []byte) int64 {
			if small == 0 {
				small = int64(len(src))
			}
			if int64(len(src)) == small {
				return 1000
			}
			return 64*1000*int64(len(src))/small/16 + excess
		}}
		expect(t, "the most and one more", checkGrowth(im, []byte("1")), noticed)
	}
}

func TestWorkIsTheLeastOfSevenRuns(t *testing.T) {
	for _, c := range []struct {
		works       []int64
		enough      int64
		want, after int64
	}{
		{[]int64{9, 5, 7, 3, 8, 4, 6}, 0, 3, 7},
		{[]int64{9, 5, 7, 3, 8, 4, 6}, 5, 5, 2},
		{[]int64{9, 5, 7, 3, 8, 4, 6}, 4, 3, 4},
		{[]int64{0, 5, 7, 3, 8, 4, 6}, 0, 1, 1},
	} {
		runs := int64(0)
		im := working{new(int64), func([]byte) int64 { runs++; return c.works[runs-1] }}
		*im.done = 100
		if got := leastOf(im, "1", c.enough); got != c.want || runs != c.after {
			t.Errorf("%v, enough is %d: %d after %d runs, want %d after %d", c.works, c.enough, got, runs, c.want, c.after)
		}
	}
}
