package reference

import (
	"encoding/hex"
	"encoding/json"
	"math"

	text "github.com/touchstone-oracle/touchstone/canon/reference"
	"github.com/touchstone-oracle/touchstone/canon/reject"
	values "github.com/touchstone-oracle/touchstone/snapshot/reference"
)

// decode is strict decoding to the canonical form, or why not.
func decode(raw []byte) (canonical, why string) {
	x := text.Examine(raw)
	for _, f := range x.Faults {
		switch f.Reason {
		case reject.Noncharacter, reject.NumberUnderflow, reject.InexactNumber:
		default:
			return "", f.Reason.String()
		}
	}
	return string(x.Canonical), ""
}

// judge says whether a value is in the domain.
func judge(value any) (canonical, why string) {
	j := values.Judge(values.FromGo(value))
	if len(j.Faults) > 0 {
		return "", j.Faults[0].Reason.String()
	}
	return string(j.Canonical), ""
}

func view(canonical string) (v any) {
	_ = json.Unmarshal([]byte(canonical), &v)
	return v
}

func canonical(v any) string {
	loose, _ := json.Marshal(v)
	strict, _ := text.Canonicalize(loose)
	return string(strict)
}

func clone(v any) any { return view(canonical(v)) }

func unhex(s string) []byte { b, _ := hex.DecodeString(s); return b }

// filled adds the fields that are not empty.
func filled(parts ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, part := range parts {
		for name, v := range part {
			if v != "" && v != false {
				all[name] = v
			}
		}
	}
	return all
}

func sameNames(a, b any) bool {
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	for name := range x {
		if _, has := y[name]; !has {
			return false
		}
	}
	return !ok || also && len(x) == len(y)
}

// place finds a container and the token within it.
func place(v any, path []any) (object map[string]any, name string, array []any, index int) {
	for i, token := range path {
		switch c := v.(type) {
		case map[string]any:
			s, ok := token.(string)
			if !ok {
				return
			}
			if i == len(path)-1 {
				return c, s, nil, 0
			}
			v = c[s]
		case []any:
			n := -1
			for at := range c {
				if token == any(float64(at)) {
					n = at
				}
			}
			if n < 0 {
				return
			}
			if i == len(path)-1 {
				return nil, "", c, n
			}
			v = c[n]
		default:
			return
		}
	}
	return
}

func get(v any, path []any) (any, bool) {
	if len(path) == 0 {
		return v, true
	}
	object, name, array, index := place(v, path)
	if array != nil {
		return array[index], true
	}
	x, ok := object[name]
	return x, ok
}

func put(v any, path []any, to any) {
	if object, name, array, index := place(v, path); object != nil {
		object[name] = to
	} else if array != nil {
		array[index] = to
	}
}

func apply(v any, edits []edit) {
	for _, e := range edits {
		put(v, e.Set, clone(e.To))
		if object, name, _, _ := place(v, e.Delete); object != nil {
			delete(object, name)
		}
		put(v, e.NegativeZero, math.Copysign(0, -1))
		put(v, e.Host, struct{}{})
		put(v, e.Cycle, v)
		if from, ok := get(v, e.From); ok && e.Alias != nil {
			put(v, e.Alias, from)
		}
	}
}

// output is what a schema's script gives without looking at its input.
func (s *script) output() (v any) {
	if s.Does == "graph" {
		graph, _ := values.Parse(s.Graph)
		v, _ = values.ToGo(graph)
		return v
	}
	return clone(s.Value)
}

// show is what a projection's script makes of the arguments.
func (s *script) show(v any) any {
	object, _ := v.(map[string]any)
	switch {
	case s.Does == "hide" && object == nil:
		return "[hidden]"
	case s.Does == "hide":
		for _, name := range s.Names {
			if _, has := object[name]; has {
				object[name] = "[hidden]"
			}
		}
		return v
	case s.Does == "value":
		v = clone(s.Value)
	}
	apply(v, s.Edits)
	return v
}
