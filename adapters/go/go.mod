module github.com/touchstone-oracle/touchstone/adapters/go

go 1.26

require (
	github.com/gowebpki/jcs v1.0.1
	github.com/secure-systems-lab/go-securesystemslib v0.11.1
)
