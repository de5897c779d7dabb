package reports

import (
	"strings"

	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A manner is how tests are written in a language. In its texts %in and %out
// stand for hexadecimal digits.
type manner struct {
	comment                string // begins a line of comment
	accept, reject, either string
}

// manners has a row for each language that an implementation may name; "" is
// for the others.
var manners = map[string]manner{
	"go": {
		"// ",
		"input, _ := hex.DecodeString(\"%in\")\nwant, _ := hex.DecodeString(\"%out\")\nif got, err := canonicalize(input); err != nil || !bytes.Equal(got, want) {\n\tt.Errorf(\"%x, %v\", got, err)\n}",
		"input, _ := hex.DecodeString(\"%in\")\nif got, err := canonicalize(input); err == nil {\n\tt.Errorf(\"accepted, gives %x\", got)\n}",
		"input, _ := hex.DecodeString(\"%in\")\nwant, _ := hex.DecodeString(\"%out\")\nif got, err := canonicalize(input); err == nil && !bytes.Equal(got, want) { // a refusal is right too\n\tt.Errorf(\"%x\", got)\n}",
	},
	"javascript": {
		"// ",
		"const input = Buffer.from(\"%in\", \"hex\");\nassert.equal(Buffer.from(canonicalize(input)).toString(\"hex\"), \"%out\");",
		"const input = Buffer.from(\"%in\", \"hex\");\nassert.throws(() => canonicalize(input));",
		"const input = Buffer.from(\"%in\", \"hex\");\nlet output;\ntry { output = canonicalize(input); } catch {} // a refusal is right too\nif (output !== undefined) assert.equal(Buffer.from(output).toString(\"hex\"), \"%out\");",
	},
	"python": {
		"# ",
		"document = bytes.fromhex(\"%in\")\nassert canonicalize(document) == bytes.fromhex(\"%out\")",
		"document = bytes.fromhex(\"%in\")\nwith pytest.raises(Exception):\n    canonicalize(document)",
		"document = bytes.fromhex(\"%in\")\ntry:\n    output = canonicalize(document)\nexcept Exception:\n    pass  # a refusal is right too\nelse:\n    assert output == bytes.fromhex(\"%out\")",
	},
	"java": {
		"// ",
		"byte[] input = HexFormat.of().parseHex(\"%in\");\nassertEquals(\"%out\", HexFormat.of().formatHex(canonicalize(input)));",
		"byte[] input = HexFormat.of().parseHex(\"%in\");\nassertThrows(Exception.class, () -> canonicalize(input));",
		"byte[] input = HexFormat.of().parseHex(\"%in\");\nbyte[] output = null;\ntry { output = canonicalize(input); } catch (Exception refused) { /* right too */ }\nif (output != null) assertEquals(\"%out\", HexFormat.of().formatHex(output));",
	},
	"rust": {
		"// ",
		"let input = hex::decode(\"%in\").unwrap();\nassert_eq!(canonicalize(&input).unwrap(), hex::decode(\"%out\").unwrap());",
		"let input = hex::decode(\"%in\").unwrap();\nassert!(canonicalize(&input).is_err());",
		"let input = hex::decode(\"%in\").unwrap();\nif let Ok(output) = canonicalize(&input) { // a refusal is right too\n    assert_eq!(output, hex::decode(\"%out\").unwrap());\n}",
	},
	"php": {
		"// ",
		"$input = hex2bin('%in');\n$this->assertSame('%out', bin2hex(canonicalize($input)));",
		"$input = hex2bin('%in');\n$this->expectException(Throwable::class);\ncanonicalize($input);",
		"$input = hex2bin('%in');\ntry { $output = canonicalize($input); } catch (Throwable) { return; } // a refusal is right too\n$this->assertSame('%out', bin2hex($output));",
	},
	"ruby": {
		"# ",
		"input = [\"%in\"].pack(\"H*\")\nassert_equal \"%out\", canonicalize(input).unpack1(\"H*\")",
		"input = [\"%in\"].pack(\"H*\")\nassert_raises(StandardError) { canonicalize(input) }",
		"input = [\"%in\"].pack(\"H*\")\noutput = canonicalize(input) rescue nil # a refusal is right too\nassert_equal \"%out\", output.unpack1(\"H*\") if output",
	},
	"perl": {
		"# ",
		"my $input = pack('H*', '%in');\nis(unpack('H*', canonicalize($input)), '%out');",
		"my $input = pack('H*', '%in');\nok(!eval { canonicalize($input); 1 });",
		"my $input = pack('H*', '%in');\nmy $output = eval { canonicalize($input) }; # a refusal is right too\nis(unpack('H*', $output), '%out') if defined $output;",
	},
	"": {
		"# ",
		"input  %in\noutput %out",
		"input  %in\noutput refuse",
		"input  %in\noutput refuse or %out",
	},
}

// snippetBytes is how long an input or output may be to be pasted.
const snippetBytes = 1024

// snippet gives a test to paste, in the implementation's language; canonicalize
// stands for its function from a document's bytes to the canonical form's. It is
// empty for what is no single question, and for what is long.
func snippet(run *result.Run, f *result.Finding, subject result.Subject) string {
	if f.Relation != "" || f.Ladder != "" || f.Op != result.OpCanon ||
		len(f.Input) != f.InputSize || len(f.Input) > snippetBytes || len(f.Expected) > snippetBytes {
		return ""
	}
	m, ok := manners[strings.ToLower(subject.Language)]
	if !ok {
		m = manners[""]
	}
	body := m.accept
	switch f.Verdict {
	case "reject":
		body = m.reject
	case "either":
		body = m.either
	}
	what := Escape(f.Signature, 120)
	if c, ok := run.Clause(f.Requirement); ok {
		what = Escape(c.Source+" section "+c.Section, 80) + ": " + what
	}
	if said := inWords(f); said != "" {
		what += "\n" + m.comment + said
	}
	return m.comment + what + "\n" + strings.NewReplacer("%in", f.Input.String(), "%out", f.Expected.String()).Replace(body)
}

// A comment says so much of a document, and is left out if it is longer.
const spokenBytes, mostSpoken = 72, 100

// inWords says what a test holds, for who reads it; "" for what takes long to say,
// and for what a language could read as more than a comment: Java's escapes hold
// there too, and PHP ends where a comment says ?>.
func inWords(f *result.Finding) string {
	input, expected := within(f.Input, f.InputSize, spokenBytes), within(f.Expected, len(f.Expected), spokenBytes)
	said := input + " gives " + expected
	switch f.Verdict {
	case "reject":
		said = input + " must be refused"
	case "either":
		said += ", or is refused"
	}
	if len(said) > mostSpoken || strings.Contains(said, `\`) || strings.Contains(said, "?>") {
		return ""
	}
	return said
}
