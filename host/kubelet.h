/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pods of this node, as the kubelet names their logs: /var/log/containers,
 * /var/log/pods.
 */
#ifndef MPU_HOST_KUBELET_H
#define MPU_HOST_KUBELET_H

#include "host/owner.h"
#include "lib/strv.h"

/**
 * struct kubelet - the logs of this node, sorted
 * @containers:	"ID POD_NAMESPACE_CONTAINER"
 * @pods:	"UID NAMESPACE_POD"
 */
struct kubelet {
	struct strv containers, pods;
};

/** kubelet_read() - list the logs; without a kubelet, or without memory: none */
void kubelet_read(struct kubelet *kubelet);

void kubelet_free(struct kubelet *kubelet);

/** kubelet_find() - fill in pod, namespace and container of @owner->id, if known */
void kubelet_find(const struct kubelet *kubelet, struct owner *owner);

/** kubelet_find_pod() - fill in pod and namespace of @owner->pod_uid, if known */
void kubelet_find_pod(const struct kubelet *kubelet, struct owner *owner);

/**
 * kubelet_split() - take POD_NAMESPACE_CONTAINER apart, into @owner
 * @length:	of @text
 *
 * None of the three may have an underscore. Return: was it that?
 */
bool kubelet_split(struct owner *owner, const char *text, size_t length);

#endif /* MPU_HOST_KUBELET_H */
