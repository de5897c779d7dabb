package relation

import (
	"bytes"
	"slices"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// faulty are asked between other questions: after a refusal, and after some
// fault that is accepted, the next answer must be as ever.
var faulty = []string{`{"a":1,"a":2}`, `["\ud800"]`, "\"\xff", `[[[[`, `{"":`, `1e400`, `{"b":[1,{"z":"\u00e9","a":-0}],"a":1e21}`, ``}

// mostProbed bounds the texts that are asked again and again.
const mostProbed = 64 << 10

// probe asks the documents in their order, then shuffled, each behind a faulty
// text and then twice in a row. All answers to one text must be one.
func (r *runner) probe(documents []Document) {
	for some := range slices.Chunk(documents, batch) {
		r.probeSome(some)
	}
}

func (r *runner) probeSome(documents []Document) {
	var questions []result.Question
	var numbers []uint64
	for _, d := range documents {
		if len(d.Text) <= mostProbed {
			questions = append(questions, result.Question{Op: result.OpCanon, Input: bytes.Clone(d.Text)})
			numbers = append(numbers, d.Number)
		}
	}
	first := r.ask(questions)
	if first == nil {
		return
	}
	source := grammar.NewSeeded(r.o.Seed, numbers[0])
	order := shuffled(source, len(questions))
	var later []result.Question
	for _, i := range order {
		fault := result.Question{Op: result.OpCanon, Input: []byte(faulty[source.Choose(len(faulty))])}
		later = append(later, fault, questions[i], questions[i])
	}
	answers := r.ask(later)
	if answers == nil {
		return
	}
	for k, i := range order {
		r.compare(questions[i], first[i], numbers[i], later[3*k:3*k+3], answers[3*k:3*k+3])
	}
}

// compare holds the answers to one text against each other. later and answers
// are of a faulty text and twice of this one.
func (r *runner) compare(q result.Question, first result.Answer, number uint64, later []result.Question, answers []result.Answer) {
	one := repeated()
	if first.Kind != result.OK && first.Kind != result.Rejected {
		r.count(one.Name, result.Skip)
		return
	}
	for k := 1; k <= 2; k++ {
		if !differ(first, answers[k]) {
			continue
		}
		if r.count(one.Name, result.Diverged); r.report.Tallies[one.Name].Failed <= mostKept {
			r.keep(&Breach{
				Relation: one, Input: q.Input, Number: number, Effect: one.Effect,
				First: Exchange{q, first}, Second: Exchange{later[k], answers[k]}, After: later[k-1].Input,
			})
		}
		return
	}
	r.count(one.Name, result.Pass)
}

// shuffled gives the numbers up to n in some order.
func shuffled(source grammar.Source, n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := source.Choose(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
