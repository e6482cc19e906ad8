/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between x86-64 and arm64: how a function is called, and what the root of
 * a bus and an interrupt are.
 */
#ifndef MPU_TESTS_DRIVER_MACHINE_H
#define MPU_TESTS_DRIVER_MACHINE_H

#include <linux/irq.h>
#include <linux/numa.h>
#include <linux/pci.h>
#include <linux/ptrace.h>

#ifdef CONFIG_X86_64

/* Arguments of a function, at its entry. */
#define ARG1(regs)	((regs)->di)
#define ARG2(regs)	((regs)->si)
#define ARG3(regs)	((regs)->dx)
#define ARG4(regs)	((regs)->cx)
#define ARG5(regs)	((regs)->r8)
/* The first of one that returns a structure, behind the address of that. */
#define ARG1_OF_STRUCT(regs)	((regs)->si)

/* Returns where a function returns to, at its entry. */
static inline unsigned long where_it_returns(const struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

/* Makes a function return @value, at its entry. */
static inline void return_at_once(struct pt_regs *regs, unsigned long value)
{
	regs->ip = where_it_returns(regs);
	regs->sp += sizeof(long);
	regs->ax = value;
}

/* Finds an interrupt for the board. Return: its number, or negative errno. */
static inline int find_interrupt(void)
{
	return 11;	/* nobody else has it */
}

static struct pci_sysdata sysdata = { .domain = 1, .node = NUMA_NO_NODE };

static inline void *root_bus_data(void)
{
	return &sysdata;
}

#define ROOT_BUS_FLAGS	0

#else /* CONFIG_ARM64 */

#define ARG1(regs)	((regs)->regs[0])
#define ARG2(regs)	((regs)->regs[1])
#define ARG3(regs)	((regs)->regs[2])
#define ARG4(regs)	((regs)->regs[3])
#define ARG5(regs)	((regs)->regs[4])
/* The address of a structure that is returned is in x8. */
#define ARG1_OF_STRUCT(regs)	((regs)->regs[0])

static inline unsigned long where_it_returns(const struct pt_regs *regs)
{
	return regs->regs[30];
}

static inline void return_at_once(struct pt_regs *regs, unsigned long value)
{
	regs->pc = where_it_returns(regs);
	regs->regs[0] = value;
}

/* An interrupt that never comes: those of the machine have owners. */
static inline int find_interrupt(void)
{
	int irq = irq_alloc_desc(NUMA_NO_NODE);

	if (irq >= 0) {
		irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
		irq_clear_status_flags(irq, IRQ_NOREQUEST);
	}
	return irq;
}

static inline void *root_bus_data(void)
{
	return NULL;
}

/* Nothing serves MSI on this bus, of which kernels before 6.2 warn. */
#define ROOT_BUS_FLAGS	PCI_BUS_FLAGS_NO_MSI

#endif

#endif /* MPU_TESTS_DRIVER_MACHINE_H */
