package kill

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// Measured is what generated cases and relations found out, which takes long to
// measure and does not change with the vectors.
type Measured struct {
	Cases, Faultless, Checks int // budgets for each seed
	Seeds                    []uint64
	rows                     map[string]Row // by creature, without vectors
}

const measuredHead = "# cases=%d faultless=%d checks=%d seeds=%s"

// WriteMeasured writes the columns of generated cases and relations as lines:
// the creature, the cases that each seed needed, the checks that each seed
// needed, and the first relation that found it, separated by tabs. "-" is not
// found.
func (t *Table) WriteMeasured(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, measuredHead+"\n", t.Cases, t.Faultless, t.Checks, strings.ReplaceAll(list(t.Seeds), ", ", ","))
	for _, r := range t.Rows {
		how := strings.Map(func(c rune) rune {
			if unicode.IsControl(c) {
				return ' '
			}
			return c
		}, firstHow(r.Relations))
		fmt.Fprintf(b, "%s\t%s\t%s\t%s\n", r.Creature.Name, needed(r.Generated), needed(r.Relations), how)
	}
	return b.Flush()
}

func needed(deaths []Death) string {
	var words []string
	for _, d := range deaths {
		if d.Cases == 0 {
			words = append(words, "-")
		} else {
			words = append(words, strconv.Itoa(d.Cases))
		}
	}
	return strings.Join(words, " ")
}

// ReadMeasured reads what WriteMeasured wrote.
func ReadMeasured(r io.Reader) (*Measured, error) {
	m := &Measured{rows: make(map[string]Row)}
	lines := bufio.NewScanner(r)
	var seeds string
	if !lines.Scan() {
		return nil, fmt.Errorf("kill: a measurement has a first line of budgets: %w", io.ErrUnexpectedEOF)
	}
	if _, err := fmt.Sscanf(lines.Text(), measuredHead, &m.Cases, &m.Faultless, &m.Checks, &seeds); err != nil {
		return nil, fmt.Errorf("kill: the first line %.80q is not budgets: %w", lines.Text(), err)
	}
	for word := range strings.SplitSeq(seeds, ",") {
		seed, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("kill: seed %.20q: %w", word, err)
		}
		m.Seeds = append(m.Seeds, seed)
	}
	for n := 2; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("kill: line %d has %d fields, want 4", n, len(fields))
		}
		var row Row
		var err error
		if row.Generated, err = deaths(fields[1], len(m.Seeds), ""); err == nil {
			row.Relations, err = deaths(fields[2], len(m.Seeds), fields[3])
		}
		if err != nil {
			return nil, fmt.Errorf("kill: line %d: %w", n, err)
		}
		m.rows[fields[0]] = row
	}
	return m, lines.Err()
}

func deaths(text string, seeds int, how string) ([]Death, error) {
	words := strings.Fields(text)
	if len(words) != seeds {
		return nil, fmt.Errorf("%d numbers for %d seeds", len(words), seeds)
	}
	all := make([]Death, seeds)
	for i, word := range words {
		if word == "-" {
			continue
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%.20q is not a number of cases", word)
		}
		all[i] = Death{n, how}
	}
	return all, nil
}

// take fills the rows of a table from a measurement, and names the creatures
// that it does not have.
func (t *Table) take(m *Measured) error {
	t.Cases, t.Faultless, t.Checks, t.Seeds = m.Cases, m.Faultless, m.Checks, m.Seeds
	var unknown []string
	for i := range t.Rows {
		row, ok := m.rows[t.Rows[i].Creature.Name]
		if !ok {
			unknown = append(unknown, t.Rows[i].Creature.Name)
			continue
		}
		t.Rows[i].Generated, t.Rows[i].Relations = row.Generated, row.Relations
	}
	if len(unknown) > 0 {
		return fmt.Errorf("kill: the measurement does not have %s", strings.Join(unknown, ", "))
	}
	return nil
}

func firstHow(deaths []Death) string {
	for _, d := range deaths {
		if d.Cases > 0 {
			return d.How
		}
	}
	return ""
}
