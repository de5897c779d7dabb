package reports

// ByteView shows bytes in four readings: hex, character, code point and UTF-16
// code units. Of a long text it shows what surrounds the offset mark, which is
// marked; -1 is none, and marks nothing. Nothing is shared with b.
func ByteView(label string, b []byte, mark int) View { return byteView(label, b, mark) }
