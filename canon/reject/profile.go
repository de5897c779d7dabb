package reject

import "fmt"

// A Profile says which rules decide. The profiles are ordered by strictness
// only in part: what is refused by RFC8785 is refused by the other two.
type Profile uint8

const (
	// RFC8785 is what a canonicalizer owes by RFC 8785.
	RFC8785 Profile = iota
	// IJSON adds RFC 7493 to the letter.
	IJSON
	// RFC0016 is the strict snapshot domain of AIOC's RFC-0016 over JSON text.
	RFC0016
)

var profileNames = [...]string{RFC8785: "rfc8785", IJSON: "ijson", RFC0016: "rfc0016"}

// Profiles lists every profile.
func Profiles() []Profile { return []Profile{RFC8785, IJSON, RFC0016} }

// String gives the profile's name as it stands in vectors, reports and flags.
func (p Profile) String() string {
	if int(p) < len(profileNames) {
		return profileNames[p]
	}
	return fmt.Sprintf("profile(%d)", uint8(p))
}

// ParseProfile reads a profile's name.
func ParseProfile(name string) (Profile, error) {
	for p, n := range profileNames {
		if n == name {
			return Profile(p), nil
		}
	}
	return 0, fmt.Errorf("reject: %q is not a profile: choose rfc8785, ijson or rfc0016", name)
}

// MarshalText writes the profile's name.
func (p Profile) MarshalText() ([]byte, error) {
	if int(p) >= len(profileNames) {
		return nil, fmt.Errorf("reject: %s has no name", p)
	}
	return []byte(p.String()), nil
}

// UnmarshalText reads a profile's name and refuses any other.
func (p *Profile) UnmarshalText(text []byte) (err error) {
	*p, err = ParseProfile(string(text))
	return err
}
