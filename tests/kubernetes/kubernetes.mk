# SPDX-License-Identifier: GPL-2.0-only
# Kubernetes: the chart rendered without Helm, the manifests that are made of it, the
# image. Go, its libraries and kubectl are fetched, not installed, and so are the libraries
# of the program in the image for arm64.

KUBERNETES_RENDER := $(O)/tests/kubernetes/render
$(KUBERNETES_RENDER): $(wildcard tests/kubernetes/render/*.go) tests/runner/fetch
	$(Q)tests/runner/fetch kubernetes
	@mkdir -p $(@D)
	$(call say,GO,$@)
	$(Q)tests/kubernetes/go build -o $@ ./tests/kubernetes/render

# Linked as the static mpu is.
KUBERNETES_TERMINALS := $(O)/tests/kubernetes/terminals
$(KUBERNETES_TERMINALS): tests/kubernetes/terminals.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(MPU_CFLAGS) -static -o $@ $< $$(pkg-config --static --cflags --libs ncursesw)

.PHONY: manifests check-kubernetes
# Makes from the chart what is checked in for `kubectl apply -k`.
manifests: $(KUBERNETES_RENDER)
	$(Q)O=$(O) tests/kubernetes/manifests

check-kubernetes: $(KUBERNETES_RENDER) $(KUBERNETES_TERMINALS)
	$(Q)deploy/deps tests/kubernetes/debian-packages
	$(Q)$(MAKE) --no-print-directory image
	$(Q)tests/runner/fetch metrics
	$(Q)tests/runner/fetch libraries
	$(Q)O=$(O) tests/vm/programs arm64 mpu
	$(Q)O=$(O) tests/kubernetes/run
