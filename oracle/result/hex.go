package result

import (
	"encoding/hex"
	"fmt"
)

// Hex is bytes that JSON and text hold as lower-case hex digits, so that no
// reader has to understand what an implementation printed.
type Hex []byte

// String gives the digits.
func (h Hex) String() string { return hex.EncodeToString(h) }

// MarshalText writes the digits.
func (h Hex) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads digits, upper case too.
func (h *Hex) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil {
		return fmt.Errorf("result: not hex: %w", err)
	}
	*h = b
	return nil
}
