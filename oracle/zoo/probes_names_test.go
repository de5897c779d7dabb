package zoo_test

import (
	"fmt"
	"strings"
)

// nameProbes have names that software takes for something else.
func nameProbes() (all []string) {
	for _, n := range []string{"__proto__", "__proto", "constructor", "prototype", "toJSON", "hasOwnProperty", "length", "toString", "", " ", " a", "a ", "A", "aB", "ÄÖ", "e\u0301", "\u212b", `a\u0000b`, `\u0000`,
		"0", "00", "01", "007", "10", "0a", "1", "9", "4294967294", "4294967295", "9999999999", "10000000000", `\"`, `a\"b`, "\ufdd1", "0x1", "-1", "1.5"} {
		all = append(all, `{"`+n+`":1}`, `{"z":{"`+n+`":[7],"a":8}}`, `{"b":2,"`+n+`":{"c":null}}`, `[{"`+n+`":1}]`, `"`+n+`"`, `["`+n+`"]`, `{"v":"`+n+`"}`)
	}
	return append(all, `[["toJSON"],{"x":{"toJSON":3,"y":4}}]`, `{"\u005f_proto__":5}`, `{"__proto__":1,"b":{"__proto__":2}}`)
}

// orderProbes have objects whose members stand in every order.
func orderProbes() (all []string) {
	object := func(names ...string) string {
		var b strings.Builder
		for i, n := range names {
			fmt.Fprintf(&b, `,"%s":%d`, n, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	pairs := [][2]string{
		{"a", "b"}, {"a", "B"}, {"A", "a"}, {"a", "aa"}, {"aa", "b"}, {"b", "aa"}, {"", "a"}, {"", "\\u0000"}, {"a", "a!"}, {"a", "a\x20"}, {"a", "a\\u0000"}, {"a", "a\uffff"}, {"a", "a#"},
		{"\ue000", "😀"}, {"\uffff", "\U00010000"}, {"\ufb33", "\U0001F600"}, {"\u0100", "\u00ff"}, {"\u0201", "\u0102"}, {"\u0161b", "\u0261a"}, {"\u7fff", "\u8000"}, {"a", "\u8000"}, {"é", "f"}, {"é", "e"}, {"ä", "b"}, {"ö", "p"}, {"ñ", "o"}, {"ß", "st"}, {"a-c", "ab"}, {"İ", "j"}, {"ı", "j"}, {"ø", "p"}, {"å", "b"},
		{"1", "2"}, {"2", "10"}, {"10", "9"}, {"1", "a"}, {"!", "1"}, {"!", "0"}, {"!", "01"}, {"!", "00"}, {"-", "1"}, {"4294967294", "!"}, {"4294967295", "!"}, {"4294967296", "!"}, {"!", "9999999999"}, {"4294967293", "9"}, {"12345678901", "!"}, {"00000000001", "1"}, {"1x", "!"}, {"0", "00"}, {"07", "6"}, {"100", "20"}, {"0", "!"},
		{"e\u0301", "f"}, {"e\u0301", "é"}, {"\u212b", "b"}, {"e\u0302", "e\u0301"}, {"A\u030a", "Å"}, {"e\u0301a", "ez"}, {"zz", "\u00c5"}, {"\u212b", "\u00c6"},
		{`\u0062`, "a"}, {`\u0061`, "b"}, {`\"`, "!"}, {`\"`, "#"}, {`\\`, "]"}, {`\\`, "["}, {`\n`, "a"}, {`\u0001`, `\t`}, {`\u000b`, `\n`}, {`\/`, "0"}, {`\/`, "."}, {`\u0001`, "!"}, {`\u001f`, `\r`}, {"a", `a\"`}, {"a", `a\\`}, {`ab`, `a\"`}, {"\u007f", "\u0080"},
		{"abcd", "abdc"}, {"ba", "ab"}, {"abcda", "abcdb"}, {"abcdefgh", "abcdefgi"}, {"abcdefgha", "abcdefghb"}, {"abcdefghb", "abcdefgha"}, {"aab", "aba"}, {"abbb", "bbba"}, {"b", "ab"}, {"abcza", "abcyb"}, {"abczaa", "abdaa"}, {"bbbba", "bbbab"},
	}
	for _, n := range []int{7, 30, 31, 32, 33, 63} {
		p := strings.Repeat("p", n)
		pairs = append(pairs, [2]string{p + "a", p + "b"}, [2]string{p + "ab", p + "ba"})
	}
	for _, p := range pairs {
		all = append(all, object(p[0], p[1]), object(p[1], p[0]), object("c", p[1], p[0], "d"))
	}
	for n := 1; n <= 40; n++ {
		all = append(all, members(n))
	}
	for _, n := range []int{63, 64, 65, 66, 100} {
		all = append(all, members(n), elements(n))
	}
	for n := 1; n <= 10; n++ {
		all = append(all, nestedObjects(n, `{"b":1,"a":2}`), strings.Repeat("[", n)+`{"c":1,"b":2,"a":3}`+strings.Repeat("]", n))
	}
	return append(all,
		object("a", "b", "c"), object("b", "a", "c"), object("c", "a", "b"), object("c", "b", "a"), object("b", "c", "a"), object("d", "a", "b", "c"),
		object("g", "f", "e", "d", "c", "b", "a"), object("f", "e", "d", "c", "b", "a"), object("h", "g", "f", "e", "d", "c", "b", "a"),
		`{"b":[{"b":1,"a":2}],"a":{"d":3,"c":4}}`, `{"x":[],"b":{"d":3,"c":4}}`, `[{"b":1,"a":2},{"d":[],"c":1}]`, `[{},{},{},{},{},{"b":1,"a":2}]`, `{"z":[1],"y":[{"b":1,"a":2}]}`,
		`[3,1,2]`, `[3,"a",1]`, `[2,1,[3]]`, `[-1,-2,0.5,1e3,2]`, `[[2,1],[1,2]]`, `["b","a"]`)
}

// duplicateProbes have names that are equal, and names that are nearly so.
func duplicateProbes() (all []string) {
	same := []string{"a", "b", "", "é", "\u007f", "\u0080", "abcdefgh", "abcdefghi", `\u0000`, "😀"}
	for _, n := range []int{31, 32, 33, 64} {
		same = append(same, strings.Repeat("n", n))
	}
	for _, n := range same {
		all = append(all, `{"`+n+`":1,"`+n+`":2}`, `{"`+n+`":1,"`+n+`":1}`, `{"`+n+`":1,"x":0,"`+n+`":2}`, `[{"`+n+`":1},{"`+n+`":2}]`, `{"y":{"`+n+`":1,"`+n+`":2}}`)
	}
	for _, v := range [][2]string{{`"x"`, `"x"`}, {`"x"`, `"y"`}, {`1`, `1.0`}, {`1`, `"1"`}, {"null", "null"}, {"true", "false"}, {"null", "0"}, {"[]", "[]"}, {"[1]", "[]"}, {"{}", "{}"}, {`[]`, `[1]`}, {`{"a":1}`, `{}`}, {`{}`, `{"a":1}`}, {"0", "-0"}} {
		all = append(all, `{"k":`+v[0]+`,"k":`+v[1]+`}`)
	}
	for _, n := range [][2]string{{"a", `\u0061`}, {"a", "A"}, {"é", "É"}, {"é", "e\u0301"}, {"Å", "\u212b"}, {"abcdefgh", "abcdefgi"}, {"abcdefghi", "abcdefghj"}, {"abcdefghi", "abcdefghij"}, {`a\u0000b`, `a\u0000c`}, {"a", `a\u0000`}, {"a", "a "}, {"1", "01"}, {`\/`, "/"}, {`\u00e9`, "é"}} {
		all = append(all, `{"`+n[0]+`":1,"`+n[1]+`":2}`, `{"`+n[1]+`":1,"q":0,"`+n[0]+`":2}`)
	}
	for depth := 1; depth <= 6; depth++ {
		all = append(all, nestedObjects(depth, `{"a":1,"a":2}`), strings.Repeat("[", depth)+`{"a":1,"a":2}`+strings.Repeat("]", depth))
	}
	// The first name again after n others, the one at i again at the end.
	for _, n := range []int{0, 1, 2, 7, 8, 9, 14, 15, 16, 17, 18, 30, 40} {
		more := strings.TrimSuffix(members(n+2), "}")
		all = append(all, more+`,"k0":9}`, more+fmt.Sprintf(`,"k%d":9}`, 1), more+fmt.Sprintf(`,"k%d":9}`, n+1), more+`,"z":1,"z":2}`)
	}
	for _, at := range []int{1, 2, 6, 7, 8, 9, 10} {
		var b strings.Builder
		for i := range 12 {
			fmt.Fprintf(&b, `,"m%02d":0`, i)
		}
		all = append(all, "{"+b.String()[1:]+fmt.Sprintf(`,"m%02d":1}`, at))
	}
	return append(all,
		`{"a":{"b":1},"b":2}`, `{"a":{"b":1},"c":3,"b":2}`, `{"a":{"b":1,"c":2},"c":3}`, `{"a":[{"b":1}],"b":2}`, `{"b":2,"a":{"b":1}}`, `{"a":{"b":1},"b":{"c":2},"d":{"c":3}}`, `{"a":{"z":1},"b":{"a":1,"c":0},"c":1}`,
		`[{"a":1},{"a":2}]`, `[{"a":1},{"b":2}]`, `[{"a":1,"b":2},{"b":1}]`, `[{},{"a":1}]`, `[{"a":1},{}]`, `[{},{}]`, `[{"a":1},0,{"a":1}]`, `[0,{"a":1},{"a":2}]`, `[[{"a":1}],{"a":1}]`, `[{"a":1},[{"a":1}]]`, `{"x":{"a":1},"y":{"a":1}}`, `[{"x":1},{"y":{"x":1}},{"y":0}]`, `[1,2,{"a":1}]`,
		strings.TrimSuffix(members(17), "}")+`,"a":1,"\u0161":2}`, `[[1],{"":1}]`, `[{"":1},[1]]`, `[{"":1},{"":2}]`,
		`{"a":1,"a":2,"a":3}`, `{"a":1,"b":2,"a":3,"b":4}`, `{"a":1,"a":2,"b":3,"b":4,"c":5}`)
}

// structureProbes have faults of grammar and what the faulty ones do to values.
func structureProbes() (all []string) {
	all = append(all,
		"", " ", "\n", "1", "true", "null", `"a"`, "[]", "{}", "-", "+", ",", ":", "]", "}", "[", "{", "[[", "[{", `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, "[1", "[1,", "[[1]", "[[1],", "[[]", `[{"a":1}`, `[{"a":1`, `{"a":[1}`, `{"a":[1`, `["]"`, `["["]`, `["[",1`, `[1,"]]"`, "[[1]]]", "[1]]", `{"a":1}}`, "[]]", "[}", "{]", "[1}", `{"a":1]`, `[{]}`, `[[}]`, `{"a":{]}`, `[{"a":1]]`, `[{"a":1]}`,
		"[1,]", "[1,,]", "[,]", "[,1]", "[,,1]", "[1,,2]", "[1,,,2]", "[1, ,2]", "[ , 1]", `{"a":1,}`, `{,}`, `{,"a":1}`, `{"a":1,,"b":2}`, `{"a":1, }`, "[[1,]]", "[[[1,]]]", `{"a":{"b":{"c":1,}}}`, `{"a":{"b":1,}}`, "[[[,]]]", "[[[,1]]]", "[[1,,2]]", `[1,2,]`, "[[[[1,]]]]", `[{"a":1,}]`, `{"a":[1,]}`,
		"[1 2]", "[1  2]", "[[1][2]]", `["a""b"]`, `{"a":1 "b":2}`, `{"a":[1]"b":2}`, "[1;2]", "[1; 2]", "[1 ;2]", `{"a":1;"b":2}`, "[1;]", "[;1]", "[1;;2]", "[[1];[2]]", "[1", "[1 ", `["a" `, "[1|2]",
		`{"a"=1}`, `{"a",1}`, `{"a" 1}`, `{"a"1}`, `{"a"::1}`, `{"a":=1}`, `{"a";1}`, `{"a" = 1}`, `{"a" , 1}`, `{"a"}`, `{"a":}`, `{:1}`, `{1:1}`, `{a:1}`, `{A:1}`, `{Z:1}`, `{z9:1}`, `{a0:1}`, `{9a:1}`, `{a-b:1}`, `{_a:1}`, `{a b:1}`, `{a:}`, "{`:1}", `{@:1}`, "{[:1}", "{a{:1}", `{a/:1}`, `{a::1}`, `{b:1,a:2}`, `{'a':1}`, `['a']`, `'a'`, `["a']`, `['a"b']`, `['a\'b']`, `{'b':1,"a":2}`, `{null:1}`, `{aZ:1}`, `{ab1c:{"x":1}}`,
		"1 2", "1,2", "[1][2]", "[1] [2]", `{}{}`, `[]""`, "[] 0", "[] -1", "[] 9", "[] t", "[] f", "[] n", "[] x", "[]/", "[],", "[] ,", "[],,", "[], ", "[] }", "[] ]", "[]:", "[]\x00", "[]\x00\x00", "[]\x00 ", "[]\x00[]", "1\x00", "[]\x00x", "[]\n[]", "[].", "[]#", "null null", "[1]\x00\x1a",
		"True", "TRUE", "tRUE", "Null", "NULL", "False", "nul", "nulll", "nullx", "tru", "truex", "true1", "trux", "n", "t", "f", "nu", "fals", "falsx", "falsey", "false0", "nil", "None", "none", "undefined", "Undefined", "NaN", "nan", "-NaN", "Infinity", "-Infinity", "+Infinity", "infinity", "inf", "nxxx", "txxx", "fxxxx", "xull", "frue", "nalse", "[tru]", "[nul,1]", "[True]", "[undefined,None]", "[nanx]", "ttttt", "nnnnn", "ffff",
		`{"a":null}`, `{"a":null,"b":1}`, `{"a":{"b":null}}`, `[null]`, `[1,null,2,null]`, `{"a":[null]}`, `{"a":""}`, `{"a":"","b":"x"}`, `[""]`, `{"":""}`, `{"a":"x"}`, `{"a":[]}`, `{"a":{}}`, `[[]]`, `[{}]`, `[[],{}]`, `{"0":1}`, `{"0":1,"1":2}`, `{"1":1}`, `["0"]`, `{"0":{"0":1}}`, `[0]`, `{"00":1}`,
		`[1,1]`, `[1,1,1]`, `[1,2,1]`, `["a","a"]`, `["a","b","b"]`, `[null,null]`, `[true,true,false]`, `[[],[]]`, `[{},{}]`, `[[1],[1]]`, `[[1],[]]`, `[[],[1]]`, `[1,1.0]`, `[1,"1"]`, `["",""]`, `[null,0]`, `[0,""]`,
		`[[[]]]`, `[[[1]]]`, `[[1],2]`, `[[1,2]]`, `[{"a":[1]}]`, `{"a":[[1]]}`, `[[[1,2]]]`, `[[{}]]`, `{"a":{"b":1}}`,
		`{"a":1.0}`, `{"a":1.0,"b":2.0}`, `{"b":1.0,"a":2.0}`, `[1.0]`, `{"a":[1.0]}`, `{"a":{"b":1.0}}`, `{"a":1.0,"b":"x"}`, `{"a":"x","b":10e1}`, `{"a":[],"b":[2.0]}`,
		"{\"a\":1}\n", "[1, 2]", `[true,false,null]`, `{"a":true,"b":false}`,
	)
	for _, n := range []int{31, 32, 33, 34, 59, 60, 61, 62, 63, 64, 65, 70} {
		open := strings.Repeat("[", n)
		all = append(all, nested(n), open+"1"+strings.Repeat("]", n), nestedObjects(n, "{}"), nestedObjects(n, `{"d":"e"}`), open, open+"1}"+strings.Repeat("]", n-1), open+strings.Repeat("}", n), open+"1"+strings.Repeat("]", n-1)+"}", open+"1,1")
	}
	for _, n := range []int{31, 32, 33, 34} {
		all = append(all, elements(n))
	}
	for _, n := range []int{255, 256, 257} { // how deep an open behavior goes
		all = append(all, nested(n))
	}
	for _, n := range []int{255, 256, 257, 258, 511, 512, 513, 514} { // input in blocks
		all = append(all, strings.Repeat(" ", n-2)+"[]", "["+strings.Repeat(" ", n-3)+"1]", "1"+strings.Repeat(" ", n-1), strings.Repeat(" ", n-2)+"12")
	}
	return all
}

// requestProbes are requests whose answers depend on those before them.
func requestProbes() (all []string) {
	long := array(strings.Repeat("x", 996))
	deep := strings.Repeat("[", 300) + "x"
	broken := strings.TrimSuffix(members(70), "}") + ","
	all = append(all,
		`["é"]`, `["\u007f"]`, `["é"]`, `["\u0080"]`, `["é"]`,
		deep, deep, deep, nested(99), nested(100), nested(101), deep, nested(102), nested(90),
		"1", broken, `{"k6":1}`, "1", broken, `{"k7":1}`, "1", broken, `{"k8":1}`,
		"[", "[1]", "[1]", "[1,", "{}", long, "[1]", array(strings.Repeat("x", 995)), `["abcdefg"]`, array(strings.Repeat("x", 997)), "[12345]", long+" ", `["1234"]`, array(strings.Repeat("y", 1200)), `["12345"]`, `["123456"]`, `["1"]`,
		`{"a":1,"a":2}`, `{"a":1}`, `{"b":1,"b":2}`, `{"b":1}`, `{"c":{"d":1,"d":2}}`, `{"d":1}`, `{"c":1}`, `{"c":1}`, "[x", `{"e":1}`, `{"e":1}`,
		`["abcdefghijklmno1"]`, `["abcdefghijklmno2"]`, `["abcdefghijklm1"]`, `["abcdefghijklm2"]`, `["abcdef1hijkl12345"]`, `["abcdef2hijkl12345"]`, `["abcdef1hijkl123456"]`, `["abcde1ghijkl12345"]`, `["abcde2ghijkl12345"]`, `["abcdefghijk12345"]`, `["abcdefghijl12345"]`, `["abcdefg1jk123456"]`, `["abcdefg2jk123456"]`, `["abcdefghjk023456"]`, `["abcdefghjk123456"]`, `["abcdefghjk123456" ]`,
		`[1.1]`, `[1.10000002]`, `[1.1000000238418579]`, `[16777216]`, `[16777217]`, `[1.1000001]`, `[2.2]`, `[2.2]`, `["\u0041"]`, `["é"]`, `["\u007f"]`, `["é"]`, `["\u00e9"]`, `["é"]`, `["aé😀\u2028"]`, `["\u0080é"]`,
		`{"plumless":1,"buckeroo":2}`, `{"a":1,"b":2}`, `{"b":1,"a":2}`,
	)
	for i := range 400 { // chance, and caches that fill
		all = append(all, fmt.Sprintf(`{"n%d":%d.12345678901234567,"b":[0.1%d7777777777777],"a":"\\%d"}`, i*7919, i, i, i))
	}
	return all
}
