package main

func Example() {
	main()
	// Output:
	// true  "{\"to\":\"alice\",\"amount\":100}"
	// true  "{\n  \"amount\": 1e2,\n  \"to\": \"\\u0061lice\"\n}"
	// false "{\"to\":\"alice\",\"amount\":1000}"
	// false "{\"to\":\"bob\",\"to\":\"alice\",\"amount\":100}"
}
