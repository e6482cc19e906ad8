// SPDX-License-Identifier: GPL-2.0-only
/*
 * A PCI function that is not there, on a root bus of its own: as much of an
 * NVIDIA GPU as nvidia.ko looks at before it takes one. Its registers are plain
 * memory that the kernel was told to leave alone:
 *
 *	kernel command line: memmap=64M$0x10000000; on arm64 mem=, which hides
 *	all behind it
 *	insmod fakepci.ko base=0x10000000 device=0x1eb8 chip=0x164000a1
 */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "board/machine.h"

static unsigned long base = 0x10000000;
module_param(base, ulong, 0444);
MODULE_PARM_DESC(base, "64 MiB of memory that nobody uses");
static ushort device = 0x1eb8;
module_param(device, ushort, 0444);
MODULE_PARM_DESC(device, "PCI device ID, by default a Tesla T4's");
static uint chip = 0x164000a1;
module_param(chip, uint, 0444);
MODULE_PARM_DESC(chip, "NV_PMC_BOOT_0, by default a TU104's");

/* The offsets of the BARs in that memory: each on a multiple of its size. */
#define APERTURE	0			/* BAR 1, 64-bit */
#define APERTURE_SIZE	(32u << 20)
#define REGISTERS	(APERTURE + APERTURE_SIZE)	/* BAR 0 */
#define REGISTERS_SIZE	(16u << 20)
#define CONTROL		(REGISTERS + REGISTERS_SIZE)	/* BAR 3, 64-bit */
#define CONTROL_SIZE	(16u << 20)
#define MEMORY_SIZE	(CONTROL + CONTROL_SIZE)

/* Registers: NV_PMC_BOOT_0 is the chip, NV_PMC_BOOT_42 the same once more. */
#define PMC_BOOT_0	0x0
#define PMC_BOOT_42	0xa00

/* Capabilities in the configuration space, a list that ends with the last. */
#define CAP_PM		0x60
#define CAP_MSI		0x68
#define CAP_EXP		0x78

static u8 config[PCI_CFG_SPACE_EXP_SIZE];
static u32 bar_mask[6];

static void set16(int where, u16 value)
{
	*(u16 *)(config + where) = value;
}

static void set32(int where, u32 value)
{
	*(u32 *)(config + where) = value;
}

static bool is_there(struct pci_bus *bus, unsigned int devfn)
{
	return !bus->number && !devfn;
}

static int config_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	*value = ~0u;
	if (!is_there(bus, devfn))
		return PCIBIOS_DEVICE_NOT_FOUND;
	memcpy(value, config + where, size);
	if (size < 4)
		*value &= (1u << 8 * size) - 1;
	return PCIBIOS_SUCCESSFUL;
}

/* Returns whether a register may be written. Those that identify the device may not. */
static bool is_writable(int where)
{
	return where >= PCI_COMMAND && where != PCI_CLASS_REVISION &&
	       !(where >= PCI_CARDBUS_CIS && where < PCI_INTERRUPT_LINE);
}

static int config_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	int bar = (where - PCI_BASE_ADDRESS_0) / 4;

	if (!is_there(bus, devfn))
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (where >= PCI_BASE_ADDRESS_0 && where <= PCI_BASE_ADDRESS_5)
		value = (value & bar_mask[bar]) | (config[where] & ~bar_mask[bar] & 0xf);
	if (is_writable(where))
		memcpy(config + where, &value, size);
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops ops = { .read = config_read, .write = config_write };
/*
 * Not in the kernel's tree of memory, where this is "Reserved": so the driver can
 * ask for it.
 */
static struct resource window = { .name = "fakepci", .flags = IORESOURCE_MEM };
static struct resource numbers = { .name = "fakepci", .flags = IORESOURCE_BUS };
static struct pci_bus *bus;

static void make_config(int interrupt)
{
	set16(PCI_VENDOR_ID, PCI_VENDOR_ID_NVIDIA);
	set16(PCI_DEVICE_ID, device);
	set16(PCI_COMMAND, PCI_COMMAND_MEMORY);
	set16(PCI_STATUS, PCI_STATUS_CAP_LIST);
	set32(PCI_CLASS_REVISION, PCI_CLASS_DISPLAY_VGA << 16 | 0xa1);
	set32(PCI_BASE_ADDRESS_0, base + REGISTERS);
	bar_mask[0] = ~(REGISTERS_SIZE - 1);
	set32(PCI_BASE_ADDRESS_1, (base + APERTURE) |
	      PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH);
	bar_mask[1] = ~(APERTURE_SIZE - 1);
	bar_mask[2] = ~0u;
	set32(PCI_BASE_ADDRESS_3, (base + CONTROL) |
	      PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH);
	bar_mask[3] = ~(CONTROL_SIZE - 1);
	bar_mask[4] = ~0u;
	set16(PCI_SUBSYSTEM_VENDOR_ID, PCI_VENDOR_ID_NVIDIA);
	set16(PCI_SUBSYSTEM_ID, 0x12a2);
	/*
	 * The driver says "Can't find an IRQ for your NVIDIA card!" without these two.
	 */
	config[PCI_INTERRUPT_LINE] = (u8)interrupt;
	config[PCI_INTERRUPT_PIN] = 1;

	config[PCI_CAPABILITY_LIST] = CAP_PM;
	set16(CAP_PM, CAP_MSI << 8 | PCI_CAP_ID_PM);
	set16(CAP_PM + PCI_PM_PMC, 3);
	set16(CAP_MSI, CAP_EXP << 8 | PCI_CAP_ID_MSI);
	set16(CAP_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_64BIT);
	set16(CAP_EXP, PCI_CAP_ID_EXP);
	set16(CAP_EXP + PCI_EXP_FLAGS, PCI_EXP_TYPE_LEG_END << 4 | 2);
	set32(CAP_EXP + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER);
	set32(CAP_EXP + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_8_0GB | 16 << 4);
	set16(CAP_EXP + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_CLS_8_0GB | 16 << 4);
}

static int make_registers(void)
{
	void __iomem *registers = ioremap(base + REGISTERS, REGISTERS_SIZE);

	if (!registers)
		return -ENOMEM;
	memset_io(registers, 0, REGISTERS_SIZE);
	writel(chip, registers + PMC_BOOT_0);
	/*
	 * Architecture and implementation as in NV_PMC_BOOT_0, the revision 12
	 * bits higher.
	 */
	writel((chip & 0x1ff00000) | (chip & 0xff) << 12, registers + PMC_BOOT_42);
	iounmap(registers);
	return 0;
}

static int __init fakepci_init(void)
{
	LIST_HEAD(resources);
	int err = make_registers(), interrupt = find_interrupt();

	if (err || interrupt < 0)
		return err ? err : interrupt;
	make_config(interrupt);
	window.start = base;
	window.end = base + MEMORY_SIZE - 1;
	pci_add_resource(&resources, &numbers);
	pci_add_resource(&resources, &window);
	pci_lock_rescan_remove();
	bus = pci_create_root_bus(NULL, 0, &ops, root_bus_data(), &resources);
	if (bus) {
		bus->bus_flags |= ROOT_BUS_FLAGS;
		pci_scan_child_bus(bus);
		pci_bus_claim_resources(bus);
		pci_bus_add_devices(bus);
	}
	pci_unlock_rescan_remove();
	if (bus)
		return 0;
	pci_free_resource_list(&resources);
	return -ENODEV;
}

static void __exit fakepci_exit(void)
{
	pci_lock_rescan_remove();
	pci_stop_root_bus(bus);
	pci_remove_root_bus(bus);
	pci_unlock_rescan_remove();
}

module_init(fakepci_init);
module_exit(fakepci_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A GPU's PCI function that is not there");
