//go:build !purego

#include "textflag.h"

// As many bytes of ones as a last piece of a text has begin ends+64 less that
// number.
DATA ends<>+0(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA ends<>+8(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA ends<>+16(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA ends<>+24(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA ends<>+32(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA ends<>+40(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA ends<>+48(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA ends<>+56(SB)/8, $0xFFFFFFFFFFFFFFFF
GLOBL ends<>(SB), RODATA|NOPTR, $128

// BROADCAST sets every byte of V to value.
#define BROADCAST(value, V) \
	MOVD $value, R11 \
	VDUP R11, V.B16

// MASK gathers the compare results V4 to V7 of a block into one word: each byte
// keeps the bit of its place among eight, and three sums bring these together.
#define MASK(R) \
	VAND V21.B16, V4.B16, V4.B16 \
	VAND V21.B16, V5.B16, V5.B16 \
	VAND V21.B16, V6.B16, V6.B16 \
	VAND V21.B16, V7.B16, V7.B16 \
	VADDP V5.B16, V4.B16, V4.B16 \
	VADDP V7.B16, V6.B16, V6.B16 \
	VADDP V6.B16, V4.B16, V4.B16 \
	VADDP V4.B16, V4.B16, V4.B16 \
	VMOV V4.D[0], R

// EQUAL compares a block with V.
#define EQUAL(V) \
	VCMEQ V.B16, V0.B16, V4.B16 \
	VCMEQ V.B16, V1.B16, V5.B16 \
	VCMEQ V.B16, V2.B16, V6.B16 \
	VCMEQ V.B16, V3.B16, V7.B16

// HALVES sets the bits of TO that the low and the high half of each byte of FROM
// have in common in two tables.
#define HALVES(FROM, LOW, HIGH, TO) \
	VAND V20.B16, FROM.B16, TO.B16 \
	VTBL TO.B16, [LOW.B16], TO.B16 \
	VUSHR $4, FROM.B16, V28.B16 \
	VTBL V28.B16, [HIGH.B16], V28.B16 \
	VAND V28.B16, TO.B16, TO.B16

// DENSE stores the place of the lowest bit of R11 in the copy and clears the bit.
// Behind the last one it stores anything.
#define DENSE(offset) \
	RBIT R11, R19 \
	CLZ R19, R19 \
	SUB $1, R11, R21 \
	AND R21, R11, R11 \
	ADDW R4, R19, R19 \
	MOVW R19, offset(R20)

// ENTRY is DENSE where the copy has lost the white space in R16.
#define ENTRY(offset) \
	SUB $1, R11, R21 \
	BIC R11, R21, R22 \
	AND R16, R22, R22 \
	VMOV R22, V4.D[0] \
	VCNT V4.B8, V4.B8 \
	VUADDLV V4.B8, V4 \
	VMOV V4.H[0], R22 \
	RBIT R11, R19 \
	CLZ R19, R19 \
	AND R21, R11, R11 \
	ADDW R4, R19, R19 \
	SUBW R22, R19, R19 \
	MOVW R19, offset(R20)

// PACK moves the next 8 bytes of the block in R20 to R1 without those that the
// lowest bits of R17 leave out; R19 holds how many each 8 bits keep.
#define PACK(offset) \
	AND $0xFF, R17, R21 \
	ADD R21<<3, R22, R21 \
	FMOVD offset(R20), F4 \
	FMOVD (R21), F5 \
	VTBL V5.B8, [V4.B16], V5.B8 \
	FMOVD F5, (R1) \
	AND $0xFF, R19, R21 \
	ADD R21, R1 \
	LSR $8, R17 \
	LSR $8, R19

// func indexNEON(src, in *byte, size int, entries *uint32, at uint32, s *scan) (count, packed int)
//
// The steps are those of indexAVX2. A last piece of less than a block is filled up
// with spaces.
TEXT ·indexNEON(SB), NOSPLIT, $0-64
	MOVD src+0(FP), R0
	MOVD in+8(FP), R1
	MOVD size+16(FP), R2
	MOVD entries+24(FP), R3
	MOVWU at+32(FP), R4
	MOVD s+40(FP), R5
	SUB R4, R1, R25 // the beginning of the copy

	BROADCAST(0x22, V16) // quotation mark
	BROADCAST(0x5C, V17) // backslash
	// Structural characters (bits 0 to 2) and white space (3 and 4) by the halves
	// of the byte: brackets and braces, colon, comma, space, the others.
	VMOVQ $0x0000000000000008, $0x0000110401121000, V18
	VMOVQ $0x01000100020C0010, $0, V19
	BROADCAST(0x0F, V20)
	VMOVQ $0x8040201008040201, $0x8040201008040201, V21
	BROADCAST(0x18, V22)
	BROADCAST(0x07, V23)
	VEOR V29.B16, V29.B16, V29.B16 // all bytes that were read
	BROADCAST(0x20, V24)
	VEOR V25.B16, V25.B16, V25.B16
	// The letters of escapes that a canonical form has too.
	VMOVQ $0x00040008000d0000, $0x0004000200000000, V26
	VMOVQ $0x0804020000010000, $0, V27

	MOVD 0(R5), R6  // 1 if the first byte of the block is escaped
	MOVD 8(R5), R7  // all ones inside a string
	MOVD 16(R5), R8 // 1 if the byte before the block was white space outside strings
	MOVD $0, R9     // faults
	MOVD $0, R10    // backslashes

block:
	CMP $64, R2
	BLT piece
	VLD1 (R0), [V0.B16, V1.B16, V2.B16, V3.B16]

loaded:
	VST1 [V0.B16, V1.B16, V2.B16, V3.B16], (R1)
	VORR V0.B16, V1.B16, V4.B16
	VORR V2.B16, V3.B16, V5.B16
	VORR V4.B16, V29.B16, V29.B16
	VORR V5.B16, V29.B16, V29.B16

	// R12: escaped bytes. R11: those that the canonical form may not have.
	EQUAL(V17)
	MASK(R11)
	ORR R6, R11, R12
	CBNZ R12, escapes

quotes:
	// R13: quotation marks that are not escaped, then with what is inside
	// strings. R14: inside strings, the opening mark among it. R11: rare escapes
	// there, and closing marks.
	EQUAL(V16)
	MASK(R13)
	BIC R12, R13, R13
	EOR R13<<1, R13, R14
	EOR R14<<2, R14, R14
	EOR R14<<4, R14, R14
	EOR R14<<8, R14, R14
	EOR R14<<16, R14, R14
	EOR R14<<32, R14, R14
	EOR R7, R14, R14
	ASR $63, R14, R7
	AND R14, R11, R11
	BIC R14, R13, R15
	ORR R15, R11, R11
	ORR R14, R13, R13

	// Control characters in strings.
	VUSHR $5, V0.B16, V4.B16
	VUSHR $5, V1.B16, V5.B16
	VUSHR $5, V2.B16, V6.B16
	VUSHR $5, V3.B16, V7.B16
	VCMEQ V25.B16, V4.B16, V4.B16
	VCMEQ V25.B16, V5.B16, V5.B16
	VCMEQ V25.B16, V6.B16, V6.B16
	VCMEQ V25.B16, V7.B16, V7.B16
	MASK(R15)
	AND R14, R15, R15
	ORR R15, R9, R9

	// R16: white space outside strings.
	HALVES(V0, V18, V19, V8)
	HALVES(V1, V18, V19, V9)
	HALVES(V2, V18, V19, V10)
	HALVES(V3, V18, V19, V11)
	VCMTST V22.B16, V8.B16, V4.B16
	VCMTST V22.B16, V9.B16, V5.B16
	VCMTST V22.B16, V10.B16, V6.B16
	VCMTST V22.B16, V11.B16, V7.B16
	MASK(R16)
	BIC R14, R16, R16

	// Entries.
	MOVD R3, R20
	VMOV R11, V4.D[0]
	VCNT V4.B8, V4.B8
	VUADDLV V4.B8, V4
	VMOV V4.H[0], R19
	ADD R19<<2, R3, R3
	ORR R16, R8, R19
	CBNZ R19, spaced

entries:
	DENSE(0)
	DENSE(4)
	DENSE(8)
	DENSE(12)
	ADD $16, R20
	CBNZ R11, entries
	ADD $64, R1
	ADDW $64, R4

packed:
	ADD $64, R0
	SUBS $64, R2
	BGT block

	MOVD R6, 0(R5)
	MOVD R7, 8(R5)
	MOVD R8, 16(R5)
	MOVD 24(R5), R11
	ORR R9, R11
	MOVD R11, 24(R5)
	VMOV V29.D[0], R11
	VMOV V29.D[1], R12
	ORR R12, R11
	AND $0x8080808080808080, R11 // bytes from 0x80 on
	MOVD 32(R5), R12
	ORR R12, R11
	MOVD R11, 32(R5)
	MOVD 40(R5), R11
	ORR R10, R11
	MOVD R11, 40(R5)
	MOVD entries+24(FP), R11
	SUB R11, R3
	LSR $2, R3
	MOVD R3, count+48(FP)
	MOVD in+8(FP), R11
	SUB R11, R1
	MOVD R1, packed+56(FP)
	RET

spaced:
	ENTRY(0)
	ENTRY(4)
	ENTRY(8)
	ENTRY(12)
	ADD $16, R20
	CBNZ R11, spaced

	// R13: bytes of scalars.
	VCMTST V23.B16, V8.B16, V4.B16
	VCMTST V23.B16, V9.B16, V5.B16
	VCMTST V23.B16, V10.B16, V6.B16
	VCMTST V23.B16, V11.B16, V7.B16
	MASK(R15)
	ORR R15, R13, R13
	ORR R16, R13, R13
	MVN R13, R13

	// Faults are white space that alone stands between two bytes of scalars:
	// what stood before the block is found in the copy. A run of white space that
	// follows a scalar carries into the byte behind it.
	MOVD $0, R11
	CMP R25, R1
	BEQ first
	MOVBU -1(R1), R11
	MOVD $·scalars(SB), R12
	MOVBU (R12)(R11), R11

first:
	ORR R13<<1, R11, R12
	AND R16, R12, R12
	ADD R16, R12, R12
	BIC R16, R12, R12
	AND R8, R11, R11
	ORR R11, R12, R12
	AND R13, R12, R12
	ORR R12, R9, R9
	LSR $63, R16, R8

	// The block lies in R1 too, where packing it does not overtake itself.
	MVN R16, R17
	VMOV R17, V4.D[0]
	VCNT V4.B8, V4.B8
	VMOV V4.D[0], R19
	MOVD R1, R20
	MOVD $·packs(SB), R22
	PACK(0)
	PACK(8)
	PACK(16)
	PACK(24)
	PACK(32)
	PACK(40)
	PACK(48)
	PACK(56)
	SUB R20, R1, R21
	ADDW R21, R4
	B packed

escapes:
	// A run of backslashes escapes every second byte from its beginning: the
	// difference carries through runs, and the odd bits tell the parity.
	BIC R6, R11, R13
	MOVD $0xAAAAAAAAAAAAAAAA, R14
	ORR R13<<1, R14, R15
	SUB R13, R15, R15
	EOR R14, R15, R15
	EOR R15, R12, R12
	AND R15, R11, R11
	LSR $63, R11, R6
	HALVES(V0, V26, V27, V4)
	HALVES(V1, V26, V27, V5)
	HALVES(V2, V26, V27, V6)
	HALVES(V3, V26, V27, V7)
	VCMEQ V25.B16, V4.B16, V4.B16
	VCMEQ V25.B16, V5.B16, V5.B16
	VCMEQ V25.B16, V6.B16, V6.B16
	VCMEQ V25.B16, V7.B16, V7.B16
	MASK(R11)
	AND R12, R11, R11
	MOVD $1, R10
	B quotes

piece:
	// What is loaded beyond the text lies in a page of the text.
	AND $4095, R0, R11
	CMP $4032, R11
	BHI crossing
	VLD1 (R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	MOVD $ends<>+64(SB), R11
	SUB R2, R11
	VLD1 (R11), [V4.B16, V5.B16, V6.B16, V7.B16]
	VBIF V4.B16, V24.B16, V0.B16
	VBIF V5.B16, V24.B16, V1.B16
	VBIF V6.B16, V24.B16, V2.B16
	VBIF V7.B16, V24.B16, V3.B16
	B loaded

crossing:
	VMOV V24.B16, V0.B16
	VMOV V24.B16, V1.B16
	VMOV V24.B16, V2.B16
	VMOV V24.B16, V3.B16
	VST1 [V0.B16, V1.B16, V2.B16, V3.B16], (R1)
	MOVD $0, R11

one:
	MOVBU (R0)(R11), R12
	MOVB R12, (R1)(R11)
	ADD $1, R11
	CMP R2, R11
	BLT one
	VLD1 (R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	B loaded

// CHECK adds the faults of the 16 bytes in INPUT, which follow PREV, to V7. It is
// the lookup method as in index_amd64.s.
#define CHECK(INPUT, PREV) \
	VEXT $15, INPUT.B16, PREV.B16, V21.B16 \
	VUSHR $4, V21.B16, V22.B16 \
	VTBL V22.B16, [V0.B16], V22.B16 \
	VAND V3.B16, V21.B16, V21.B16 \
	VTBL V21.B16, [V1.B16], V21.B16 \
	VAND V21.B16, V22.B16, V22.B16 \
	VUSHR $4, INPUT.B16, V21.B16 \
	VTBL V21.B16, [V2.B16], V21.B16 \
	VAND V21.B16, V22.B16, V22.B16 \
	VEXT $14, INPUT.B16, PREV.B16, V21.B16 \
	VUMAX V4.B16, V21.B16, V21.B16 \
	VSUB V4.B16, V21.B16, V21.B16 \
	VEXT $13, INPUT.B16, PREV.B16, V23.B16 \
	VUMAX V5.B16, V23.B16, V23.B16 \
	VSUB V5.B16, V23.B16, V23.B16 \
	VORR V23.B16, V21.B16, V21.B16 \
	VAND V6.B16, V21.B16, V21.B16 \
	VEOR V22.B16, V21.B16, V21.B16 \
	VORR V21.B16, V7.B16, V7.B16

// func utf8NEON(in *byte, blocks int) bool
TEXT ·utf8NEON(SB), NOSPLIT, $0-17
	MOVD in+0(FP), R0
	MOVD blocks+8(FP), R1
	// firstHigh, firstLow and secondHigh of index_amd64.s.
	VMOVQ $0x0202020202020202, $0x4915012180808080, V0
	VMOVQ $0xCBCBCB8B8383A3E7, $0xCBCBDBCBCBCBCBCB, V1
	VMOVQ $0x0101010101010101, $0x01010101BABAAEE6, V2
	VMOVQ $0xFFFFFFFFFFFFFFFF, $0xBFDFEFFFFFFFFFFF, V9 // lastBytes
	BROADCAST(0x0F, V3)
	BROADCAST(0x60, V4) // 0xE0 - 0x80: a third byte must follow
	BROADCAST(0x70, V5) // 0xF0 - 0x80: a fourth byte must follow
	BROADCAST(0x80, V6)
	VEOR V7.B16, V7.B16, V7.B16    // faults
	VEOR V8.B16, V8.B16, V8.B16    // the 16 bytes before
	VEOR V10.B16, V10.B16, V10.B16 // not zero if a sequence is open

next:
	VLD1.P 64(R0), [V16.B16, V17.B16, V18.B16, V19.B16]
	VORR V16.B16, V17.B16, V20.B16
	VORR V18.B16, V19.B16, V21.B16
	VORR V20.B16, V21.B16, V20.B16
	VMOV V20.D[0], R2
	VMOV V20.D[1], R3
	ORR R3, R2
	TST $0x8080808080808080, R2
	BNE wide
	VORR V10.B16, V7.B16, V7.B16
	VEOR V10.B16, V10.B16, V10.B16
	B behind

wide:
	CHECK(V16, V8)
	CHECK(V17, V16)
	CHECK(V18, V17)
	CHECK(V19, V18)
	VUMAX V9.B16, V19.B16, V10.B16
	VSUB V9.B16, V10.B16, V10.B16

behind:
	VMOV V19.B16, V8.B16
	SUBS $1, R1
	BNE next

	VORR V10.B16, V7.B16, V7.B16
	VMOV V7.D[0], R2
	VMOV V7.D[1], R3
	ORR R3, R2
	CMP $0, R2
	CSET EQ, R2
	MOVB R2, ret+16(FP)
	RET
