package jsvalue

import (
	"reflect"
	"strings"

	"github.com/dop251/goja"
)

// BrandsOf is the version of goja for which the brands were checked. Another
// version must be looked through for new kinds of objects first; the tests
// hold it to go.mod.
const BrandsOf = "v0.0.0-20260917113740-793a2a65c13b"

// A brand is what the engine made an object.
type brand uint8

const (
	hostBrand brand = iota
	recordBrand
	arrayBrand
	functionBrand
)

// templateArray is the array of strings that a template hands its tag. The
// engine makes a new one at each evaluation, but a script sees one object.
const templateArray = "*goja.taggedTemplateArray"

// implementation is the engine's type behind an object. It is read, never
// touched: a type is data of the engine, not of the script.
func implementation(o *goja.Object) string {
	self := reflect.ValueOf(o).Elem().FieldByName("self")
	return self.Elem().Type().String()
}

// brandOf tells an object's brand, and its name for errors. Class names are
// asked only of types that are known to run nothing for it.
func brandOf(o *goja.Object) (brand, string) {
	switch kind := implementation(o); kind {
	case "*goja.baseObject":
		if class := o.ClassName(); class != "Object" { // Arguments in strict mode, RawJSON
			return hostBrand, class
		}
		return recordBrand, "Object"
	case "*goja.arrayObject", "*goja.sparseArrayObject", templateArray:
		return arrayBrand, "Array"
	case "*goja.dateObject", "*goja.regexpObject", "*goja.mapObject", "*goja.setObject", "*goja.weakMapObject",
		"*goja.weakSetObject", "*goja.errorObject", "*goja.Promise", "*goja.arrayBufferObject", "*goja.dataViewObject",
		"*goja.typedArrayObject", "*goja.proxyObject", "*goja.argumentsObject", "*goja.generatorObject", "*goja.stringObject",
		"*goja.primitiveValueObject":
		return hostBrand, hostName(kind)
	default:
		if _, callable := goja.AssertFunction(o); callable || strings.HasSuffix(kind, "FuncObject") {
			return functionBrand, "Function"
		}
		return hostBrand, "host"
	}
}

// hostName turns the engine's type into a brand's name: "*goja.dateObject" to "Date".
func hostName(kind string) string {
	switch kind {
	case "*goja.primitiveValueObject":
		return "boxed primitive"
	case "*goja.stringObject":
		return "boxed String"
	case "*goja.regexpObject":
		return "RegExp"
	}
	name := strings.TrimSuffix(strings.TrimPrefix(kind, "*goja."), "Object")
	return strings.ToUpper(name[:1]) + name[1:]
}

// templates are arrays of templates, each by the first object that stood for it.
type templates []*goja.Object

// identity gives the object that stands for o among those that a script could
// not tell from it: o itself but for the arrays of templates.
func (t *templates) identity(o *goja.Object) *goja.Object {
	if implementation(o) != templateArray {
		return o
	}
	for _, known := range *t {
		if known.StrictEquals(o) {
			return known
		}
	}
	*t = append(*t, o)
	return o
}
