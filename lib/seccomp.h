/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions of seccomp filters by short names, and seccomp's name for this
 * architecture.
 */
#ifndef MPU_LIB_SECCOMP_H
#define MPU_LIB_SECCOMP_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#if defined(__x86_64__)
#define ARCH	AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH	AUDIT_ARCH_AARCH64
#else
#error "what does seccomp call this architecture?"
#endif

/* @field: of struct seccomp_data; of 64 bits, its low half on little endian */
#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define AND(k)		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, k)
#define IF(k, yes, no)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, yes, no)
#define IF_BIT(k, yes, no) \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, k, yes, no)
#define RETURN(k)	BPF_STMT(BPF_RET | BPF_K, k)

#endif /* MPU_LIB_SECCOMP_H */
