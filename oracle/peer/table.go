package peer

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/gowebpki/jcs"

	"github.com/touchstone-oracle/touchstone/canon"
	"github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// table has a row for each implementation. Of the foreign ones cyberphone and
// gowebpki are one lineage: gowebpki's README calls itself a fork of the
// other, and TestLineage finds their common code.
var table = []Peer{
	{
		Name: "reference", Lineage: "touchstone-reference", Layer: result.LayerText, Ours: true,
		Homepage: "https://" + ourModule, open: openReference,
	},
	{
		Name: "canon", Lineage: "touchstone-canon", Layer: result.LayerText, Ours: true,
		Homepage: "https://" + ourModule, open: openCanon,
	},
	{
		Name: "snapshot", Lineage: "touchstone-snapshot", Layer: result.LayerText, Ours: true,
		Homepage: "https://" + ourModule, open: openSnapshot,
	},
	{
		Name: "cyberphone", Lineage: "cyberphone", Layer: result.LayerText,
		Module: "github.com/cyberphone/json-canonicalization", pinned: "v0.0.0-20241213102144-19d51d7fe467",
		Homepage: "https://github.com/cyberphone/json-canonicalization", open: openCyberphone,
	},
	{
		Name: "gowebpki", Lineage: "cyberphone", Layer: result.LayerText,
		Module: "github.com/gowebpki/jcs", pinned: "v1.0.2",
		Homepage: "https://github.com/gowebpki/jcs", open: openGowebpki,
	},
	{
		Name: "jsontext", Lineage: "go-json-experiment", Layer: result.LayerText,
		Module: "github.com/go-json-experiment/json", pinned: "v1.27.2",
		Homepage: "https://github.com/go-json-experiment/json", open: openJSONText,
	},
	{
		Name: "goja", Lineage: "goja", Layer: result.LayerValue,
		Module: "github.com/dop251/goja", pinned: "v0.0.0-20260917113740-793a2a65c13b",
		Homepage: "https://github.com/dop251/goja", open: openGoja,
	},
}

func openReference(p reject.Profile) engine {
	canonicalize := func(input []byte) ([]byte, error) {
		out, err := reference.Canonicalize(input)
		if stricter := strictFault(p, input, err); stricter != nil {
			return nil, stricter
		}
		return out, err
	}
	return judgeValues(p, engine{
		result.OpCanon: canonicalize,
		result.OpVerify: func(input []byte) ([]byte, error) {
			out, err := canonicalize(input)
			return verdict(err == nil && bytes.Equal(out, input)), nil
		},
		result.OpNum: number(func(f float64) ([]byte, error) {
			if err := strictNumber(p, f); err != nil {
				return nil, err
			}
			text, ok := reference.NumberToString(math.Float64bits(f))
			if !ok {
				return nil, reject.NonFiniteNumber
			}
			return []byte(text), nil
		}),
	})
}

// strictReasons are those for which a profile refuses what RFC 8785 leaves
// open.
var strictReasons = map[reject.Profile][]reject.Reason{
	reject.IJSON:   {reject.Noncharacter},
	reject.RFC0016: {reject.NegativeZero},
}

// strictFault gives the first fault that the profile alone refuses, unless
// what RFC 8785 refuses comes before it.
func strictFault(p reject.Profile, input []byte, refusal error) error {
	if strictReasons[p] == nil {
		return nil
	}
	var other *reject.Error
	for _, fault := range reference.Examine(input).Faults {
		if errors.As(refusal, &other) && other.Offset < fault.Offset {
			return nil
		}
		if slices.Contains(strictReasons[p], fault.Reason) {
			return fault
		}
	}
	return nil
}

func strictNumber(p reject.Profile, f float64) error {
	if p == reject.RFC0016 && f == 0 && math.Signbit(f) {
		return reject.NegativeZero
	}
	return nil
}

func openCanon(p reject.Profile) engine {
	options := canon.Options{RefuseNegativeZero: p == reject.RFC0016, RefuseNoncharacters: p == reject.IJSON}
	return engine{
		result.OpCanon: options.Canonicalize,
		result.OpVerify: func(input []byte) ([]byte, error) {
			return verdict(options.Valid(input)), nil
		},
		result.OpNum: number(func(f float64) ([]byte, error) {
			if err := strictNumber(p, f); err != nil {
				return nil, err
			}
			return canon.AppendNumber(nil, f)
		}),
	}
}

func openCyberphone(reject.Profile) engine {
	return engine{
		result.OpCanon: jsoncanonicalizer.Transform,
		result.OpNum: number(func(f float64) ([]byte, error) {
			text, err := jsoncanonicalizer.NumberToJSON(f)
			return []byte(text), err
		}),
	}
}

func openGowebpki(reject.Profile) engine {
	return engine{
		result.OpCanon: jcs.Transform,
		result.OpNum: number(func(f float64) ([]byte, error) {
			text, err := jcs.NumberToJSON(f)
			return []byte(text), err
		}),
	}
}

// openJSONText uses jsontext as a careful user would: its defaults, said
// aloud.
func openJSONText(reject.Profile) engine {
	canonicalize := func(input []byte) ([]byte, error) {
		value := jsontext.Value(bytes.Clone(input))
		err := value.Canonicalize(jsontext.AllowInvalidUTF8(false), jsontext.AllowDuplicateNames(false))
		return value, err
	}
	return engine{
		result.OpCanon: canonicalize,
		// AppendFloat documents that it writes -0 as -0 and the non-finite as
		// strings; a canonical form needs a look first.
		result.OpNum: number(func(f float64) ([]byte, error) {
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, errNotFinite
			}
			if f == 0 {
				f = 0
			}
			return jsontext.AppendFloat(nil, f, 64), nil
		}),
	}
}

var errNotFinite = errors.New("not a finite number")
