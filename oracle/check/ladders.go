package check

import (
	"bytes"
	"context"
	"fmt"

	"github.com/touchstone-oracle/touchstone/oracle/ladder"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// climb has every implementation climb the ladders.
func (r *runner) climb(ctx context.Context) {
	done, total := 0, len(r.cfg.Entries)*len(r.cfg.Ladders)
	for i := range r.cfg.Entries {
		for _, name := range r.cfg.Ladders {
			done++
			shape, ok := ladder.Lookup(name)
			if !ok || r.alive(i, 0) == nil || ctx.Err() != nil {
				continue
			}
			l := ladder.Climb(ctx, relating{r, i, 0}, shape, ladder.Options{InProcess: r.subjects[i][0].Info().Command == ""})
			l.Message = clip(l.Message, 300)
			r.scores[i].Ladders = append(r.scores[i].Ladders, l)
			if f, ok := r.fallen(i, shape, l); ok && ctx.Err() == nil {
				r.laddered = append(r.laddered, f)
			}
			r.progress("ladders", done, total)
		}
	}
}

// fallen makes a finding of a ladder on which an implementation is slow, dies
// or hangs. A refusal is a limit, and everyone's own.
func (r *runner) fallen(entry int, shape ladder.Shape, l result.Ladder) (result.Finding, bool) {
	const clause = "rfc8259/9/limits"
	f := result.Finding{
		Subject: r.cfg.Entries[entry].Name, Effect: result.DenialOfService, Requirement: clause, Group: clauseGroup(clause),
		Profile: r.cfg.Profile.String(), Op: result.OpCanon, Ladder: l.Name, Differ: -1, Verdict: "accept", Count: 1,
	}
	size := l.Last + 1
	switch {
	case l.Ends == result.Crashed:
		f.Outcome, f.Signature = result.Crash, "dies as it grows: "+shape.Text
	case l.Ends == result.Hung:
		f.Outcome, f.Signature = result.Hang, "gives no answer as it grows: "+shape.Text
	case l.Ends == result.ProtocolError:
		f.Outcome, f.Signature = result.Protocol, "no answer by the protocol as it grows: "+shape.Text
		f.Requirement, f.Group = "", "protocol"
	case l.Slow:
		f.Outcome, f.Exponent = result.Slow, l.Exponent
		f.Signature = "the time grows faster than n log n: " + shape.Text
	default:
		return f, false
	}
	f.Given, f.Message = l.Ends, l.Message
	if last := l.Rungs[len(l.Rungs)-1]; f.Outcome == result.Slow || l.Ends == result.Hung {
		size = last.Size
	}
	if f.Outcome == result.Slow {
		f.Given = result.OK
	}
	text := shape.Write(size)
	f.Input, f.InputSize = bytes.Clone(clipBytes(text)), len(text)
	f.Replay = r.command(entry, fmt.Sprintf("--ladders %s --cases 0 --relations off", l.Name))
	return f, true
}
