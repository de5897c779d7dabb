package shrink

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/steps.txt anew")

// Each step by itself: which texts it asks about, in order, where only those of
// a list may stand for the input, what comes out, and how many bytes of
// candidates were made for that, those not asked about among them.
func TestSteps(t *testing.T) {
	var got bytes.Buffer
	for _, c := range []struct {
		name  string
		step  func(*minimizer)
		input string
		holds []string
	}{
		{"hoist", (*minimizer).hoist, `[1,{"a":[2,3]}]`, nil},
		{"hoist from a chain", (*minimizer).hoist, `[0,[1,[2,[3,[4,[5]]]]]]`, nil},
		{"hoist again", (*minimizer).hoist, `[[[1,[7]]],2]`, []string{`[[1,[7]],2]`, `[1,2]`}},
		{"hoist what becomes a name", (*minimizer).hoist, `[[1]:2]`, []string{`[1:2]`}},
		{"items", (*minimizer).items, `[1,{"a":2,"b":3},4,5]`, nil},
		{"items, one of which becomes a name", (*minimizer).items, `[1 {} : ]`, []string{`[1 : ]`}},
		{"items that go", (*minimizer).items, `[1,2,3,4,5]`, []string{`[1,2,4,5]`, `[2,4,5]`}},
		{"simplest", (*minimizer).simplest, `{"a":[false]}`, []string{`{"a":[0]}`}},
		{"nameless", (*minimizer).nameless, `[{"a":1,"b":[2,{}]},{"c":3}]`, []string{`[[1,[2,{}]],{"c":3}]`}},
		{"blanks", (*minimizer).blanks, " [ 1 ,\"a b\"\n]\t", nil},
		{"tokens", (*minimizer).tokens, `[1, 2]`, nil},
		{"tokens that become one", (*minimizer).tokens, `1 2 3`, []string{`123`}},
		{"numbers", (*minimizer).numbers, `[-12.50,0,1,2,3e5,99999999999999999999]`, nil},
		{"numbers by halves", (*minimizer).numbers, `[100,007,4]`, []string{`[51,007,4]`, `[26,007,4]`, `[26,4,4]`, `[26,4,3]`}},
		{"long numbers", (*minimizer).numbers, `12345,-2345,1.5e9,1.25`, []string{`1e4,-2345,1.5e9,1.25`, `1e4,-2345,1e0,1.25`}},
		{"strings", (*minimizer).strings, `{"ab":"xyz","\u0061b":1}`, nil},
		{"strings that change", (*minimizer).strings, `["abc","abc\n"]`, []string{`["bc","abc\n"]`, `["bc","abc"]`, `["bc","bc"]`, `["0c","0c"]`, `["00","00"]`}},
		{"letters that become one", (*minimizer).strings, `["\ud83dx\ude00","\ud83dx\ude00"`, []string{`["\ud83d\ude00","\ud83d\ude00"`}},
		{"strings of one meaning and two lengths", (*minimizer).strings, `["\\ud83d","\ud83d"]`, nil},
		{"an open string", (*minimizer).strings, `["a\"`, nil},
		{"a quote", (*minimizer).strings, `"`, nil},
		{"strings that become fewer", (*minimizer).strings, `"\\""b"\"\\"`, []string{`"\\""0"\"\\"`, `"\""0"\"\"`}},
		{"bytes", (*minimizer).bytes, "x[7 ", nil},
		{"bytes that go", (*minimizer).bytes, "abcdefgh", []string{"abcdgh", "abdgh", "0bdgh"}},
		{"bytes apart", (*minimizer).around, "(12)34(56789)", []string{"1234(56789)"}},
		{"bytes far apart", (*minimizer).around, "abcdef", nil},
	} {
		fmt.Fprintf(&got, "%s: %q\n", c.name, c.input)
		m := newMinimizer([]byte(c.input), nil, 1000)
		m.keep = func(b []byte) bool {
			fmt.Fprintf(&got, "\t%q\n", b)
			return slices.Contains(c.holds, string(b))
		}
		work := m.work
		m.spend(func() { c.step(m) })
		fmt.Fprintf(&got, "\tgives %q, progress %v, with %d bytes\n", m.best, m.progress, work-m.work)
	}
	const file = "testdata/steps.txt"
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := bytes.Split(got.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || !bytes.Equal(gotLines[i], wantLines[i]) {
			t.Fatalf("line %d is another than that of %s; -update writes it anew:\n%s", i+1, file, bytes.Join(gotLines[min(i, len(gotLines)):min(i+1, len(gotLines))], nil))
		}
	}
}

// What keep says in anger is not taken for the end of the budget.
func TestPanicsOfKeepPass(t *testing.T) {
	defer func() {
		if r := recover(); r != "no" {
			t.Errorf("the panic is %v", r)
		}
	}()
	Minimize([]byte("[1]"), func(b []byte) bool { panic("no") }, 10)
}

// A candidate costs its bytes and one more, whether keep is asked or not, and
// none is made beyond four times the input for each try.
func TestBudgetOfBytes(t *testing.T) {
	if m := newMinimizer([]byte("0123456789"), nil, 3); m.work != 3*(4*10+64) {
		t.Errorf("%d bytes may be made", m.work)
	}
	for work, want := range []int{0, 0, 0, 0, 1, 1, 1, 1, 2} {
		asked, ended := 0, false
		m := newMinimizer([]byte("xxxx"), func([]byte) bool { asked++; return false }, 10)
		m.work = int64(work)
		m.spend(func() {
			m.try([]byte("aaa"))
			m.try([]byte("bbb"))
			ended = true
		})
		if asked != want || ended != (want == 2) {
			t.Errorf("with %d bytes %d were asked about; ended: %v", work, asked, ended)
		}
	}
}
