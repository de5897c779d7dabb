// What kernels have in common.

// MASK gathers the compare results Y10 and Y11 of a block into one word.
#define MASK(R) \
	VPMOVMSKB Y10, AX \
	VPMOVMSKB Y11, R \
	SHLQ $32, R \
	ORQ AX, R

// PACK moves the next 8 bytes of the block in SI to DX without those that the
// lowest bits of R10 leave out.
#define PACK(offset) \
	MOVBLZX R10, AX \
	VMOVQ offset(SI), X10 \
	VPSHUFB (R8)(AX*8), X10, X10 \
	VMOVQ X10, (DX) \
	POPCNTL AX, AX \
	ADDQ AX, DX \
	SHRQ $8, R10
