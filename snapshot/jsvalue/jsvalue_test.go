package jsvalue_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/snapshot"
	"github.com/touchstone-oracle/touchstone/snapshot/jsvalue"
	"github.com/touchstone-oracle/touchstone/snapshot/reference"
)

func evaluate(expr string, o snapshot.Options) (snapshot.Snapshot, error) {
	return jsvalue.Evaluate(context.Background(), jsvalue.Program{Expr: expr}, o)
}

func refusalOf(t *testing.T, err error) *reject.Error {
	t.Helper()
	var refusal *reject.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("no refusal: %v", err)
	}
	return refusal
}

// TestBrandsAreForThisEngine: the allow-list was checked for one version.
func TestBrandsAreForThisEngine(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`github.com/dop251/goja (\S+)`).FindSubmatch(mod)
	if found == nil || string(found[1]) != jsvalue.BrandsOf {
		t.Fatalf("go.mod has goja %q, the brands were checked for %s: look through the new version's kinds of objects", found, jsvalue.BrandsOf)
	}
}

// TestBrands: what each kind of object is called in a refusal.
func TestBrands(t *testing.T) {
	for expr, brand := range map[string]string{
		`new Date(0)`: "Date", `/x/`: "RegExp", `new Map()`: "Map", `new Set()`: "Set", `new WeakMap()`: "WeakMap", `new WeakSet()`: "WeakSet",
		`new Error()`: "Error", `Promise.resolve()`: "Promise", `new ArrayBuffer(1)`: "ArrayBuffer", `new Uint8Array(1)`: "TypedArray",
		`new DataView(new ArrayBuffer(1))`: "DataView", `new Proxy({},{})`: "Proxy", `new Proxy(function(){},{})`: "Proxy",
		`(function(){return arguments})()`: "Arguments", `(function(){"use strict";return arguments})()`: "Arguments",
		`(function*(){})()`: "Generator", `new Number(1)`: "boxed primitive", `new Boolean(true)`: "boxed primitive", `Object(1n)`: "boxed primitive",
		`Object(Symbol())`: "boxed primitive", `new String("")`: "boxed String", `JSON.rawJSON("1")`: "RawJSON", `globalThis`: "host", `Math`: "host",
		`(function(){})`: "Function", `(()=>1)`: "Function", `(class {})`: "Function", `(function(){}).bind()`: "Function", `Math.max`: "Function",
		`(async()=>1)`: "Function", `(async function(){})`: "Function", `(function*(){})`: "Function", `({a(){}}).a`: "Function", `Function.prototype`: "Function",
		`Object`: "Function", `Array`: "Function", `({async a(){}}).a`: "Function", `({*a(){}}).a`: "Function",
		`undefined`: "undefined", `1n`: "bigint", `Symbol()`: "symbol", `NaN`: "number", `-0`: "number", `"\ud800"`: "string",
		`new Array(1)`: "Array", `new (class A{})()`: "Object", `({get a(){}})`: "accessor",
	} {
		_, err := evaluate(expr, snapshot.Options{})
		if got := refusalOf(t, err); got.Type != brand {
			t.Errorf("%s: type %q (%v), want %q", expr, got.Type, got.Reason, brand)
		}
	}
}

// hostile is a script that makes values of which every piece of code that a
// reader could run calls ran.
const hostile = `
var traps = new Proxy({}, {get() { return function() { ran() } }});
var loud = {};
for (const name of ["toJSON", "toString", "valueOf", "inspect", "then", "constructor"])
	Object.defineProperty(loud, name, {get() { ran() }, set() { ran() }, enumerable: true});
for (const symbol of [Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag, Symbol.species, Symbol.isConcatSpreadable])
	Object.defineProperty(loud, symbol, {get() { ran() }, enumerable: true});
var protos = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype, Function.prototype];
var names = ["toJSON", "value", "enumerable", "get", "set", "0", "1", "a", "then", "next"];
function loudly() {
	var d = Object.create(null);
	d.get = d.set = function() { ran() };
	d.configurable = true;
	return d;
}
for (var i = 0; i < protos.length; i++)
	for (var k = 0; k < names.length; k++)
		Reflect.defineProperty(protos[i], names[k], loudly());
Array.prototype[Symbol.iterator] = Array.prototype.sort = Array.prototype.push = Array.prototype.map = function() { ran() };
Object.keys = Reflect.ownKeys = Object.getOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor = JSON.stringify = function() { ran() };
Array.isArray = Object.getPrototypeOf = Reflect.getPrototypeOf = function() { ran() };
class Species extends Array { static get [Symbol.species]() { ran() } }
`

// TestNoUserCodeRuns counts the calls of getters, setters, traps, toJSON and
// iterators while values are read, by the domain and by the judge's mapping.
func TestNoUserCodeRuns(t *testing.T) {
	for _, expr := range []string{
		`loud`, `[loud]`, `({b: loud})`, `({b: 1, c: [1, "x", {}]})`, `[1, [2]]`, `new Proxy({}, traps)`, `[new Proxy([], traps)]`,
		`Object.setPrototypeOf({}, new Proxy({}, traps))`, `Object.setPrototypeOf([1], new Proxy([], traps))`, `new Species(1, 2)`,
		`new Proxy(function(){}, traps)`, `Object.assign([1], {b: loud})`, `[1,,2]`, `new Array(4294967295)`, `new Date(0)`, `new Map()`,
		`Object.create(loud)`, `new Error("e")`, `(function(){return arguments})(1)`, `(function*(){ ran() })()`, `(class { static get b() { ran() } })`,
		`Object.defineProperty({}, "b", loudly())`, `Object.defineProperty([], "0", loudly())`, `"text"`, `1`, `Symbol()`,
	} {
		t.Run(expr, func(t *testing.T) {
			vm, calls := goja.New(), 0
			vm.Set("ran", func() { calls++ })
			if _, err := vm.RunString(hostile); err != nil {
				t.Fatal(err)
			}
			value, err := vm.RunString("(" + expr + ")")
			if err != nil {
				t.Fatal(err)
			}
			calls = 0
			s, err := jsvalue.Of(vm, value, snapshot.Options{ShowNames: true})
			if err != nil {
				_ = err.Error()
			}
			g, mapErr := jsvalue.ToGraph(vm, value)
			if mapErr != nil {
				t.Fatal(mapErr)
			}
			judged := reference.Judge(g)
			if calls != 0 {
				t.Errorf("user code ran %d times", calls)
			}
			if (err == nil) != !judged.Rejects() && (judged.Rejects() || judged.Accepts()) {
				t.Errorf("got %q, %v; the judge says %v", s.CanonicalJSON(), err, judged.Reasons())
			}
		})
	}
}

// TestTheHostileScriptIsLoud: the counter counts, so that no call means none.
func TestTheHostileScriptIsLoud(t *testing.T) {
	for _, touch := range []string{`loud.toJSON`, `({}).a`, `[...[1]]`, `Object.keys({})`, `({}).value = 1`, `new Proxy({}, traps).x`, `[].b = "x"[1]; [][0]`} {
		vm, calls := goja.New(), 0
		vm.Set("ran", func() { calls++ })
		if _, err := vm.RunString(hostile); err != nil {
			t.Fatal(err)
		}
		vm.RunString(touch)
		if calls == 0 {
			t.Errorf("%s runs nothing", touch)
		}
	}
}

// TestErrorsHoldNoPayload: neither names, nor values, nor what a getter throws.
func TestErrorsHoldNoPayload(t *testing.T) {
	for _, expr := range []string{
		`({secret: {get secret(){throw new Error("secret")}}})`, `({secret: [1n]})`, `({secret: [Symbol("secret")]})`, `[new Error("secret")]`,
		`new (class Secret{})()`, `({"secret\ud800": 1})`, `["secret\ud800"]`, `({secret: Object.defineProperty({}, "secret", {value: 1})})`,
		`Object.assign([], {secret: 1})`, `(function secret(){})`,
	} {
		_, err := evaluate(expr, snapshot.Options{})
		refusal := refusalOf(t, err)
		if strings.Contains(strings.ToLower(err.Error()+refusal.Type), "secret") {
			t.Errorf("%s: %v", expr, err)
		}
	}
	for _, p := range []jsvalue.Program{{Expr: `(()=>{throw "secret"})()`}, {Setup: `throw new Error("secret")`, Expr: `1`}, {Expr: `secret`}, {Expr: `secret secret`}, {Expr: `1`, Teardown: `throw {secret: 1}`}} {
		_, err := jsvalue.Evaluate(context.Background(), p, snapshot.Options{})
		var failed *jsvalue.ProgramError
		if !errors.As(err, &failed) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestPointers(t *testing.T) {
	for _, c := range []struct{ expr, pointer, shown string }{
		{`({a: [1, {"b/~": -0}]})`, "/*/1/*", "/a/1/b~1~0"},
		{`-0`, "", ""},
		{`[[[undefined]]]`, "/0/0/0", "/0/0/0"},
		{`({"": NaN})`, "/*", "/"},
		{`({a: {"\ud800": 1}})`, "/*/*", "/a/*"},
		{`({a: {get b(){}}})`, "/*/*", "/a/b"},
		{`[{a: [,]}]`, "/0/*", "/0/a"},
	} {
		_, err := evaluate(c.expr, snapshot.Options{})
		if got := refusalOf(t, err).Pointer; got != c.pointer {
			t.Errorf("%s: %q, want %q", c.expr, got, c.pointer)
		}
		_, err = evaluate(c.expr, snapshot.Options{ShowNames: true})
		if got := refusalOf(t, err).Pointer; got != c.shown {
			t.Errorf("%s, names shown: %q, want %q", c.expr, got, c.shown)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, expr string
		options    snapshot.Options
		reason     reject.Reason
	}{
		{"depth", `[[[]]]`, snapshot.Options{MaxDepth: 2}, reject.LimitDepth},
		{"depth reached", `[[[]]]`, snapshot.Options{MaxDepth: 3}, reject.None},
		{"depth of records", `({a:{a:{}}})`, snapshot.Options{MaxDepth: 2}, reject.LimitDepth},
		{"string", `"abcdefgh"`, snapshot.Options{MaxOutput: 8}, reject.LimitSize},
		{"string reached", `"abcdef"`, snapshot.Options{MaxOutput: 8}, reject.None},
		{"name", `({abcdefgh:1})`, snapshot.Options{MaxOutput: 8}, reject.LimitSize},
		// What is read counts as it is read: a fault behind it is not looked at.
		{"string before another fault", `["abcdefgh", undefined]`, snapshot.Options{MaxOutput: 9}, reject.LimitSize},
		{"name before another fault", `({abcdefgh: undefined})`, snapshot.Options{MaxOutput: 8}, reject.LimitSize},
		{"string reached before a fault", `["abcdefgh", undefined]`, snapshot.Options{MaxOutput: 10}, reject.UnsupportedType},
		{"name reached before a fault", `({abcdefgh: undefined})`, snapshot.Options{MaxOutput: 9}, reject.UnsupportedType},
		{"long array", `new Array(100).fill(0)`, snapshot.Options{MaxOutput: 50}, reject.LimitSize},
		{"long array with a hole", `new Array(100)`, snapshot.Options{MaxOutput: 50}, reject.SparseArray},
		{"long array, written", `new Array(20).fill(12345)`, snapshot.Options{MaxOutput: 50}, reject.LimitSize},
		{"array that just fits", `[1,2,3]`, snapshot.Options{MaxOutput: 7}, reject.None},
		{"no limit", `new Array(1000).fill(0)`, snapshot.Options{MaxOutput: -1}, reject.None},
		{"one long string many times", `new Array(1000).fill("x".repeat(1<<20))`, snapshot.Options{}, reject.LimitSize},
		{"a million elements", `new Array(1e6).fill(0)`, snapshot.Options{MaxOutput: 1 << 20}, reject.LimitSize},
	} {
		_, err := evaluate(c.expr, c.options)
		if c.reason == reject.None {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		got := refusalOf(t, err)
		if got.Reason != c.reason || got.Package != "jsvalue" {
			t.Errorf("%s: %v by %s, want %v", c.name, got.Reason, got.Package, c.reason)
		}
		if got.Reason == reject.LimitDepth && got.Type == "" {
			t.Errorf("%s: the walk itself did not see the depth", c.name)
		}
	}
}

func TestParseProgram(t *testing.T) {
	p, err := jsvalue.ParseProgram([]byte(`{"setup":"a","expr":"b","teardown":"c","needs":"realm"}`))
	if err != nil || p != (jsvalue.Program{Setup: "a", Expr: "b", Teardown: "c", Needs: "realm"}) {
		t.Errorf("got %+v, %v", p, err)
	}
	if p, err = jsvalue.ParseProgram([]byte(`{"expr":"b"}`)); err != nil || p != (jsvalue.Program{Expr: "b"}) {
		t.Errorf("got %+v, %v", p, err)
	}
	for _, text := range []string{``, `{}`, `[]`, `{"expr":1}`, `{"expr":"b","x":1}`, `{"setup":"a"}`, `{"expr":"b","needs":"threads"}`, `{"expr":"a","expr":"b"}`} {
		if _, err := jsvalue.ParseProgram([]byte(text)); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}

func TestEvaluate(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := jsvalue.Evaluate(ctx, jsvalue.Program{Expr: `(()=>{for(;;);})()`}, snapshot.Options{})
	var failed *jsvalue.ProgramError
	if !errors.As(err, &failed) || failed.Problem != "was stopped" || failed.Stage != "expr" {
		t.Errorf("an endless script: %v", err)
	}
	for _, c := range []struct {
		p              jsvalue.Program
		stage, problem string
	}{
		{jsvalue.Program{Setup: `(`, Expr: `1`}, "setup", "does not parse"},
		{jsvalue.Program{Setup: `throw 1`, Expr: `1`}, "setup", "threw"},
		{jsvalue.Program{Expr: `a b`}, "expr", "does not parse"},
		{jsvalue.Program{Expr: `var a`}, "expr", "does not parse"},
		{jsvalue.Program{Expr: `(function f(){return f()})()`}, "expr", "threw"},
		{jsvalue.Program{Expr: `1`, Teardown: `throw 1`}, "teardown", "threw"},
	} {
		_, err := jsvalue.Evaluate(context.Background(), c.p, snapshot.Options{})
		if !errors.As(err, &failed) || failed.Stage != c.stage || failed.Problem != c.problem {
			t.Errorf("%+v: %v", c.p, err)
		}
	}
	if _, err := jsvalue.Evaluate(context.Background(), jsvalue.Program{Expr: `1`, Needs: "realm"}, snapshot.Options{}); !errors.Is(err, jsvalue.ErrNotServed) {
		t.Errorf("a realm: %v", err)
	}
	// One program's pollution never reaches the next.
	if _, err := jsvalue.Evaluate(context.Background(), jsvalue.Program{Setup: `Object.prototype.x=1;globalThis.y=1`, Expr: `1`}, snapshot.Options{}); err != nil {
		t.Error(err)
	}
	if s, err := evaluate(`[({}).x===undefined,typeof y]`, snapshot.Options{}); err != nil || s.CanonicalJSON() != `[true,"undefined"]` {
		t.Errorf("polluted: %s, %v", s.CanonicalJSON(), err)
	}
	// A comment at the end does not swallow the parenthesis.
	if s, err := evaluate(`1 // one`, snapshot.Options{}); err != nil || s.CanonicalJSON() != `1` {
		t.Errorf("got %s, %v", s.CanonicalJSON(), err)
	}
}

// TestValuesFromGo: a host application may put Go values into a runtime.
func TestValuesFromGo(t *testing.T) {
	vm := goja.New()
	for _, v := range []any{map[string]any{"a": 1}, []any{1}, struct{ A int }{1}, func() {}, &struct{}{}} {
		if _, err := jsvalue.Of(vm, vm.ToValue(v), snapshot.Options{}); err == nil {
			t.Errorf("%T was taken", v)
		}
	}
	if _, err := jsvalue.Of(vm, nil, snapshot.Options{}); refusalOf(t, err).Type != "undefined" {
		t.Errorf("no value at all: %v", err)
	}
	other, err := goja.New().RunString(`({a:1})`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jsvalue.Of(vm, other, snapshot.Options{}); refusalOf(t, err).Reason != reject.NonPlainObject {
		t.Errorf("a record of another runtime: %v", err)
	}
}

// TestConcurrentRuntimes is for the race detector.
func TestConcurrentRuntimes(t *testing.T) {
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				if s, err := evaluate(`({b:[1,"€"],a:{}})`, snapshot.Options{}); err != nil || s.CanonicalJSON() != `{"a":{},"b":[1,"€"]}` {
					t.Errorf("got %s, %v", s.CanonicalJSON(), err)
				}
			}
		})
	}
	wait.Wait()
}

func TestToGraphIsBounded(t *testing.T) {
	for _, expr := range []string{`new Array(70000).fill(0)`, `(()=>{var o={};for(var i=0;i<70000;i++)o["k"+i]=1;return o})()`} {
		err := jsvalue.Run(context.Background(), jsvalue.Program{Expr: expr}, func(vm *goja.Runtime, v goja.Value) {
			if _, err := jsvalue.ToGraph(vm, v); !errors.Is(err, jsvalue.ErrTooMany) {
				t.Errorf("%s: %v", expr, err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestBuildRefusesNodesOfGo: a graph of Go values has no JavaScript value.
func TestBuildRefusesNodesOfGo(t *testing.T) {
	for _, value := range []any{1, struct{}{}, []any(nil)} {
		if _, err := jsvalue.Build(goja.New(), reference.FromGo(value)); err == nil {
			t.Errorf("%T was built", value)
		}
	}
}

// TestGraphsComeBack: a graph built and mapped back has the same judgement.
func TestGraphsComeBack(t *testing.T) {
	for _, host := range reference.Hosts() {
		g, err := reference.Parse([]byte(`{"root":0,"nodes":[{"array":[[0,1],[1,2,"hidden"]],"extra":[["0061",2,"symbol"],["0062",2,"getter"],["0063",2,"setter"]]},{"host":"` + host + `"},{"literal":"true"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		vm := goja.New()
		v, err := jsvalue.Build(vm, g)
		if err != nil {
			t.Fatal(err)
		}
		back, err := jsvalue.ToGraph(vm, v)
		if err != nil {
			t.Fatal(err)
		}
		want, got := reference.Judge(g), reference.Judge(back)
		if len(want.Faults) != len(got.Faults) || strings.Join(reasons(want), " ") != strings.Join(reasons(got), " ") {
			t.Errorf("%s: %v, want %v", host, reasons(got), reasons(want))
		}
	}
}

func reasons(j *reference.Judgement) []string {
	var all []string
	for _, r := range j.Reasons() {
		all = append(all, r.String())
	}
	return all
}
