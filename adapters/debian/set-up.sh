#!/bin/sh
# Builds what is here in Java and Rust from the libraries that Debian packages:
# libjackson2-databind-java, libgoogle-gson-java, librust-serde-json-dev.
set -e
cd "$(dirname "$0")"
jars=/usr/share/java
if command -v javac >/dev/null && [ -e $jars/gson.jar ] && [ -e $jars/jackson-databind.jar ]; then
	mkdir -p build
	javac -nowarn -cp "$jars/gson.jar:$jars/jackson-databind.jar:$jars/jackson-core.jar:$jars/jackson-annotations.jar" -d build Adapter.java
fi
if command -v cargo >/dev/null && [ -d /usr/share/cargo/registry ]; then
	(cd serde_json && cargo build --release --offline --quiet)
fi
