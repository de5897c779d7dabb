# Everything here works with Go, git and make alone. make turns every failure
# into its own exit status 2; run bin/touchstone for the statuses of the command.

GO    ?= go
TOOL   = $(GO) tool -modfile=tools/go.mod
BIN    = bin/touchstone
OUT    = reports/out
SEED  ?= 1

# Executions of each fuzz target (a budget by time can fail without a finding,
# golang/go#75804), and rounds of each benchmark.
EXECS ?= 20000
COUNT ?= 6

.DEFAULT_GOAL := help
.PHONY: help build check test race bench benchstat latest-benchstat instructions fuzz fuzz-libfuzzer lint vuln report playground vectors numbers long zoo zoo-table zoo-smoke browser man clean FORCE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: $(BIN) ## build bin/touchstone
$(BIN): FORCE
	@$(GO) build -o $@ ./cmd/touchstone
FORCE:

check: $(BIN) ## the main job: judge the built-in implementations, write reports/out/
	$(BIN) check --seed $(SEED)
	$(BIN) check --seed $(SEED) --profile rfc0016 --peer snapshot --peer reference --cases 20000 --report-dir reports/out/rfc0016

test: ## all tests, without the long gates
	$(GO) test ./...

# What has concurrency of its own, or promises to be safe under it. The race
# detector changes what is allocated, and keeps a program without goroutines
# alive; tests of these two say nothing under it. It lets a program sleep for a
# second before it ends, which hundreds of programs of the tests would do.
CONCURRENT = ./canon ./snapshot ./snapshot/jsvalue ./snapshot/toolcall/... ./oracle/check ./oracle/numbers \
	./oracle/peer ./oracle/process ./oracle/wire ./oracle/explain ./server ./cmd/...

race: ## the tests of what runs concurrently, under the race detector
	GORACE="atexit_sleep_ms=20 $$GORACE" $(GO) test -race -short -skip 'Alloc|TestGuard/test-exit' $(CONCURRENT)

bench: ## canon beside its peers: a table, and reports/out/bench/
	$(GO) run ./bench -curve -out $(OUT)/bench

benchstat: ## the benchmarks of the packages (COUNT=6 rounds, for benchstat)
	$(GO) test -run '^$$' -bench . -count $(COUNT) ./...

# Compares what ran in turn on one machine; never a gate.
latest-benchstat: ## canon beside other canonicalizers by benchstat, into reports/latest/benchstat.txt (minutes)
	@mkdir -p $(OUT)
	$(GO) test -run '^$$' -bench '^BenchmarkCore$$' -benchtime 50ms -count 10 ./bench > $(OUT)/benchstat.out
	@{ echo "canon at commit $$(git log -1 --format=%h -- canon), $$($(GO) env GOVERSION), $$(date -u +%F), 10 runs of each; made by make latest-benchstat"; echo; \
	$(TOOL) benchstat -col '/engine@(jsontext canon cyberphone gowebpki)' -row /set $(OUT)/benchstat.out; } > reports/latest/benchstat.txt

instructions: ## canon's instructions a byte against the committed counts (valgrind)
	@$(GO) build -o bin/gate ./bench/gate # go run leaves out the symbols that are counted
	bin/gate

fuzz: ## each fuzz target, EXECS=20000 executions
	@tools/fuzz.sh $(EXECS)

fuzz-libfuzzer: ## TARGET=FuzzReference, or each target, under libFuzzer, EXECS=20000 executions (needs clang)
	@tools/fuzz-libfuzzer.sh $(EXECS) $(TARGET)

lint: $(BIN) ## gofmt, go vet, staticcheck, actionlint, the vectors' linter
	@unformatted=$$(git ls-files "*.go" | xargs gofmt -l); [ -z "$$unformatted" ] || { echo "gofmt: $$unformatted"; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	$(TOOL) actionlint
	$(BIN) vectors lint

vuln: ## known vulnerabilities in what is built (asks the Go vulnerability database)
	$(TOOL) govulncheck ./...

report: $(BIN) ## judge everybody who is ready and write reports/latest/ (minutes; picture needs node and chromium)
	nice $(BIN) report latest
	@if command -v node >/dev/null; then node browser/picture.mjs; else echo "skipped: the picture: there is no node" >&2; fi

playground: ## the oracle as a page without a server, in reports/out/playground/
	$(GO) run ./playground -out $(OUT)/playground

long: ## every fuzz target for 200,000 executions, ten million under libFuzzer, the whole zoo (hours)
	@tools/fuzz.sh 200000
	@tools/fuzz-libfuzzer.sh 600000
	$(MAKE) zoo

# measured.tsv and engines.tsv keep what takes hours; a run of the engines that
# was interrupted goes on.
ENGINE_EXECS ?= 20000
zoo: $(BIN) ## the kill table of the planted faults: five seeds of a million cases, and four engines (hours)
	$(BIN) zoo --seeds 1,2,3,4,5 --cases 1000000 --checks 20000 --strict --save oracle/zoo/measured.tsv --out oracle/zoo/TABLE.md
	tools/zoo-engines.sh $(ENGINE_EXECS) oracle/zoo/engines.tsv
	$(MAKE) zoo-table

zoo-table: $(BIN) ## the kill table from what was measured, the vectors asked again (a minute)
	$(BIN) zoo --from oracle/zoo/measured.tsv --engines oracle/zoo/engines.tsv --strict --out oracle/zoo/TABLE.md

zoo-smoke: $(BIN) ## planted faults: the vectors and one seed of 50,000 cases
	$(BIN) zoo --seeds 1 --cases 50000 --checks 0 --out $(OUT)/zoo.md

vectors: ## write the vectors' generated files again
	$(GO) generate ./vectors/...

numbers: $(BIN) ## the published digests of the ES6 number sequence, 10^7 lines
	$(BIN) numbers --engine canon --lines 10000000

browser: $(BIN) ## the pages in Chromium: layout, accessibility, no request (needs node and chromium)
	@browser/run.sh

# The pages are read from there by: man -M reports/out/man touchstone-check
MANDIR ?= $(OUT)/man/man1
man: $(BIN) ## the manual pages, into MANDIR (default reports/out/man/man1)
	@$(BIN) man --dir $(MANDIR)

clean: ## remove what the targets made
	rm -rf bin $(OUT)
