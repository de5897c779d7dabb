// Package kill finds out which creatures of the zoo are found, by what, and how
// soon: by the vectors alone, by generated cases alone, and by metamorphic
// relations alone, which need no oracle. What comes of it is a table.
//
// A creature is killed by an answer that its input's verdict does not allow, by
// a crash, by work beyond what size explains, by changing its input or an answer
// that it gave before. A refusal that a limit of depth explains, measured
// beforehand, kills nobody. The control and the open behaviors must never be
// killed.
package kill
