# SPDX-License-Identifier: GPL-2.0-only
# Installing, and what it takes to build and test: see docs/install.md.
DESTDIR ?=
KERNEL ?= $(shell uname -r)
MODULE ?= yes
INSTALL_ENV = O="$(O)" PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" KERNEL="$(KERNEL)" \
	MODULE="$(MODULE)"

.PHONY: install uninstall install-nvidia-names uninstall-nvidia-names deps demo
install: $(O)/mpu
	$(Q)$(INSTALL_ENV) deploy/install

uninstall:
	$(Q)$(INSTALL_ENV) deploy/install remove

# Links with the names of NVIDIA's container toolkit, where nobody else has them.
install-nvidia-names:
	$(Q)$(INSTALL_ENV) deploy/nvidia-names

uninstall-nvidia-names:
	$(Q)$(INSTALL_ENV) deploy/nvidia-names remove

# Debian packages for everything that make can do.
deps:
	$(Q)deploy/deps

# MPU at work on a machine without a GPU.
demo:
	$(Q)O="$(O)" demo/run
