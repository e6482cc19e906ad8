/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of CDI: "nvidia.com/gpu=0" is a vendor, a class and a device; vendor and
 * class together are a kind.
 */
#ifndef MPU_CONTAINER_REQUEST_CDI_NAME_H
#define MPU_CONTAINER_REQUEST_CDI_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Is it a vendor's, a class's, a device's name in some version of CDI? */
bool cdi_vendor_is_valid(const char *vendor, size_t len);
bool cdi_class_is_valid(const char *class, size_t len);
bool cdi_device_is_valid(const char *device);

/** cdi_kind_is_valid() - "vendor/class" */
bool cdi_kind_is_valid(const char *kind);

/** cdi_annotation_is_valid() - "name" or "domain/name", as Kubernetes has them */
bool cdi_annotation_is_valid(const char *annotation);

/**
 * cdi_name_split() - take a qualified name apart
 * @kind_len:	receives the length of "vendor/class", with which @name begins
 *
 * Return: the device, or NULL: it is no qualified name.
 */
const char *cdi_name_split(const char *name, size_t *kind_len);

#endif /* MPU_CONTAINER_REQUEST_CDI_NAME_H */
