package numbers

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime"
	"strconv"
)

// A Format appends the text of a double, given by its bits, to dst. It is
// called by several goroutines at once, never with bits that are not finite.
type Format func(dst []byte, bits uint64) ([]byte, error)

// A Job says what is to be run.
type Job struct {
	Format  Format
	Against Format // if set, every line is compared with this one's, too
	Lines   int64  // how many, from the first
	Workers int    // goroutines that format; 0: one a processor

	// Out, if set, gets the lines in order.
	Out io.Writer
	// Progress, if set, is called after each block, by one goroutine.
	Progress func(lines, bytes int64)
}

// A Report says what a run has shown.
type Report struct {
	Lines, Bytes int64  // done, all of them unless Difference is set
	SHA256       string // of these lines
	Checks       []Check
	Difference   *Difference // the first line that could not be written or differs
}

// A Check is a published checkpoint and what was found there.
type Check struct {
	Published Checkpoint
	Bytes     int64
	SHA256    string
}

// Right reports whether size and digest are the published ones.
func (c Check) Right() bool {
	return c.Bytes == c.Published.Bytes && c.SHA256 == c.Published.SHA256
}

// A Difference is a line on which Format failed or departs from Against.
type Difference struct {
	Line int64 // from 1
	Bits uint64
	Got  string
	Want string // "" without Against
	Err  error  // what Format or Against said, if one of them failed
}

// Right reports whether nothing speaks against the implementation.
func (r Report) Right() bool {
	for _, c := range r.Checks {
		if !c.Right() {
			return false
		}
	}
	return r.Difference == nil
}

// blockLines divides the lines of every published checkpoint.
const blockLines = 1000

// A block is a run of consecutive lines; it is used again and again.
type block struct {
	first      int64 // the index of its first line
	bits       []uint64
	text       []byte
	scratch    []byte
	difference *Difference
	done       chan struct{}
}

// Run formats the first lines of the sequence and compares their digests with
// the published ones. An error means that the question could not be asked; what
// was found stands in the report. Memory is bounded whatever the number of
// lines. When ctx ends, Run ends with its error and the report so far.
func (j Job) Run(ctx context.Context) (Report, error) {
	if j.Format == nil || j.Lines < 1 {
		return Report{}, errors.New("numbers: a job needs a Format and at least one line")
	}
	workers := cmp.Or(max(j.Workers, 0), runtime.GOMAXPROCS(0))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	inFlight := workers + 4
	free := make(chan *block, inFlight)
	for range inFlight {
		free <- &block{bits: make([]uint64, 0, blockLines), done: make(chan struct{}, 1)}
	}
	work, ordered := make(chan *block, inFlight), make(chan *block, inFlight)
	go generate(ctx, j.Lines, free, work, ordered)
	for range workers {
		go func() {
			for b := range work {
				b.format(j.Format, j.Against)
				b.done <- struct{}{}
			}
		}()
	}
	return j.collect(ctx, free, ordered)
}

// generate fills blocks with the sequence and hands each both to the workers
// and, in order, to the collector.
func generate(ctx context.Context, lines int64, free <-chan *block, work, ordered chan<- *block) {
	defer close(work)
	defer close(ordered)
	var seq Sequence
	for i := range lines {
		at := i * blockLines
		if at >= lines {
			return
		}
		var b *block
		select {
		case b = <-free:
		case <-ctx.Done():
			return
		}
		b.first, b.bits, b.difference = at, b.bits[:0], nil
		for range min(blockLines, lines-at) {
			b.bits = append(b.bits, seq.Next())
		}
		work <- b
		ordered <- b
	}
}

// format writes the block's lines, up to the first difference.
func (b *block) format(format, against Format) {
	b.text = b.text[:0]
	for i, bits := range b.bits {
		line := len(b.text)
		b.text = append(strconv.AppendUint(b.text, bits, 16), ',')
		start := len(b.text)
		text, err := format(b.text, bits)
		if err != nil {
			b.fail(i, line, Difference{Err: err})
			return
		}
		b.text = text
		if against != nil {
			b.scratch, err = against(b.scratch[:0], bits)
			if got := b.text[start:]; err != nil || !bytes.Equal(got, b.scratch) {
				b.fail(i, line, Difference{Got: string(got), Want: string(b.scratch), Err: err})
				return
			}
		}
		b.text = append(b.text, '\n')
	}
}

func (b *block) fail(i, line int, d Difference) {
	d.Line, d.Bits = b.first+int64(i)+1, b.bits[i]
	b.text, b.difference = b.text[:line], &d
	b.bits = b.bits[:i]
}

// collect hashes the blocks in order.
func (j Job) collect(ctx context.Context, free chan<- *block, ordered <-chan *block) (r Report, err error) {
	sum := sha256.New()
	defer func() { r.SHA256 = digest(sum) }()
	for b := range ordered {
		<-b.done
		sum.Write(b.text)
		r.Lines += int64(len(b.bits))
		r.Bytes += int64(len(b.text))
		if j.Out != nil {
			if _, err := j.Out.Write(b.text); err != nil {
				return r, fmt.Errorf("numbers: writing lines: %w", err)
			}
		}
		if c, ok := publishedAt(r.Lines); ok {
			r.Checks = append(r.Checks, Check{c, r.Bytes, digest(sum)})
		}
		if j.Progress != nil {
			j.Progress(r.Lines, r.Bytes)
		}
		if r.Difference = b.difference; r.Difference != nil {
			return r, nil
		}
		free <- b
	}
	if r.Lines < j.Lines {
		return r, context.Cause(ctx)
	}
	return r, nil
}

func digest(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }
