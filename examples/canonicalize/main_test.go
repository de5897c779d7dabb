package main

func Example() {
	main()
	// Output:
	// {"a":"€","peach":1e+21,"péché":[1.5,0]} <nil>
	// true
	// 24 /*/* rfc8785/3.1/unique-names
	// canon: the number is negative zero, at offset 1 (line 1, column 2), in /0 [negative_zero, rfc8785/B/negative-zero]: write 0
}
