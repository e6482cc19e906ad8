# SPDX-License-Identifier: GPL-2.0-only
# Kubernetes: the chart rendered without Helm, the manifests that are made of it, the
# image. Go and its libraries are fetched, not installed: tests/kubernetes/fetch.

KUBERNETES_RENDER := $(O)/tests/kubernetes/render
$(KUBERNETES_RENDER): $(wildcard tests/kubernetes/render/*.go) tests/kubernetes/fetch
	$(Q)tests/kubernetes/fetch
	@mkdir -p $(@D)
	$(call say,GO,$@)
	$(Q)tests/kubernetes/go build -o $@ ./tests/kubernetes/render

.PHONY: manifests check-kubernetes
# What is checked in for `kubectl apply -k`, made of the chart.
manifests: $(KUBERNETES_RENDER)
	$(Q)O=$(O) tests/kubernetes/manifests

check-kubernetes: $(KUBERNETES_RENDER)
	$(Q)deploy/deps tests/kubernetes/debian-packages
	$(Q)$(MAKE) --no-print-directory image
	$(Q)O=$(O) tests/kubernetes/run
