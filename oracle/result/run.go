package result

// Format is the number of the results file's format. Readers refuse another.
const Format = 1

// A Header says what was run, by what and where: the provenance of a report.
type Header struct {
	Format    int       `json:"format"`
	Version   string    `json:"version"` // of Touchstone
	Suite     string    `json:"suite"`   // SHA-256 of the vectors' manifest
	Profile   string    `json:"profile"`
	Seed      uint64    `json:"seed"`
	Vectors   int       `json:"vectors"`             // how many are asked
	Cases     int       `json:"cases"`               // how many are generated
	Inputs    int       `json:"inputs,omitempty"`    // how many were given by hand
	Relations int       `json:"relations,omitempty"` // generated documents that relations are asked of
	Complete  bool      `json:"complete"`            // every vector is asked: only then is a baseline's staleness judged
	OS        string    `json:"os"`
	Arch      string    `json:"arch"`
	Go        string    `json:"go"`
	Started   string    `json:"started,omitempty"` // RFC 3339
	Command   string    `json:"command,omitempty"` // the implementation's command line, if it is not built in
	Subjects  []Subject `json:"subjects"`
	Clauses   []Clause  `json:"clauses"` // the texts of the requirements
}

// A Clause is one requirement as reports print it.
type Clause struct {
	ID      string `json:"id"`
	Source  string `json:"source"`
	Section string `json:"section"`
	Group   string `json:"group"`
	Text    string `json:"text"`
}

// A Subject is an implementation under test as it names itself, ready for a
// results file. Its strings are hostile unless it is built in.
type Subject struct {
	Name     string `json:"name"`
	Version  string `json:"version,omitempty"`
	Lineage  string `json:"lineage,omitempty"`
	Language string `json:"language,omitempty"`
	Layer    Layer  `json:"layer,omitempty"`
	Homepage string `json:"homepage,omitempty"`
	Command  string `json:"command,omitempty"`
	Mode     string `json:"mode,omitempty"` // ModeExec, ModeWire, or "" if it is built in
	Ops      []Op   `json:"ops,omitempty"`
	Reasons  bool   `json:"reasons,omitempty"`
	Ours     bool   `json:"ours,omitempty"`

	// What its adapter's manifest adds.
	Report    string `json:"report,omitempty"`    // where its authors want to be told of faults
	Unclaimed bool   `json:"unclaimed,omitempty"` // it does not claim to be what it is judged as
}

// The modes in which a program of another process is asked.
const (
	ModeExec = "exec" // one process a document; the exit status decides
	ModeWire = "wire" // the line protocol
)

// AsSubject gives what a results file says of an implementation.
func (i Info) AsSubject() Subject {
	return Subject{
		Name: i.Name, Version: i.Version, Lineage: i.Lineage, Language: i.Language, Layer: i.Layer,
		Homepage: i.Homepage, Command: i.Command, Ops: i.Ops, Reasons: i.Reasons, Ours: i.Ours,
	}
}

// A Tally counts questions by what came of them.
type Tally struct {
	Asked   int `json:"asked"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Limited int `json:"limited,omitempty"` // refused because of a measured limit, which RFC 8259 section 9 allows
	Skipped int `json:"skipped,omitempty"`
}

// Add counts one outcome.
func (t *Tally) Add(o Outcome, limited bool) {
	t.Asked++
	switch {
	case limited:
		t.Limited++
	case o == Pass:
		t.Passed++
	case o == Skip:
		t.Skipped++
	default:
		t.Failed++
	}
}

// Plus adds two tallies.
func (t Tally) Plus(u Tally) Tally {
	return Tally{
		Asked: t.Asked + u.Asked, Passed: t.Passed + u.Passed, Failed: t.Failed + u.Failed,
		Limited: t.Limited + u.Limited, Skipped: t.Skipped + u.Skipped,
	}
}

// Unlimited is a measured limit that was not reached.
const Unlimited = -1

// Limits are an implementation's measured limits.
type Limits struct {
	Probed  int `json:"probed"`  // the depth up to which it was measured; 0 if it was not
	Arrays  int `json:"arrays"`  // the deepest nest of arrays that it accepts, or Unlimited
	Objects int `json:"objects"` // the same of objects
}

// A Ladder is what came of texts of one shape that grow rung by rung.
type Ladder struct {
	Name     string     `json:"name"`               // of the shape
	Unit     string     `json:"unit"`               // what is counted: "bytes", "members", "levels"
	Rungs    []Rung     `json:"rungs"`              // the smallest first
	Exponent float64    `json:"exponent,omitempty"` // the power of the size with which the time grows; 0 if it could not be told
	Slow     bool       `json:"slow,omitempty"`     // the time grows faster than n log n, seen twice
	Ends     AnswerKind `json:"ends,omitempty"`     // how it answers beyond its end; "" if the last rung is accepted
	Last     int        `json:"last,omitempty"`     // the largest size that is accepted, as near as it was looked for
	Message  string     `json:"message,omitempty"`  // what was said at the end; hostile
}

// A Rung is one size of a Ladder.
type Rung struct {
	Size   int        `json:"size"`
	Bytes  int        `json:"bytes"` // of the text
	Given  AnswerKind `json:"given"`
	Nanos  int64      `json:"nanos"`            // the median of the repeats; 0 if it was not measured
	Spread int64      `json:"spread,omitempty"` // between the quickest and the slowest repeat
}

// Score is what came of one implementation.
type Score struct {
	Subject   string           `json:"subject"`
	NoStart   string           `json:"no_start,omitempty"` // why it could not be started
	Vectors   Tally            `json:"vectors"`
	Generated Tally            `json:"generated"`
	Groups    map[string]Tally `json:"groups"` // vectors by the requirement group of their clauses
	Found     map[string]int   `json:"found"`  // kinds of finding by requirement group
	Outcomes  map[Outcome]int  `json:"outcomes"`
	Limits    Limits           `json:"limits"`
	Relations map[string]Tally `json:"relations,omitempty"` // trials by metamorphic relation
	Ladders   []Ladder         `json:"ladders,omitempty"`   // time and failure against size
	Unasked   int              `json:"unasked,omitempty"`   // questions that it was not asked any more, since it failed too often
	Why       string           `json:"why,omitempty"`       // of Unasked; hostile
	Findings  int              `json:"findings"`            // kinds of finding
	New       int              `json:"new"`                 // those of them that no baseline knows
	Withheld  int              `json:"withheld,omitempty"`  // kinds left out because nobody has reported them yet
}

// A VectorResult is one vector put to one implementation. Passed ones carry the
// outcome alone.
type VectorResult struct {
	Subject     string  `json:"subject"`
	Vector      string  `json:"vector"`
	Outcome     Outcome `json:"outcome"`
	Requirement string  `json:"requirement,omitempty"`
	Limited     bool    `json:"limited,omitempty"`
	Known       bool    `json:"known,omitempty"`
	Expected    string  `json:"expected,omitempty"` // the verdict
	Message     string  `json:"message,omitempty"`
	Digest      string  `json:"digest,omitempty"` // SHA-256 of the bytes given, where they are wrong
}

// A Stale is a baseline entry that no longer matches what happens.
type Stale struct {
	Subject string `json:"subject"`
	Line    int    `json:"line"`
	Entry   string `json:"entry"`
	Why     string `json:"why"`
}

// A Footer ends a results file: a file without one is of a run that was cut.
type Footer struct {
	Scores      []Score `json:"scores"`
	Stale       []Stale `json:"stale,omitempty"`
	Interrupted bool    `json:"interrupted,omitempty"`
	Withheld    int     `json:"withheld,omitempty"` // findings left out because nobody has reported them yet
	Questions   int     `json:"questions"`          // put to all implementations together
	Seconds     float64 `json:"seconds,omitempty"`  // elapsed
	CasesPerSec float64 `json:"cases_per_second,omitempty"`
}

// A Record is one line of a results file: exactly one field is set.
type Record struct {
	Header  *Header       `json:"header,omitempty"`
	Vector  *VectorResult `json:"vector,omitempty"`
	Finding *Finding      `json:"finding,omitempty"`
	Footer  *Footer       `json:"footer,omitempty"`
}

// A Run is a whole results file.
type Run struct {
	Header   Header
	Vectors  []VectorResult
	Findings []Finding
	Footer   Footer
}

// Score finds what came of an implementation; nil if it has none.
func (r *Run) Score(subject string) *Score {
	for i := range r.Footer.Scores {
		if r.Footer.Scores[i].Subject == subject {
			return &r.Footer.Scores[i]
		}
	}
	return nil
}

// Clause finds a requirement's text.
func (r *Run) Clause(id string) (Clause, bool) {
	for _, c := range r.Header.Clauses {
		if c.ID == id {
			return c, true
		}
	}
	return Clause{}, false
}

// New counts the findings that no baseline knows.
func (r *Run) New() int {
	n := 0
	for _, s := range r.Footer.Scores {
		n += s.New
	}
	return n
}
