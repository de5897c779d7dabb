//go:build js && wasm

// Command oracle is the oracle inside a page: it gives JavaScript one function,
//
//	touchstone.explain(bytes, {profile, peers, agent, tool, format})
//
// which promises the explanation of a document, given as an Uint8Array. format
// is "html", the results of server/page, or "json", what touchstone explain
// --json writes. peers false asks no implementation.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"syscall/js"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/explain"
	"github.com/touchstone-oracle/touchstone/server/page"
)

// limit is no promise here, where nothing can be broken off: the page ends the
// worker in which all this runs.
const limit = time.Hour

var panel = explain.NewPanel(voices(), limit)

func main() {
	js.Global().Set("touchstone", map[string]any{"explain": js.FuncOf(promise)})
	select {}
}

// promise makes explain's result a promise, so that timers go on meanwhile.
func promise(_ js.Value, arguments []js.Value) any {
	var executor js.Func
	executor = js.FuncOf(func(_ js.Value, settle []js.Value) any {
		executor.Release()
		go func() {
			text, err := answer(arguments)
			if err != nil {
				settle[1].Invoke(js.Global().Get("Error").New(err.Error()))
				return
			}
			settle[0].Invoke(text)
		}()
		return nil
	})
	return js.Global().Get("Promise").New(executor)
}

func answer(arguments []js.Value) (string, error) {
	if len(arguments) != 2 || !arguments[0].InstanceOf(js.Global().Get("Uint8Array")) || arguments[1].Type() != js.TypeObject {
		return "", errors.New("oracle: explain takes an Uint8Array and options")
	}
	src := make([]byte, arguments[0].Length())
	js.CopyBytesToGo(src, arguments[0])
	option := func(name string) string {
		if v := arguments[1].Get(name); v.Type() == js.TypeString {
			return v.String()
		}
		return ""
	}
	profile := reject.RFC8785
	if name := option("profile"); name != "" {
		var err error
		if profile, err = reject.ParseProfile(name); err != nil {
			return "", err
		}
	}
	e := explained(src, profile, arguments[1].Get("peers").Truthy())
	if agent, tool := option("agent"), option("tool"); agent != "" && tool != "" {
		if err := e.Bind(agent, tool); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	var err error
	if option("format") == "json" {
		err = json.NewEncoder(&b).Encode(e)
	} else {
		err = page.WriteResults(&b, e)
	}
	return b.String(), err
}

func explained(src []byte, profile reject.Profile, peers bool) *explain.Explanation {
	if peers {
		return panel.Explain(context.Background(), profile, src)
	}
	return explain.Document(src)
}
