package documents

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"github.com/touchstone-oracle/touchstone/canon"
)

// The small documents have the shape of what agents and tools send each other:
// arguments of calls, results, schemas of tools, edits of code. They are made
// from a seed, so every run measures the same bytes.

// object writes members in the order given, as models do: compact or with the
// spaces that Python's json.dumps puts.
type object []any // name, value, name, value, ...

// MarshalJSON keeps the order.
func (o object) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i < len(o); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(o[i])
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(o[i+1])
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

type maker struct{ *rand.Rand }

func (m maker) pick(words ...string) string { return words[m.IntN(len(words))] }

func (m maker) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.pick("the", "flight", "of", "a", "customer", "returns", "number", "order", "for", "which", "payment",
			"is", "optional", "list", "with", "status", "in", "format", "default", "value", "search", "account", "one", "if", "not",
			"given", "must", "be", "café", "price", "€20", "\"quoted\"", "date"))
	}
	return b.String()
}

func (m maker) id(prefix string) string { return fmt.Sprintf("%s_%d", prefix, 1000+m.IntN(9_000_000)) }
func (m maker) date() string {
	return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00", 1+m.IntN(12), 1+m.IntN(28), m.IntN(24), m.IntN(60))
}
func (m maker) price() float64 { return float64(m.IntN(100_000)) / 100 }

func (m maker) arguments() any {
	switch m.IntN(6) {
	case 0:
		return object{"user_id", m.id("user")}
	case 1:
		return object{"reservation_id", m.id("R")}
	case 2:
		return object{"origin", m.pick("JFK", "SFO", "LAX", "MIA"), "destination", m.pick("SEA", "ORD", "BOS"), "date", m.date()[:10]}
	case 3:
		return object{"expression", fmt.Sprintf("%d * %d + %.2f", m.IntN(100), m.IntN(9), m.price())}
	case 4:
		return object{"query", m.words(3 + m.IntN(10)), "limit", m.IntN(50), "filters", object{"status", m.pick("open", "closed"), "after", m.date()}}
	}
	flights := make([]any, 1+m.IntN(3))
	for i := range flights {
		flights[i] = object{"flight_number", m.id("HAT"), "date", m.date()[:10]}
	}
	return object{"user_id", m.id("user"), "reservation_id", m.id("R"), "cabin", m.pick("economy", "business"), "flights", flights,
		"payment_id", m.id("credit_card"), "total_baggages", m.IntN(4), "insurance", m.pick("yes", "no")}
}

func (m maker) result() any {
	rows := make([]any, 1+m.IntN(6))
	for i := range rows {
		rows[i] = object{"flight_number", m.id("HAT"), "origin", m.pick("JFK", "SFO"), "destination", m.pick("SEA", "ORD"),
			"scheduled_departure_time_est", m.date(), "scheduled_arrival_time_est", m.date(), "status", m.pick("available", "landed"),
			"available_seats", object{"basic_economy", m.IntN(20), "economy", m.IntN(20), "business", m.IntN(20)},
			"prices", object{"basic_economy", m.price(), "economy", m.price(), "business", m.price()}}
	}
	return object{"reservation_id", m.id("R"), "user_id", m.id("user"), "created_at", m.date(), "flights", rows,
		"passengers", []any{object{"first_name", m.pick("Zoë", "Raj", "Mia"), "last_name", m.pick("Lee", "Khan"), "dob", m.date()[:10]}},
		"total_baggages", m.IntN(5), "insurance", m.pick("yes", "no"), "score", m.Float64()}
}

func (m maker) schema() any {
	properties := object{}
	var required []string
	for range 1 + m.IntN(6) {
		name := m.pick("user", "order", "start", "max", "include", "sort") + "_" + m.pick("id", "date", "count", "items", "by", "name")
		duplicate := false
		for i := 0; i < len(properties); i += 2 {
			duplicate = duplicate || properties[i] == name
		}
		if duplicate {
			continue
		}
		p := object{"type", m.pick("string", "integer", "boolean", "number"), "description", m.words(4 + m.IntN(16))}
		if m.IntN(4) == 0 {
			p = append(p, "enum", []string{"asc", "desc"}, "default", "asc")
		}
		properties = append(properties, name, p)
		required = append(required, name)
	}
	return object{"name", m.pick("get", "find", "update") + "_" + m.pick("order", "flight", "user"), "description", m.words(8 + m.IntN(20)),
		"parameters", object{"type", "object", "properties", properties, "required", required}}
}

func (m maker) edit() any {
	code := func() string {
		var b strings.Builder
		for range 1 + m.IntN(20) {
			fmt.Fprintf(&b, "\tif err := %s(%q, %d); err != nil {\n\t\treturn nil, fmt.Errorf(\"%s: %%w\", err)\n\t}\n",
				m.pick("read", "write", "check"), m.words(2), m.IntN(100), m.pick("open", "close"))
		}
		return b.String()
	}
	if m.IntN(3) == 0 {
		return object{"command", "cd src && grep -rn \"" + m.words(2) + "\" . | head -" + fmt.Sprint(m.IntN(90)), "timeout", 1000 * m.IntN(120)}
	}
	return object{"path", "src/" + m.pick("main", "index", "walk") + ".go", "old_string", code(), "new_string", code(), "replace_all", m.IntN(2) == 0}
}

// Small makes the sets of small documents.
func Small(seed uint64) []Set {
	var sets []Set
	for _, kind := range []struct {
		name  string
		count int
		make  func(maker) any
	}{
		{"tool arguments", 1000, maker.arguments}, {"tool results", 500, maker.result},
		{"tool schemas", 1000, maker.schema}, {"code edits", 300, maker.edit},
	} {
		m := maker{rand.New(rand.NewPCG(seed, uint64(len(sets))))}
		s := Set{Name: kind.name, Group: "small"}
		for range kind.count {
			doc, err := json.Marshal(kind.make(m))
			if err != nil {
				panic(err) // the values are ours
			}
			if m.IntN(3) > 0 { // as Python writes it
				doc = spaced(doc)
			}
			s.Docs = append(s.Docs, doc)
		}
		sets = append(sets, s)
	}
	return sets
}

// spaced puts a space behind each comma and colon outside strings.
func spaced(doc []byte) []byte {
	var out []byte
	quoted := false
	for i := 0; i < len(doc); i++ {
		out = append(out, doc[i])
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
			out = append(out, doc[i])
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			out = append(out, ' ')
		}
	}
	return out
}

// A Pair is a document that is hard for one reason, and one of the same bytes,
// or nearly so, in a friendly shape: two sets of one document.
type Pair struct{ Hostile, Friendly Set }

// Hostile gives the documents of all pairs, each once.
func Hostile() []Set {
	var sets []Set
	seen := map[string]bool{}
	for _, p := range Pairs() {
		for _, s := range []Set{p.Hostile, p.Friendly} {
			if !seen[s.Name] {
				seen[s.Name] = true
				sets = append(sets, s)
			}
		}
	}
	return sets
}

// list joins n parts by commas.
func list(n int, each func(k int) string) string {
	parts := make([]string, n)
	for k := range parts {
		parts[k] = each(k)
	}
	return strings.Join(parts, ",")
}

// hostileText gives a document by its name.
var hostileText = map[string]func() string{
	"deep unsorted": func() string {
		return "[" + list(20, func(int) string { return nested(`{"b":0,"a":`, "1", "}") }) + "]"
	},
	"deep sorted": func() string {
		return "[" + list(20, func(int) string { return nested(`{"a":`, `1`, `,"b":0}`) }) + "]"
	},
	"wide unsorted":          func() string { return wideObject(`"%04d":1`, 7919) },
	"wide sorted":            func() string { return wideObject(`"%04d":1`, 1) },
	"shared prefixes":        func() string { return wideObject(`"sharedprefix%04d":1`, 7919) },
	"shared prefixes sorted": func() string { return wideObject(`"sharedprefix%04d":1`, 1) },
	"escaped names":          func() string { return wideObject(`"\u0061\n%04d":1`, 7919) },
	"names of 4 KB": func() string {
		return "{" + list(100, func(k int) string { return fmt.Sprintf(`"%s%03d":1`, strings.Repeat("n", 4000), k*37%100) }) + "}"
	},
	"names of 4 KB sorted": func() string {
		return "{" + list(100, func(k int) string { return fmt.Sprintf(`"%s%03d":1`, strings.Repeat("n", 4000), k) }) + "}"
	},
	"one long name": func() string { // equal to the others for long: the pivot of a sort
		return "{" + list(3000, func(k int) string {
			return fmt.Sprintf(`"%s%04d":1`, strings.Repeat("n", 8+k%2*200), k*7919%3000)
		}) + "}"
	},
	"escapes":             func() string { return `["` + strings.Repeat(`\u00e9\u4E2D`, 8000) + `"]` },
	"control escapes":     func() string { return `["` + strings.Repeat(`\u0001\u001f`, 8000) + `"]` },
	"pairs of surrogates": func() string { return `["` + strings.Repeat(`\uD83D\uDE00`, 8000) + `"]` },
	"solidus":             func() string { return `["` + strings.Repeat(`\/`, 40000) + `"]` },
	"kept escapes":        func() string { return `["` + strings.Repeat(`\n\"\\`, 16000) + `"]` },
	"plain characters":    func() string { return `["` + strings.Repeat("é中abcdefg", 8000) + `"]` },
	"17 digits": func() string {
		return "[" + list(5000, func(k int) string { return fmt.Sprintf("0.%d", 12345678901234567+k*7919) }) + "]"
	},
	"20 digits": func() string {
		return "[" + list(5000, func(k int) string { return fmt.Sprintf("0.9%d", 1234567890123456789+k*7919) }) + "]"
	},
	"halfway": func() string { // decided by the last digit alone
		return "[" + list(500, func(k int) string { return fmt.Sprintf("9007199254740993.%0300d", k%2) }) + "]"
	},
	"halves of 20 digits":   func() string { return halves(3000, 20) },
	"halves of 40 digits":   func() string { return halves(3000, 40) },
	"decimals of 20 digits": func() string { return decimals(3000, 20) },
	"decimals of 40 digits": func() string { return decimals(3000, 40) },
	"halves of 770 digits":  func() string { return halves(500, 770) },
	"digits to cut":         func() string { return "[" + list(3000, func(k int) string { return fmt.Sprintf("1.%0300d", k) }) + "]" },
	"exponents": func() string {
		return "[" + list(9000, func(k int) string { return fmt.Sprintf("%de%d", k+1, k%300) }) + "]"
	},
	"subnormal": func() string {
		return "[" + list(9000, func(k int) string { return fmt.Sprintf("%de-320", k+1) }) + "]"
	},
	"short numbers": func() string { return "[" + list(9000, func(k int) string { return fmt.Sprintf("%d.25", k) }) + "]" },
	"empty arrays":  func() string { return "[" + list(30000, func(int) string { return "[]" }) + "]" },
	"blanks":        func() string { return "[" + list(2000, func(int) string { return "\n\t \r 1 \t\n \r" }) + "]" },
}

// decimals lists decimals of so many digits over the whole range.
func decimals(n, digits int) string {
	r := rand.New(rand.NewPCG(uint64(digits), 19))
	return "[" + list(n, func(int) string {
		text := fmt.Sprintf("%d.%019d", 1+r.IntN(9), r.Uint64N(1e19))
		for len(text) < digits+1 {
			text += fmt.Sprint(r.IntN(10))
		}
		return fmt.Sprintf("%se%+04d", text, r.IntN(600)-300)
	}) + "]"
}

// halves lists decimals that lie in the middle between two doubles, cut after so
// many digits or filled up with zeros and a 1: the first 19 never decide, and
// the whole middle has up to 767.
func halves(n, digits int) string {
	r := rand.New(rand.NewPCG(uint64(digits), 767))
	return "[" + list(n, func(k int) string {
		low := r.Uint64N(0x7FF<<52-1) &^ (uint64(k%2) * 0x7F0 << 52) // every second one is small
		middle := new(big.Float).SetPrec(1200).SetFloat64(math.Float64frombits(low))
		next := new(big.Float).SetPrec(1200).SetFloat64(math.Float64frombits(low + 1))
		middle.Quo(middle.Add(middle, next), big.NewFloat(2))
		text := middle.Text('e', 800)
		mark := strings.IndexByte(text, 'e')
		return text[:digits] + "1" + text[mark:]
	}) + "]"
}

func nested(head, middle, tail string) string {
	return strings.Repeat(head, 900) + middle + strings.Repeat(tail, 900)
}

func wideObject(member string, step int) string {
	const wide = 10_000
	return "{" + list(wide, func(k int) string { return fmt.Sprintf(member, k*step%wide) }) + "}"
}

// Pairs makes the documents that are hard for one reason each.
func Pairs() []Pair {
	one := func(name string) Set {
		return Set{Name: name, Group: "hostile", Docs: [][]byte{[]byte(hostileText[name]())}}
	}
	var pairs []Pair
	for _, p := range [][2]string{
		{"deep unsorted", "deep sorted"}, {"wide unsorted", "wide sorted"}, {"shared prefixes", "shared prefixes sorted"},
		{"escaped names", "wide unsorted"}, {"names of 4 KB", "names of 4 KB sorted"}, {"one long name", "shared prefixes"},
		{"escapes", "plain characters"}, {"control escapes", "plain characters"}, {"pairs of surrogates", "plain characters"},
		{"solidus", "plain characters"}, {"kept escapes", "plain characters"},
		{"17 digits", "short numbers"}, {"20 digits", "short numbers"}, {"halfway", "short numbers"},
		{"decimals of 20 digits", "short numbers"}, {"decimals of 40 digits", "short numbers"},
		{"halves of 20 digits", "decimals of 20 digits"}, {"halves of 40 digits", "decimals of 40 digits"},
		{"halves of 770 digits", "short numbers"}, {"digits to cut", "short numbers"},
		{"exponents", "short numbers"}, {"subnormal", "short numbers"}, {"empty arrays", "short numbers"}, {"blanks", "short numbers"},
	} {
		pairs = append(pairs, Pair{one(p[0]), one(p[1])})
	}
	return pairs
}

// Canonical gives the canonical forms of sets, for what only verifies.
func Canonical(sets []Set) ([]Set, error) {
	var out []Set
	for _, s := range sets {
		c := Set{Name: s.Name + ", canonical", Group: "canonical"}
		for _, d := range s.Docs {
			form, err := canon.Canonicalize(d)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			c.Docs = append(c.Docs, form)
		}
		out = append(out, c)
	}
	return out, nil
}

// Records gives an array of small objects, of size bytes or a few more.
func Records(size int) []byte {
	b := make([]byte, 0, size+128)
	b = append(b, '[')
	for k := 0; len(b) < size; k++ {
		b = fmt.Appendf(b, `{"name":"record %d","id":%d,"tags":["a","b"],"score":%d.5},`, k, k, k%100)
	}
	b[len(b)-1] = ']'
	return b
}

// Wide gives an object of n members in no order, for the curve of sorting.
func Wide(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var b strings.Builder
	b.WriteByte('{')
	for i, k := range r.Perm(n) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"member%08d":%d`, k, k)
	}
	b.WriteByte('}')
	return []byte(b.String())
}
