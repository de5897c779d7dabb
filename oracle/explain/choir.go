package explain

import (
	"context"
	"time"

	"github.com/touchstone-oracle/touchstone/canon/reject"
	"github.com/touchstone-oracle/touchstone/oracle/result"
)

// A Choir is all voices of a panel in one place, asked together.
type Choir interface {
	// Infos says who they are, in the panel's order.
	Infos() []result.Info
	// Ask gives everybody's answer. It is not ok if one of them failed, whoever
	// that was; the next document may be put to it all the same.
	Ask(ctx context.Context, document []byte) (answers []result.Answer, ok bool)
	Close() error
}

const (
	// maxSung is the size of a document up to which a choir is asked: what is
	// larger takes so long that the voices had better work side by side, and could
	// end a process (peer.Risky).
	maxSung = 8 << 10
	// choirLimit is how long a choir may take over one voice's answer. It is short,
	// since then each is asked alone.
	choirLimit = 500 * time.Millisecond
)

// choirs are a panel's, by profile. A nil one is never ok.
type choirs struct {
	start func(reject.Profile) Choir
	free  turn
	open  [3]Choir
}

// together lets small documents be put to a choir.
func (p *Panel) together(start func(reject.Profile) Choir) {
	p.choirs = &choirs{start: start, free: newTurn()}
}

func (c *choirs) ask(ctx context.Context, limit time.Duration, profile reject.Profile, src []byte) (opinions []opinion, ok bool) {
	if c == nil || len(src) > maxSung {
		return nil, false
	}
	opinions, err := take(ctx, c.free, limit, func(ctx context.Context) []opinion { return c.sung(ctx, profile, src) })
	return opinions, err == nil && opinions != nil
}

// sung gives everybody's opinion, or nil. A choir that fails is not asked again.
func (c *choirs) sung(ctx context.Context, profile reject.Profile, src []byte) (opinions []opinion) {
	defer func() { recover() }()
	choir := c.open[profile]
	c.open[profile] = nil
	if choir == nil {
		choir = c.start(profile)
	}
	infos := choir.Infos()
	answers, ok := choir.Ask(ctx, src)
	c.open[profile] = choir
	if !ok || len(answers) != len(infos) {
		return nil
	}
	opinions = make([]opinion, len(infos))
	for i, info := range infos {
		opinions[i] = opinion{info, answers[i]}
	}
	return opinions
}

func (c *choirs) close() {
	if c == nil {
		return
	}
	c.free.idle(func() {
		for i, choir := range c.open {
			if choir != nil {
				choir.Close()
			}
			c.open[i] = nil
		}
	})
}
