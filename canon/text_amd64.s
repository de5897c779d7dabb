//go:build !purego

#include "textflag.h"

// LANES defines a vector of two equal lanes, and ALL one of four equal words.
#define LANES(name, low, high) \
	DATA name<>+0(SB)/8, $low; \
	DATA name<>+8(SB)/8, $high; \
	DATA name<>+16(SB)/8, $low; \
	DATA name<>+24(SB)/8, $high; \
	GLOBL name<>(SB), RODATA|NOPTR, $32

#define ALL(name, word) LANES(name, word, word)

// Four escapes \u are read as two vectors of 16 bytes, the second from the ninth
// byte on. These are the places of \u that tell them all, and what stands there,
LANES(begin, 0x755c00000000755c, 0x0000755c00000000)
LANES(beginPlaces, 0xffff00000000ffff, 0x0000ffff00000000)
LANES(begin2, 0x0000000000000000, 0x00000000755c0000)
LANES(begin2Places, 0x0000000000000000, 0x00000000ffff0000)

// and those of the digits of two escapes in each.
LANES(digits, 0x0b0a090805040302, 0x8080808080808080)
LANES(digits2, 0x8080808080808080, 0x0f0e0d0c09080706)

// Digits become the last bytes but six that there are, letters the first.
ALL(toLast, 0xc6c6c6c6c6c6c6c6)
ALL(six, 0x0606060606060606)
ALL(fromLast, 0x1010101010101010)
ALL(upper, 0xdfdfdfdfdfdfdfdf)
ALL(letterA, 0x4141414141414141)
ALL(ten, 0x0a0a0a0a0a0a0a0a)
ALL(noDigit, 0xf0f0f0f0f0f0f0f0)
ALL(ofPairs, 0x0110011001100110)
ALL(ofFours, 0x0001010000010100)

ALL(surrogateBits, 0x0000f8000000f800)
ALL(surrogates, 0x0000d8000000d800)
ALL(pairBits, 0x0000fc000000fc00)
ALL(pair, 0x0000dc000000d800)
ALL(space, 0x0000002000000020)
ALL(quote, 0x0000002200000022)
ALL(backslash, 0x0000005c0000005c)
ALL(mostOfOne, 0x0000007f0000007f)
ALL(mostOfTwo, 0x000007ff000007ff)

// Where the bits of characters are in their bytes.
ALL(bits3second, 0x00003f0000003f00)
ALL(bits3third, 0x003f0000003f0000)
ALL(marks3, 0x008080e0008080e0)
ALL(mark2, 0x0000400000004000)
ALL(high, 0x000003ff000003ff)
ALL(high0, 0x0000004000000040)
ALL(bits4third, 0x0030000000300000)
ALL(bits4third2, 0x000f0000000f0000)
ALL(bits4fourth, 0x3f0000003f000000)
ALL(marks4, 0x808080f0808080f0)

// func unicodeAVX2(to, in *byte, last int) (read, written int)
//
// It writes the characters of a run of \u escapes, eight at a time: those that stand in
// a canonical form as they are, but no surrogates, or else four pairs of these. It
// stops at what is neither, or behind eight that begin at in[last] or later, and stores
// up to 12 bytes beyond what is written.
TEXT ·unicodeAVX2(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ last+16(FP), CX
	MOVQ DI, DX
	MOVQ SI, BX
	ADDQ SI, CX
	LEAQ ·characterMoves(SB), R8

eight:
	VMOVDQU (SI), X0
	VINSERTI128 $1, 24(SI), Y0, Y0
	VMOVDQU 8(SI), X1
	VINSERTI128 $1, 32(SI), Y1, Y1
	VPXOR begin<>(SB), Y0, Y2
	VPAND beginPlaces<>(SB), Y2, Y2
	VPXOR begin2<>(SB), Y1, Y3
	VPAND begin2Places<>(SB), Y3, Y3
	VPOR Y3, Y2, Y2
	VPSHUFB digits<>(SB), Y0, Y0
	VPSHUFB digits2<>(SB), Y1, Y1
	VPOR Y1, Y0, Y0

	// The values of the digits, from 16 on of what is none.
	VPADDB toLast<>(SB), Y0, Y1
	VPSUBUSB six<>(SB), Y1, Y1
	VPADDB fromLast<>(SB), Y1, Y1
	VPAND upper<>(SB), Y0, Y0
	VPSUBB letterA<>(SB), Y0, Y0
	VPADDUSB ten<>(SB), Y0, Y0
	VPMINUB Y1, Y0, Y0
	VPAND noDigit<>(SB), Y0, Y1
	VPOR Y2, Y1, Y1
	VPTEST Y1, Y1
	JNE done
	VPMADDUBSW ofPairs<>(SB), Y0, Y0
	VPMADDWD ofFours<>(SB), Y0, Y0

	VPAND surrogateBits<>(SB), Y0, Y1
	VPCMPEQD surrogates<>(SB), Y1, Y1
	VPTEST Y1, Y1
	JNE pairs

	// What ASCII has that does not stand as it is.
	VMOVDQU space<>(SB), Y1
	VPCMPGTD Y0, Y1, Y1
	VPCMPEQD quote<>(SB), Y0, Y2
	VPOR Y2, Y1, Y1
	VPCMPEQD backslash<>(SB), Y0, Y2
	VPOR Y2, Y1, Y1
	VPTEST Y1, Y1
	JNE done

	// The bits of three bytes where they are, and ASCII in the fourth.
	VPSRLD $12, Y0, Y1
	VPSLLD $2, Y0, Y2
	VPAND bits3second<>(SB), Y2, Y2
	VPOR Y2, Y1, Y1
	VPSLLD $16, Y0, Y2
	VPAND bits3third<>(SB), Y2, Y2
	VPOR Y2, Y1, Y1
	VPSLLD $24, Y0, Y2
	VPOR Y2, Y1, Y1
	VPOR marks3<>(SB), Y1, Y1
	VPCMPGTD mostOfTwo<>(SB), Y0, Y2
	VMOVMSKPS Y2, R10
	VPANDN mark2<>(SB), Y2, Y2 // the first of two is the second of three but for this
	VPOR Y2, Y1, Y1
	VPCMPGTD mostOfOne<>(SB), Y0, Y2
	VMOVMSKPS Y2, R9
	MOVL R10, R11
	MOVL R9, R12
	SHLL $28, R11
	SHRL $24, R11
	ANDL $15, R12
	ORL R12, R11
	SHRL $4, R9
	ANDL $0xf0, R10
	ORL R10, R9
	POPCNTL R11, R10
	POPCNTL R9, R12
	SHLL $4, R11
	SHLL $4, R9
	VMOVDQU (R8)(R11*1), X2
	VINSERTI128 $1, (R8)(R9*1), Y2, Y2
	VPSHUFB Y2, Y1, Y1
	VMOVDQU X1, (DI)
	VEXTRACTI128 $1, Y1, 4(DI)(R10*1)
	ADDQ R12, R10
	LEAQ 8(DI)(R10*1), DI

next:
	ADDQ $48, SI
	CMPQ SI, CX
	JLE eight

done:
	VZEROUPPER
	SUBQ BX, SI
	SUBQ DX, DI
	MOVQ SI, read+24(FP)
	MOVQ DI, written+32(FP)
	RET

pairs:
	VPAND pairBits<>(SB), Y0, Y1
	VPCMPEQD pair<>(SB), Y1, Y1
	VMOVMSKPS Y1, AX
	CMPL AX, $0xff
	JNE done

	// The higher bits of the character, without 64 at first, and the lower.
	VPSRLQ $32, Y0, Y2
	VPAND high<>(SB), Y0, Y0
	VPADDD high0<>(SB), Y0, Y0
	VPSRLD $8, Y0, Y1
	VPSLLD $6, Y0, Y3
	VPAND bits3second<>(SB), Y3, Y3
	VPOR Y3, Y1, Y1
	VPSLLD $20, Y0, Y3
	VPAND bits4third<>(SB), Y3, Y3
	VPOR Y3, Y1, Y1
	VPSLLD $10, Y2, Y3
	VPAND bits4third2<>(SB), Y3, Y3
	VPOR Y3, Y1, Y1
	VPSLLD $24, Y2, Y3
	VPAND bits4fourth<>(SB), Y3, Y3
	VPOR Y3, Y1, Y1
	VPOR marks4<>(SB), Y1, Y1
	VPSHUFD $0x08, Y1, Y1
	VPERMQ $0x08, Y1, Y1
	VMOVDQU X1, (DI)
	ADDQ $16, DI
	JMP next
