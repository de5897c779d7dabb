// Package ladder measures how an implementation's time grows with its input,
// and where it ends: texts of one shape that double rung by rung, in depth,
// size, members, digits, names and escapes.
//
// A rung is measured as the median of several repeats behind one that warms up.
// Growth is the slope of time against size on logarithmic axes, the median of
// the slopes between every two of the upper rungs (Theil and Sen's estimator),
// so that one disturbed rung does not bend it. Rungs whose time is hardly more
// than that of the smallest text are left out: there the cost of asking is
// measured, not the implementation.
//
// In this process processor time is measured, elsewhere the wall clock, which a
// busy machine bends: a text that is done within a turn of the scheduler takes
// its own time, a longer one waits for others too. A second measurement is
// therefore divided by what work of ours, known to be linear, is slowed down
// beside it.
//
// Nobody is called slow for one measurement: the rungs are measured again,
// and the smaller exponent counts. Sorting takes n log n, whose
// slope is below 1.1 at these sizes, and caches that overflow add to it; only
// beyond 1.5, seen twice, growth is named slow.
//
// Where a text is refused, kills the implementation or gets no answer, the
// climb ends, and the end is looked for between the last two rungs.
package ladder
