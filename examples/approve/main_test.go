package main

func Example() {
	main()
	// Output:
	// {"amount":100,"to":"alice"}
	// true
	// true false
	// map[amount:100 to:alice]
	// snapshot: the same container is reached twice ([]interface {}), in /* [repeated_reference, rfc0016/domain/references]: copy the container
}
