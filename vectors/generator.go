package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxBytes bounds what one generator may write.
const maxBytes = 1 << 20

// Bytes are given in lower-case hex or by a named generator:
//
//	"7b7d"
//	{"generator": "repeat", "times": 3, "of": BYTES}
//	{"generator": "concat", "parts": [BYTES, ...]}
//	{"generator": "members", "from": 9, "to": 0, "width": 4, "prefix": "6b", "value": BYTES}
//
// members writes members "k0009":1,"k0008":1,... without braces, counting up
// or down. Generators may stand in one another.
type generator struct {
	Generator string            `json:"generator"`
	Times     int               `json:"times"`
	Of        json.RawMessage   `json:"of"`
	Parts     []json.RawMessage `json:"parts"`
	From      int               `json:"from"`
	To        int               `json:"to"`
	Width     int               `json:"width"`
	Prefix    string            `json:"prefix"`
	Value     json.RawMessage   `json:"value"`
}

// generate gives the bytes that a hex text or a generator stands for.
func generate(raw json.RawMessage) ([]byte, error) { return generateWithin(raw, 8) }

func generateWithin(raw json.RawMessage, levels int) ([]byte, error) {
	if levels == 0 {
		return nil, errors.New("generators nested too deeply")
	}
	if len(raw) > 0 && raw[0] == '"' {
		return unhex(raw)
	}
	var g generator
	if err := decodeStrictly(raw, &g); err != nil {
		return nil, err
	}
	var out []byte
	var err error
	switch g.Generator {
	case "repeat":
		out, err = g.repeat(levels)
	case "concat":
		out, err = g.concat(levels)
	case "members":
		out, err = g.members(levels)
	default:
		err = fmt.Errorf("unknown generator %q", g.Generator)
	}
	if err == nil && len(out) > maxBytes {
		err = fmt.Errorf("the generator writes more than %d bytes", maxBytes)
	}
	return out, err
}

func (g generator) repeat(levels int) ([]byte, error) {
	of, err := generateWithin(g.Of, levels-1)
	if err != nil {
		return nil, err
	}
	if g.Times < 1 || len(of) == 0 || g.Times > maxBytes/len(of) {
		return nil, fmt.Errorf("repeat: %d times %d bytes", g.Times, len(of))
	}
	return bytes.Repeat(of, g.Times), nil
}

func (g generator) concat(levels int) ([]byte, error) {
	var out []byte
	for _, part := range g.Parts {
		b, err := generateWithin(part, levels-1)
		if err != nil {
			return nil, err
		}
		if len(out)+len(b) > maxBytes {
			return nil, fmt.Errorf("concat writes more than %d bytes", maxBytes)
		}
		out = append(out, b...)
	}
	return out, nil
}

func (g generator) members(levels int) ([]byte, error) {
	prefix, err := hex.DecodeString(g.Prefix)
	if err != nil {
		return nil, err
	}
	value, err := generateWithin(g.Value, levels-1)
	if err != nil {
		return nil, err
	}
	step := 1
	if g.From > g.To {
		step = -1
	}
	if count := (g.To-g.From)*step + 1; g.From < 0 || g.To < 0 || g.Width < 0 || g.Width > 20 ||
		count > maxBytes/(len(prefix)+len(value)+4) {
		return nil, fmt.Errorf("members: from %d to %d", g.From, g.To)
	}
	var out []byte
	for i := g.From; ; i += step {
		out = append(append(out, '"'), prefix...)
		digits := strconv.Itoa(i)
		out = append(out, strings.Repeat("0", max(0, g.Width-len(digits)))+digits...)
		out = append(append(out, '"', ':'), value...)
		if i == g.To {
			return out, nil
		}
		out = append(out, ',')
	}
}

func unhex(quoted json.RawMessage) ([]byte, error) {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return nil, err
	}
	if strings.ToLower(text) != text {
		return nil, errors.New("hex is written in lower case")
	}
	return hex.DecodeString(text)
}
