package law

import (
	"fmt"
	"hash/fnv"

	"github.com/touchstone-oracle/touchstone/oracle/grammar"
)

// A Law is one promise.
type Law struct {
	Name string // permanent, lower case
	// Clause is the requirement of the catalogue that a breach is counted under.
	Clause string
	Text   string // the promise in a sentence
	// Relation: it needs no oracle (it is a metamorphic relation).
	Relation bool
	// Applies reports whether the implementation can do what the law asks of it;
	// nil for every one.
	Applies func(Implementation) bool
	// Heavy: a check takes milliseconds and more, too much for each case.
	Heavy bool
	// Check gives nil or what is wrong.
	Check func(im Implementation, input []byte) error
}

// All lists every law.
func All() []Law {
	return []Law{
		{"reference", "rfc8785/3.2.4/utf-8", "The verdict, the bytes, and the reason and place of a refusal are the reference's.", false, nil, false, checkReference},
		{"fixed-point", "rfc8785/3.2.4/utf-8", "The canonical form gives itself.", true, nil, false, checkFixedPoint},
		{"lexical", "rfc8785/3.2.1/no-white-space", "The canonical form is spelled as one: no blanks, escapes where they must be and nowhere else, shortest digits, names in order.", true, nil, false, checkLexical},
		{"value", "rfc8785/3.1/as-is", "Decoding the canonical form gives the value of the input.", true, nil, false, checkValue},
		{"round-trip", "rfc8785/3.2.4/utf-8", "What a signer writes from the decoded value has the same canonical form.", true, nil, false, checkRoundTrip},
		{"spelling", "rfc8785/3.2.3/unescaped", "White space, escapes, the spelling of numbers and the order of members change nothing.", true, nil, false, checkSpelling},
		{"different-values", "rfc8785/3.1/as-is", "Different values have different canonical forms.", true, nil, false, checkDifferent},
		{"nesting", "rfc8785/3.2.3/recursive", "A value has the same form inside an array or an object, whatever the name.", true, nil, false, checkNesting},
		{"names-are-data", "rfc0016/domain/names-are-data", "__proto__ and its kin are names as any other.", true, nil, false, checkNamesAreData},
		{"repeated", "rfc8785/3.2.4/utf-8", "The same input gives the same answer, after another one and after an error.", true, nil, false, checkRepeated},
		{"number", "rfc8785/3.2.2.3/number-to-string", "Doubles are written as exact arithmetic and the shortest digits that read back say.", false, canNumber, false, checkNumber},
		{"string", "rfc8785/3.2.2.2/as-is", "A string alone is written as it is inside a text.", false, canString, false, checkString},
		{"negative-zero", "rfc0016/domain/negative-zero", "-0, however spelled, is refused by the strict domain.", false, canJudge, false, checkNegativeZero},
		{"error-place", "rfc8259/2/one-value", "What stands before the place of an error can be completed to a right text; with the faulty token it cannot.", false, speaks, false, checkErrorPlace},
		{"error-payload", "rfc8259/2/one-value", "An error holds nothing of the text.", false, speaks, false, checkErrorPayload},
		{"append", "rfc8785/3.2.4/utf-8", "Append writes behind dst and within its capacity, gives it back on an error, and neither keeps nor changes src.", false, canAppend, false, checkAppend},
		{"valid", "rfc8785/3.2.4/utf-8", "Valid is true of exactly the texts that give themselves.", false, canValidate, false, checkValid},
		{"limits", "rfc8259/9/limits", "A text that reaches a limit is accepted; one step lower it is refused for that limit.", false, canLimit, false, checkLimits},
		{"domain", "rfc0016/domain/canonical", "A text is decoded as the strict domain says: verdict, bytes, reason and place.", false, canSnapshot, false, checkDomain},
		{"views", "rfc0016/domain/canonical", "Views of a snapshot are equal, fresh and disjoint, and nothing changes the snapshot.", false, canSnapshot, false, checkViews},
		{"aliases", "rfc0016/domain/references", "No container that is reached twice gets into a snapshot.", false, canSnapshot, false, checkAliases},
		{"growth", "rfc8259/9/limits", "Work grows no faster than n log n in size, members and depth.", false, canMeter, true, checkGrowth},
	}
}

// Lookup finds a law by its name.
func Lookup(name string) (Law, bool) {
	for _, l := range All() {
		if l.Name == name {
			return l, true
		}
	}
	return Law{}, false
}

// Relations lists the laws that need no oracle.
func Relations() []Law {
	var all []Law
	for _, l := range All() {
		if l.Relation {
			all = append(all, l)
		}
	}
	return all
}

// check runs a law that applies; one that does not is nothing.
func (l Law) check(im Implementation, input []byte) error {
	if l.Applies != nil && !l.Applies(im) {
		return nil
	}
	if err := l.Check(im, input); err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	return nil
}

// CheckAll runs every law that applies and is not heavy, and gives the first
// breach.
func CheckAll(im Implementation, input []byte) error {
	for _, l := range All() {
		if !l.Heavy {
			if err := l.check(im, input); err != nil {
				return err
			}
		}
	}
	return nil
}

// show cuts and quotes a text for an error.
func show(text []byte) string {
	const most = 300
	if len(text) > most {
		return fmt.Sprintf("%q and %d bytes more", text[:most], len(text)-most)
	}
	return fmt.Sprintf("%q", text)
}

// source gives choices that depend on the input alone.
func source(input []byte, purpose uint64) *grammar.Seeded {
	h := fnv.New64a()
	h.Write(input)
	return grammar.NewSeeded(h.Sum64(), purpose)
}
