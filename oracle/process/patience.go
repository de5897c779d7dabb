package process

import "time"

// A patience is how long a child is waited for. The limit is one of the clock,
// but a child that had work to do and was not given the processor for it, since
// the machine is busy, gets up to four times as long: what it has used of its
// own time decides where the system tells it.
type patience struct {
	work  func() (used time.Duration, busy bool)
	limit time.Duration
	begin time.Time
	until time.Time     // the next look
	from  time.Duration // processor time used when half of the limit was over
	known bool          // from is known
}

func (c *child) patience(begin time.Time, limit time.Duration) *patience {
	return &patience{
		work:  func() (time.Duration, bool) { return work(c.cmd.Process.Pid) },
		limit: limit, begin: begin, until: begin.Add(limit / 2),
	}
}

// fair is the part of a processor that a child with work to do must have had in
// the second half of its limit to be told a hang.
const fair = 0.8

// more is asked when the time until the next look is over. It sets the next one,
// or reports that the child has had its time.
func (p *patience) more() bool {
	now := time.Now()
	if !p.known {
		p.known = true
		p.from, _ = p.work()
		p.until = p.begin.Add(p.limit)
		return now.Before(p.until)
	}
	used, busy := p.work()
	if !busy || float64(used-p.from) >= fair*float64(p.limit/2) || now.Sub(p.begin) >= 4*p.limit {
		return false
	}
	p.until = now.Add(p.limit / 4)
	return true
}
