package kill

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/zoo"
)

// Median gives the median of the cases needed, 0 if most seeds did not find it.
func Median(deaths []Death) int {
	var n []int
	for _, d := range deaths {
		if d.Cases == 0 {
			n = append(n, int(^uint(0)>>1))
		} else {
			n = append(n, d.Cases)
		}
	}
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	if m := n[len(n)/2]; m < int(^uint(0)>>1) {
		return m
	}
	return 0
}

// all reports whether every seed found it.
func all(deaths []Death) bool {
	return !slices.ContainsFunc(deaths, func(d Death) bool { return d.Cases == 0 })
}

func some(deaths []Death) bool {
	return slices.ContainsFunc(deaths, func(d Death) bool { return d.Cases > 0 })
}

// Survivors lists the faulty creatures that the vectors, or some seed of the
// generated cases, did not find.
func (t *Table) Survivors() (ofVectors, ofCases, ofRelations []string) {
	for _, r := range t.Rows {
		if !r.Creature.Faulty() {
			continue
		}
		if len(r.Vectors) == 0 {
			ofVectors = append(ofVectors, r.Creature.Name)
		}
		if t.Cases > 0 && !all(r.Generated) {
			ofCases = append(ofCases, r.Creature.Name)
		}
		if t.Checks > 0 && !some(r.Relations) {
			ofRelations = append(ofRelations, r.Creature.Name)
		}
	}
	return ofVectors, ofCases, ofRelations
}

// Accused lists what was held against the control or an open behavior; there
// must be nothing.
func (t *Table) Accused() []string {
	var accused []string
	for _, r := range t.Rows {
		if r.Creature.Faulty() {
			continue
		}
		for _, id := range r.Vectors {
			accused = append(accused, fmt.Sprintf("%s, by the vector %s", r.Creature.Name, id))
		}
		for s, d := range r.Generated {
			if d.Cases > 0 {
				accused = append(accused, fmt.Sprintf("%s, by case %d of seed %d: %s", r.Creature.Name, d.Cases-1, t.Seeds[s], d.How))
			}
		}
		for s, d := range r.Relations {
			if d.Cases > 0 {
				accused = append(accused, fmt.Sprintf("%s, by relation %d of seed %d: %s", r.Creature.Name, d.Cases-1, t.Seeds[s], d.How))
			}
		}
	}
	if t.Engines != nil {
		accused = append(accused, t.Engines.accused(t.Rows)...)
	}
	return accused
}

// Write writes the table as Markdown, without anything that depends on when or
// where it was measured.
func (t *Table) Write(w io.Writer) error {
	var b strings.Builder
	faulty := 0
	for _, r := range t.Rows {
		if r.Creature.Faulty() {
			faulty++
		}
	}
	ofVectors, ofCases, ofRelations := t.Survivors()
	fmt.Fprintf(&b, "# The kill table\n\n%d canonicalizers with one planted fault each, a control and %d open behaviors.\n\n", faulty, len(t.Rows)-faulty-1)
	if t.Interrupted {
		fmt.Fprintf(&b, "Interrupted: what was not found may not have been looked for.\n\n")
	}
	fmt.Fprintf(&b, "| by | found | of | budget |\n|---|---|---|---|\n")
	fmt.Fprintf(&b, "| vectors | %d | %d | %d texts |\n", faulty-len(ofVectors), faulty, t.Vectors)
	if t.Cases > 0 {
		fmt.Fprintf(&b, "| generated cases, every seed | %d | %d | %d cases, seeds %s |\n", faulty-len(ofCases), faulty, t.Cases, list(t.Seeds))
	}
	if t.Checks > 0 {
		fmt.Fprintf(&b, "| metamorphic relations, some seed | %d | %d | %d checks, seeds %s |\n", faulty-len(ofRelations), faulty, t.Checks, list(t.Seeds))
	}
	fmt.Fprintf(&b, "\nThe control and the open behaviors were accused %d times", len(t.Accused()))
	if t.Faultless < t.Cases {
		fmt.Fprintf(&b, ", by %d cases of each seed", t.Faultless)
	}
	fmt.Fprintf(&b, ".\n\n")
	fmt.Fprintf(&b, "`cases` and `relations` are how many were needed, the median of the seeds; `-` is not found. `vectors` is how many kill\nit, with up to three of them.\n")
	for _, part := range zoo.Parts() {
		t.writePart(&b, part)
	}
	t.writeRest(&b, ofRelations)
	if t.Engines != nil {
		t.Engines.write(&b, t.Rows)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func list(seeds []uint64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(seeds), " ", ", "), "[]")
}

func (t *Table) writePart(b *strings.Builder, part zoo.Part) {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Creature.Part == part }) {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n| fault | what it does | vectors | cases | relations | relation |\n|---|---|---|---|---|---|\n", strings.ToUpper(string(part[:1]))+string(part[1:]))
	for _, r := range t.Rows {
		if r.Creature.Part != part {
			continue
		}
		example := "-"
		if n := len(r.Vectors); n > 0 {
			example = fmt.Sprintf("%d: %s", n, shortest(r.Vectors))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", r.Creature.Name, escape(r.Creature.Text), example, count(r.Generated), count(r.Relations), escape(firstHow(r.Relations)))
	}
}

// shortest names up to three vectors, those with the shortest names.
func shortest(ids []string) string {
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(a, b string) int { return len(a) - len(b) })
	return "`" + strings.Join(ids[:min(len(ids), 3)], "` `") + "`"
}

func count(deaths []Death) string {
	if n := Median(deaths); n > 0 {
		return fmt.Sprint(n)
	}
	return "-"
}

func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", `\`, `\\`, "\n", " ", "*", `\*`, "_", `\_`).Replace(text)
}

func (t *Table) writeRest(b *strings.Builder, ofRelations []string) {
	if t.Checks > 0 {
		fmt.Fprintf(b, "\n## What relations do not see\n\nA relation compares an implementation with itself: who reads a text wrongly but always alike, or takes texts that are none,\nis consistent.\n\n")
		for _, r := range t.Rows {
			if slices.Contains(ofRelations, r.Creature.Name) {
				fmt.Fprintf(b, "- %s: %s\n", r.Creature.Name, t.why(r))
			}
		}
	}
	fmt.Fprintf(b, "\n## The vectors\n\n%d vectors suffice for everything that the vectors find:\n\n", len(t.Coverage))
	for _, id := range t.Coverage {
		fmt.Fprintf(b, "- `%s`\n", id)
	}
	fmt.Fprintf(b, "\n%d of %d vectors alone find a fault. %d find none that no other vector finds, %d of these none at all: they stay for\nwhat other software gets wrong, and for the clause that each holds.\n\n", len(t.Alone), t.Vectors, t.Vectors-len(t.Alone), t.Idle)
	for _, v := range t.Alone {
		fmt.Fprintf(b, "- `%s`: %s\n", v.Vector, strings.Join(v.Kills, ", "))
	}
}

// why tells for a fault that no relation found what it would take, by what it
// does wrong with vectors and by how rare the texts are that show it.
func (t *Table) why(r Row) string {
	var all []string
	for _, wrong := range r.Wrong {
		switch wrong {
		case accepted:
			all = append(all, "takes texts that must be refused, which no relation says of any text")
		case refused:
			all = append(all, "refuses texts whatever their spelling, and who refuses both sides keeps a relation")
		case gaveOther:
			all = append(all, "gives other bytes that are alike in every spelling, have a meaning of their own and are canonical again")
		case tookWork:
			all = append(all, "works too much, which is counted and related to nothing")
		case changedInput, changedAnswer:
			all = append(all, wrong+", which no relation looks at")
		default:
			all = append(all, "crashes on texts that a relation hardly ever asks")
		}
	}
	if n := Median(r.Generated); n > t.Checks {
		return fmt.Sprintf("shows in one generated case of some %d, more than the checks of a seed; it %s", n, strings.Join(all, ", or "))
	}
	return strings.Join(all, ", or ")
}
