package snapshot

// compareNames orders names of valid UTF-8 as RFC 8785 section 3.2.3 does: by
// their UTF-16 code units. That is the order of the bytes but for one thing:
// code points beyond U+FFFF (first byte F0 and up) are written with
// surrogates, which come before U+E000 to U+FFFF (first byte EE or EF). Its slow
// twin is compareUnits in the tests; TestCompareNames holds them together.
func compareNames(a, b string) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if x, y := a[i], b[i]; x != y {
			if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
				return int(y) - int(x)
			}
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}
