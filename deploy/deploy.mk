# SPDX-License-Identifier: GPL-2.0-only
# Installing, and what it takes to build and test: see docs/install.md.
DESTDIR ?=
# On this machine, for a kernel that nobody has named, mpu.ko is left out where its headers
# are missing.
MODULE ?= $(if $(DESTDIR)$(wildcard $(KDIR)/Makefile)$(filter command environment,$(origin KERNEL)),yes,no)
INSTALL_ENV = O="$(O)" PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" KERNEL="$(KERNEL)" \
	MODULE="$(MODULE)"

.PHONY: install uninstall install-nvidia-names uninstall-nvidia-names deb rpm release deps \
	demo
install: $(O)/mpu
	$(if $(filter no,$(MODULE)),@echo "  skipped  mpu.ko: no kernel headers at $(KDIR)")
	$(Q)$(GIVE_BACK) $(INSTALL_ENV) deploy/install

uninstall:
	$(Q)$(INSTALL_ENV) deploy/install remove

# Links with the names of NVIDIA's container toolkit, where nobody else has them.
install-nvidia-names:
	$(Q)$(INSTALL_ENV) deploy/nvidia-names

uninstall-nvidia-names:
	$(Q)$(INSTALL_ENV) deploy/nvidia-names remove

# The image for nodes of a cluster: O/mpu-image.tar; image-root: what is in it, for
# another builder than buildah. IMAGE_ALSO: the folder of an image for another
# architecture, for an index of both.
IMAGE_ALSO ?=
IMAGE_ENV = O="$(O)" IMAGE_ALSO="$(IMAGE_ALSO)"

.PHONY: image image-root
image: $(O)/mpu
	$(Q)$(GIVE_BACK) $(IMAGE_ENV) deploy/image/build $(O)/mpu-image.tar

image-root: $(O)/mpu
	$(Q)$(IMAGE_ENV) deploy/image/build root

# Packages, in O/packages.
PACKAGES_ENV = O="$(O)" LIBRARIES="$(CLI_PACKAGES) libmicrohttpd libbpf"
deb rpm:
	$(Q)$(GIVE_BACK) $(PACKAGES_ENV) deploy/packages $@

# All that a publisher needs, in O/release. KEY: what gpg calls the key that signs it;
# TAG=yes: the tag is made, too.
KEY ?=
TAG ?=
release:
	$(Q)deploy/deps -n ./deploy/debian-packages ./deploy/release/debian-packages
	$(Q)tests/runner/fetch libraries
	$(Q)$(PACKAGES_ENV) TAG="$(TAG)" deploy/release/build "$(VERSION)" "$(KEY)"

# Debian packages for everything that make can do, or for parts of it.
FOR ?=
deps:
	$(Q)deploy/deps $(FOR)

# MPU at work on a machine without a GPU.
demo:
	$(Q)$(GIVE_BACK) O="$(O)" demo/run
