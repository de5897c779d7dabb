package canon

import "math/bits"

// A text is rewritten in its copy, which then holds the canonical form already,
// but for the order of members that has been put off, and for two things that
// emit mends while it copies the text to the output:
//
//   - What becomes shorter is filled up with zeros.
//   - What becomes longer is a number with an exponent. Two bytes tell how many
//     digits it has and where its decimal point is, and its shortest digits follow:
//     there always is room for them. The byte before it is marked.
//
// Zeros and marks are control characters, which stand nowhere else in a canonical
// form.

// editRoom is how much of a string is written anew before it is put back.
const editRoom = 2048

// Edits is what has been done to a copy.
type edits struct {
	holes bool // zeros stand in it
	grown bool // marks stand in it
	alone bool // it is a number that has grown, with nothing before it
	delta int  // how much longer the canonical form is than the copy
}

// The marks of a colon, comma or opening bracket before a number that has grown
// are 3, 2 and 5.
const (
	beforeMarks = "\x00\x00,:\x00[\x00\x00" // by their marks, with room for three bits
	mostMark    = 5
)

// The two bytes of a number that has grown hold seven bits each: how far its
// decimal point is from farPoint, and how many digits it has. The higher bits of
// the first times headStep stand in the first byte, with the second and headLeast,
// so that it is none that a minus sign would be.
const (
	headStep  = 21
	headLeast = 4
)

// layOut writes the number at in[p:end] as putDigits does, behind its sign, or as
// one that has grown. It gives the place behind.
func (w *writer) layOut(p, end, o int, digits uint64, exponent int) int {
	d0, d1, d2, n := textOfDigits(digits)
	return w.layPower(p, end, o, d0, d1, d2, n, n+exponent)
}

// layPower is layOut for what putText writes.
func (w *writer) layPower(p, end, o int, d0, d1, d2 uint64, n, point int) int {
	at, room := o, end-p
	if byteAt(w.in, p) == '-' {
		at, room = o+1, room-1
	}
	size := n
	if power := powerTexts[point+farPoint]; power == 0 {
		size = decimalLength(n, point)
	} else if size += int(power >> 56); n > 1 {
		size++ // the decimal point
	}
	if size <= room {
		return w.layText(p, end, o, d0, d1, d2, n, point)
	}
	w.markBefore(o)
	if w.inPlace && room < 16 && end >= 8 {
		w.growInPlace(end, room, size, d0, d1, n, point)
		return end
	}
	w.delta += size - n - 2
	w.keepBehind(end)
	putByte(w.out, o, '-') // or what is written next
	store32(w.out, at, uint32(grownHead(n, point)))
	store64(w.out, at+2, d0)
	store64(w.out, at+10, d1)
	putByte(w.out, at+18, byte(d2))
	return w.fill(at+n+2, end)
}

// headOf gives what grownHead is given. A minus sign is the head of 20 digits.
func headOf(first, second byte) (n, point int) {
	n = int(first) - headLeast
	high := n * 49 >> 10 // divided by headStep
	return n - high*headStep, high<<7 + int(second) - farPoint
}

// growInPlace is layPower for a number that grows and stands in the copy, where it
// has room for at most 15 bytes behind its sign. Nothing is stored beyond its end,
// which is at least 8: the next number is read at once.
func (w *writer) growInPlace(end, room, size int, d0, d1 uint64, n, point int) {
	w.delta += size - room
	head := grownHead(n, point)
	first := (head | d0<<16) & byteMasks[(8+2+n)&31]
	last := first << (8 * (8 - room) & 63)
	if room > 8 {
		second := (d0>>48 | d1<<16) & byteMasks[(2+n)&31]
		store64(w.in, end-room, first)
		last = first>>(8*(room-8)&63) | second<<(8*(16-room)&63)
	} else {
		last |= load64(w.in, end-8) & byteMasks[(16-room)&31]
	}
	store64(w.in, end-8, last)
}

// markBefore marks the byte before a number that grows.
func (w *writer) markBefore(o int) {
	w.grown = true
	if o == 0 {
		w.alone = true
		return
	}
	putByte(w.out, o-1, byteAt(w.out, o-1)>>4)
}

// grownHead gives the two bytes before the digits of a number that has grown.
func grownHead(n, point int) uint64 {
	point += farPoint
	return uint64(point>>7*headStep + n + headLeast | point<<8&0x7F00)
}

// layText is layPower for a number that has not grown, as none without an exponent
// has.
func (w *writer) layText(p, end, o int, d0, d1, d2 uint64, n, point int) int {
	if byteAt(w.in, p) == '-' {
		putByte(w.out, o, '-')
		o++
	}
	w.keepBehind(end)
	return w.fill(putText(w.out, o, d0, d1, d2, n, point), end)
}

// layZero writes zero.
func (w *writer) layZero(end, o int) int {
	w.keepBehind(end)
	putByte(w.out, o, '0')
	return w.fill(o+1, end)
}

// keepBehind keeps what is behind a place, so that as much can be written there
// as fill brings back, if the copy is written in its place.
func (w *writer) keepBehind(end int) {
	if w.inPlace {
		copy32(textOf(w.draft), 0, w.in, end)
	}
}

// fill fills the copy up with zeros then, and gives the place from which on.
func (w *writer) fill(from, end int) int {
	if !w.inPlace {
		return from
	}
	if from < end {
		w.holes = true
		w.delta -= end - from
	}
	if end-from > 32 {
		clear(w.copied[from:end])
	} else {
		store64(w.in, from, 0)
		store64(w.in, from+8, 0)
		store64(w.in, from+16, 0)
		store64(w.in, from+24, 0)
	}
	copy32(w.in, end, textOf(w.draft), 0)
	return from
}

// expand writes the marked byte at p of the copy, and the number behind it, as they
// must be to out. It gives the places behind it in both.
func (w *writer) expand(out text, o, p int) (behind, to int) {
	in := w.body
	putByte(out, o, beforeMarks[byteAt(in, p)&7])
	p, o = p+1, o+1
	if byteAt(in, p) == '-' {
		putByte(out, o, '-')
		p, o = p+1, o+1
	}
	n, point := headOf(twoBytes(in, p))
	p += 2
	d0 := load64(in, p)
	d1, d2 := load64(in, p+8), uint64(byteAt(in, p+16))
	if powerTexts[point+farPoint] != 0 {
		return p + n, putPower(out, o, d0, d1, d2, n, point)
	}
	// What is behind the digits must be zeros.
	switch {
	case n <= 8:
		d0, d1, d2 = firstDigits(d0, n), '0'*ones, '0'
	case n <= 16:
		d1, d2 = firstDigits(d1, n-8), '0'
	}
	return p + n, putText(out, o, d0, d1, d2, n, point)
}

// byteMasks are the masks of the first bytes of a word, of none up to index 8, of
// one more for each from there on.
var byteMasks = func() (t [32]uint64) {
	for k := range t {
		t[k] = 1<<(8*uint(max(k, 8)-8)) - 1
	}
	return t
}()

// firstDigits gives the first n digits of d, 1 to 8, and zeros behind them.
func firstDigits(d uint64, n int) uint64 {
	return (d^'0'*ones)<<((64-8*n)&63)>>((64-8*n)&63) ^ '0'*ones
}

// emit copies a piece of the copy to the output, as it must be, and gives the
// place behind.
func (w *writer) emit(o, p, end int) int {
	if !w.grown && !w.holes {
		if end-p <= w.limit-o {
			copyRest(w.to, o, w.body, p, end-p)
		} else {
			copy(w.output[o:], w.copied[p:end])
		}
		return o + end - p
	}
	for p < end && o < w.limit {
		if w.grown {
			p, o = w.emitMarked(o, p, end)
		} else {
			p, o = w.emitPacked(o, p, p+min(end-p, w.limit-o))
		}
	}
	for p < end { // where the room ends
		switch c := byteAt(w.body, p); {
		case c == 0:
			p++
		case c <= mostMark:
			behind, n := w.expand(textOf(w.draft), 0, p)
			p, o = behind, o+copy(w.output[o:], w.draft[:n])
		default:
			w.output[o] = c
			p, o = p+1, o+1
		}
	}
	return o
}

// emitMarked is emit up to w.limit.
func (w *writer) emitMarked(o, p, end int) (behind, to int) {
	in, out := w.body, w.to
	for p < end && o < w.limit {
		x := load64(in, p)
		if byte(x) == 0 {
			for ; x == 0; x = load64(in, p) {
				p += 8
			}
			p += bits.TrailingZeros64(x) >> 3
			continue
		}
		if byte(x) <= mostMark {
			n, point := headOf(byte(x>>8), byte(x>>16))
			power := powerTexts[point+farPoint]
			if n > 5 || power == 0 { // or a sign
				p, o = w.expand(out, o, p)
				continue
			}
			store64(out, o, uint64(beforeMarks[x&7])|x>>16&0xFF00|'.'<<16|x>>32<<24)
			if o += 1 + n; n > 1 {
				o++
			}
			store64(out, o, power)
			p, o = p+3+n, o+int(power>>56)
			continue
		}
		store64(out, o, x)
		found := (x - (mostMark+1)*ones) &^ x & tops
		n := bits.TrailingZeros64(found) >> 3
		if n >= end-p {
			return end, o + end - p
		}
		p, o = p+n, o+n
	}
	return p, o
}
