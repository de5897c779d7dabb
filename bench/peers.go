package main

import (
	"encoding/json"
	"fmt"

	"github.com/bytedance/sonic"
	cyberphone "github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer"
	"github.com/go-json-experiment/json/jsontext"
	goccy "github.com/goccy/go-json"
	"github.com/gowebpki/jcs"
	"github.com/minio/simdjson-go"
	"github.com/valyala/fastjson"

	"github.com/touchstone-oracle/touchstone/canon"
)

// An engine is one row of the table: what is done to each document.
type engine struct {
	name string
	does string // what it does, for who reads the table
	// run handles one document; it may keep buffers between calls.
	run func(src []byte) error
	// fresh: its state is thrown away before each pass over a set.
	fresh bool
	// missing says what the engine lacks here, empty if it can run.
	missing string
}

// baseline is the engine that all others are compared with.
const baseline = "jsontext"

// engines gives every engine, each with buffers of its own.
func engines() []engine {
	var out, work, packed []byte
	var parser fastjson.Parser
	var parsed *simdjson.ParsedJson
	missing := ""
	if !simdjson.SupportedCPU() {
		missing = "needs AVX2 and CLMUL"
	}
	return []engine{
		{name: "canon", does: "Append into a buffer", run: func(src []byte) (err error) {
			out, err = canon.Append(out[:0], src)
			return err
		}},
		{name: "canon/valid", does: "Valid; on canonical texts only", run: func(src []byte) error {
			if !canon.Valid(src) {
				return errNotCanonical
			}
			return nil
		}},
		{name: "canon/fresh", does: "Append to nil, pools emptied before each pass", fresh: true, run: func(src []byte) error {
			_, err := canon.Append(nil, src)
			return err
		}},
		{name: "jsontext", does: "Value.Canonicalize of a copy", run: func(src []byte) error {
			work = append(work[:0], src...)
			v := jsontext.Value(work)
			return v.Canonicalize()
		}},
		{name: "cyberphone", does: "Transform", run: func(src []byte) error {
			_, err := cyberphone.Transform(src)
			return err
		}},
		{name: "gowebpki", does: "Transform", run: func(src []byte) error {
			_, err := jcs.Transform(src)
			return err
		}},
		{name: "encoding/json", does: "Unmarshal and Marshal, not canonical", run: func(src []byte) error {
			return roundTrip(src, json.Unmarshal, json.Marshal)
		}},
		{name: "goccy", does: "Unmarshal and Marshal, not canonical", run: func(src []byte) error {
			return roundTrip(src, goccy.Unmarshal, goccy.Marshal)
		}},
		{name: "sonic", does: "Unmarshal and Marshal, not canonical", run: func(src []byte) error {
			return roundTrip(src, sonic.Unmarshal, sonic.Marshal)
		}},
		{name: "fastjson", does: "parses only", run: func(src []byte) error {
			_, err := parser.ParseBytes(src)
			return err
		}},
		{name: "simdjson-go", does: "parses only", missing: missing, run: func(src []byte) (err error) {
			parsed, err = simdjson.Parse(src, parsed)
			return err
		}},
		{name: "memcpy", does: "copies", run: func(src []byte) error {
			packed = append(packed[:0], src...)
			return nil
		}},
	}
}

var errNotCanonical = fmt.Errorf("not canonical")

func roundTrip(src []byte, unmarshal func([]byte, any) error, marshal func(any) ([]byte, error)) error {
	var v any
	if err := unmarshal(src, &v); err != nil {
		return err
	}
	_, err := marshal(v)
	return err
}
