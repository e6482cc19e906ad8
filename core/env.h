/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Fixed-width types and unaligned access, for the kernel, for BPF and for user space.
 */
#ifndef MPU_CORE_ENV_H
#define MPU_CORE_ENV_H

#if defined(__KERNEL__)
#include <linux/types.h>
#elif defined(__bpf__)
#ifndef __VMLINUX_H__	/* bpftool's, which has them all */
typedef unsigned char u8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef _Bool bool;
enum { false, true };
#endif
#else
#include <stdbool.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif

/*
 * RM parameters are little endian and laid out by a 64-bit compiler, but a
 * hostile caller chooses where its buffer starts: never assume alignment.
 */
#ifndef __bpf__

struct mpu_word32 {
	u32 v;
} __attribute__((__packed__, __may_alias__));

struct mpu_word64 {
	u64 v;
} __attribute__((__packed__, __may_alias__));

static __always_inline u64 mpu_fixed(u64 number)
{
	return number;
}

static __always_inline const void *mpu_itself(const void *pointer)
{
	return pointer;
}

static __always_inline u32 mpu_offset(u32 off)
{
	return off;
}

static __always_inline void mpu_zero(void *buf, u32 off, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		((u8 *)buf)[off + i] = 0;
}

static __always_inline void mpu_move(void *buf, u32 to, u32 from, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		((u8 *)buf)[to + i] = ((u8 *)buf)[from + i];
}

#else

/*
 * The verifier wants to see for itself that no access leaves a buffer. So in
 * BPF every offset is below MPU_REACH, every length at most MPU_RUN, and a
 * buffer handed to the rule is as long as both together. Programs are loaded
 * only where unaligned access is the machine's own (x86, arm64).
 */
#define MPU_REACH	0x10000
#define MPU_RUN		0x4000

struct mpu_word32 {
	u32 v;
} __attribute__((__may_alias__));

struct mpu_word64 {
	u64 v;
} __attribute__((__may_alias__));

/*
 * The verifier knows a bound only of the register that was compared. This keeps a
 * number in one register up to the comparison, and keeps the compiler from using a
 * copy of it that was made before.
 */
static __always_inline u64 mpu_fixed(u64 number)
{
	asm volatile("" : "+r"(number));
	return number;
}

/*
 * Likewise for a pointer: the verifier knows only of the register that was compared that
 * it is not NULL. Without this clang 19 compares the number that it was made of.
 */
static __always_inline const void *mpu_itself(const void *pointer)
{
	asm volatile("" : "+r"(pointer));
	return pointer;
}

static __always_inline u32 mpu_offset(u32 off)
{
	return mpu_fixed(off & (MPU_REACH - 1));
}

/* Engine bpf defines these: a loop over bytes costs the verifier too much. */
static void mpu_zero(void *buf, u32 off, u32 len) __attribute__((__unused__));
static void mpu_move(void *buf, u32 to, u32 from, u32 len)
	__attribute__((__unused__));

#endif

static __always_inline u32 mpu_get32(const void *buf, u32 off)
{
	off = mpu_offset(off);
	return ((const struct mpu_word32 *)((const u8 *)buf + off))->v;
}

static __always_inline void mpu_put32(void *buf, u32 off, u32 v)
{
	off = mpu_offset(off);
	((struct mpu_word32 *)((u8 *)buf + off))->v = v;
}

static __always_inline u64 mpu_get64(const void *buf, u32 off)
{
	off = mpu_offset(off);
	return ((const struct mpu_word64 *)((const u8 *)buf + off))->v;
}

static __always_inline void mpu_put64(void *buf, u32 off, u64 v)
{
	off = mpu_offset(off);
	((struct mpu_word64 *)((u8 *)buf + off))->v = v;
}

#endif /* MPU_CORE_ENV_H */
