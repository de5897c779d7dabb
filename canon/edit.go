package canon

import "math/bits"

// A text is rewritten in its copy, which then holds the canonical form already,
// but for the order of members that has been put off, and for two things that
// emit mends while it copies the text to the output:
//
//   - What becomes shorter is filled up with zeros.
//   - What becomes longer is a number with an exponent. It is written elsewhere, and
//     three bytes tell where; once much memory is needed, two bytes tell how many
//     digits it has and where its decimal point is, and its shortest digits follow.
//     There always is room for either, and the byte before it is marked.
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
	used  int  // what is used of elsewhere
	extra int  // how much longer the last number is to become, if it has grown,
	mark  byte // and what its mark has too
	delta int  // how much longer the canonical form is than the copy
}

// The marks of a colon, comma or opening bracket before a number that has grown
// are 3, 2 and 5, and have markElsewhere too if it is written elsewhere.
const (
	beforeMarks   = "\x00\x00,:\x00["
	markElsewhere = 8
	mostMark      = 13
)

// What is written elsewhere begins at a multiple of elsewhereUnit, with a byte for
// how much room the copy has for it, and one for its length.
const elsewhereUnit = 2

// The two bytes of a number that has grown hold seven bits each: how far its
// decimal point is from farPoint, and how many digits it has. The higher bits of
// the first times headStep stand in the first byte, with the second and headLeast,
// so that it is none that a minus sign would be.
const (
	farPoint  = 340
	headStep  = 21
	headLeast = 4
)

// layOut writes the number at in[p:end] as putDigits does, behind its sign, or as
// one that has grown. It gives the place behind.
func (w *writer) layOut(p, end, o int, digits uint64, exponent int) int {
	d0, d1, d2, n := textOfDigits(digits)
	return w.layText(p, end, o, d0, d1, d2, n, n+exponent)
}

// layPower is layText for a number with an exponent: only such numbers grow.
func (w *writer) layPower(p, end, o int, d0, d1 uint64, n, point int) int {
	at := w.used
	if at+outputSlack > len(w.elsewhere) && !w.moreElsewhere() {
		return w.layText(p, end, o, d0, d1, '0'*ones, n, point)
	}
	out, to, room := textOf(w.elsewhere), at+2, end-p
	if byteAt(w.in, p) == '-' {
		putByte(out, to, '-')
		to++
	}
	size := putText(out, to, d0, d1, '0'*ones, n, point) - at - 2
	if size <= room {
		w.keepBehind(end)
		copy32(w.out, o, out, at+2)
		return w.fill(o+size, end)
	}
	if !w.inPlace {
		room = 3
	}
	w.extra, w.mark = size-room, markElsewhere
	putByte(out, at, byte(room))
	putByte(out, at+1, byte(size))
	w.used = (at + 2 + size + elsewhereUnit - 1) &^ (elsewhereUnit - 1)
	at /= elsewhereUnit
	putByte(w.out, o, byte(at&0x7F))
	putByte(w.out, o+1, byte(at>>7&0x7F))
	putByte(w.out, o+2, byte(at>>14))
	return o + 3
}

// moreElsewhere makes room for numbers that have grown, unless memory is needed
// for members, or may be.
func (w *writer) moreElsewhere() bool {
	most := w.size + w.size/4
	if len(w.starts) > 0 {
		most = w.size / 4
	}
	have := len(w.elsewhere)
	size := min(max(have+have/4, moderateText), most+outputSlack, elsewhereUnit<<21)
	if size <= have {
		return false
	}
	grown := make([]byte, size)
	copy(grown, w.elsewhere)
	w.elsewhere = grown
	return w.used+outputSlack <= size
}

// grownHead gives the two bytes before the digits of a number that has grown.
func grownHead(n, point int) uint64 {
	point += farPoint
	return uint64(point>>7*headStep + n + headLeast | point<<8&0x7F00)
}

// layText is layOut for what putText writes.
func (w *writer) layText(p, end, o int, d0, d1, d2 uint64, n, point int) int {
	room := end - p
	if byteAt(w.in, p) == '-' {
		putByte(w.out, o, '-')
		o, room = o+1, room-1
	}
	w.keepBehind(end)
	to := putText(w.out, o, d0, d1, d2, n, point)
	if to-o > room {
		w.extra, w.mark = to-o-n-2, 0
		to = o + n + 2
		store32(w.out, o, uint32(grownHead(n, point)))
		store64(w.out, o+2, d0)
		store64(w.out, o+10, d1)
		putByte(w.out, o+18, byte(d2))
	}
	return w.fill(to, end)
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

// grow notes that the number behind a place has grown, if it has.
func (w *writer) grow(out text, before int) {
	if w.extra == 0 {
		return
	}
	w.delta += w.extra
	w.extra = 0
	w.grown = true
	if before < 0 {
		w.alone = true
		return
	}
	putByte(out, before, byteAt(out, before)>>4|w.mark)
}

// expand writes the marked byte at p of the copy, and the number behind it, as they
// must be to out. It gives the places behind it in both.
func (w *writer) expand(out text, o, p int) (behind, to int) {
	in, c := w.body, byteAt(w.body, p)
	putByte(out, o, beforeMarks[c&7])
	p, o = p+1, o+1
	if c > markElsewhere {
		at := (int(byteAt(in, p)) | int(byteAt(in, p+1))<<7 | int(byteAt(in, p+2))<<14) * elsewhereUnit
		room, size := twoBytes(textOf(w.elsewhere), at)
		copy32(out, o, textOf(w.elsewhere), at+2)
		return p + int(room), o + int(size)
	}
	if byteAt(in, p) == '-' {
		putByte(out, o, '-')
		p, o = p+1, o+1
	}
	first, second := twoBytes(in, p)
	n := int(first) - headLeast
	high := n * 49 >> 10 // divided by headStep
	n, point := n-high*headStep, high<<7+int(second)-farPoint
	d0, d1, d2 := load64(in, p+2), uint64('0'*ones), uint64('0')
	if n > 8 {
		d1 = load64(in, p+10) ^ '0'*ones
		switch {
		case n > 16:
			d2 = uint64(byteAt(in, p+18))
		case n < 16:
			d1 = d1 << (128 - 8*n) >> (128 - 8*n)
		}
		d1 ^= '0' * ones
	} else {
		d0 = (d0^'0'*ones)<<((64-8*n)&63)>>((64-8*n)&63) ^ '0'*ones
	}
	return p + 2 + n, putText(out, o, d0, d1, d2, n, point)
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
		if byte(x)-1 < mostMark {
			p, o = w.expand(out, o, p)
			x = load64(in, p)
		}
		if byte(x) == 0 {
			for ; x == 0; x = load64(in, p) {
				p += 8
			}
			p += bits.TrailingZeros64(x) >> 3
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
