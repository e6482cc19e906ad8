/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who the driver says it is. Believed where nothing could be measured.
 */
#ifndef MPU_NVIDIA_IDENTITY_H
#define MPU_NVIDIA_IDENTITY_H

enum flavour { FLAVOUR_UNKNOWN, FLAVOUR_OPEN, FLAVOUR_PROPRIETARY };

/* By enum flavour; NULL: unknown. */
extern const char *const flavour_names[];

/**
 * struct identity - one driver
 * @version:	"580.159.04", "" if it is not known
 */
struct identity {
	enum flavour flavour;
	char version[64];
};

/**
 * identity_read() - of the driver that is loaded
 * @module:	its module, "nvidia" as a rule
 */
void identity_read(struct identity *identity, const char *module);

#endif /* MPU_NVIDIA_IDENTITY_H */
