# SPDX-License-Identifier: GPL-2.0-only
# Everything is made from here; `make help` says what there is.

O ?= build
PREFIX ?= /usr/local
# Not make's own default, cc: deploy/debian-packages has gcc.
ifeq ($(origin CC),default)
CC := gcc
endif
VERSION := $(shell cat VERSION)
KERNEL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KERNEL)/build

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' '$(1)' '$(2)';)

# WERROR=: warnings of a newer compiler do not end the build. STRIP=: symbols stay in mpu.
WERROR ?= -Werror
STRIP ?= -s
MPU_CFLAGS := -std=gnu17 -O2 -g -Wall -Wextra $(WERROR) -I. -DMPU_VERSION='"$(VERSION)"'

# Whatever a user's shell exports, the same is made, and tests find the same.
export LC_ALL := C
export HOME ?= $(shell getent passwd "$$(id -u)" | cut -d : -f 6)
unexport CDPATH ENV GREP_COLOR GREP_OPTIONS LOCPATH POSIXLY_CORRECT

# O= means something else to Kbuild, and would reach it through MAKEFLAGS.
MAKEOVERRIDES :=

# Gives what root builds to the owner of the tree, who goes on without root: first in a recipe
# of one command. (Some folders of tests are root filesystems, and stay root's.)
BUILT := mpu mpu.ko product.a abi cli container core demo engines gcc-asan host lib module \
	nvidia packages sim tests/unit
GIVE_BACK = trap 'chown -h --reference=Makefile $(O) $(O)/tests 2>/dev/null; \
	chown -hR --reference=Makefile $(addprefix $(O)/,$(BUILT)) 2>/dev/null || :' EXIT;

$(if $(word 2,$(CURDIR)),$(error "$(CURDIR)" has a space, which neither make nor the kernel's own build takes: move the tree))

.DELETE_ON_ERROR:
.PHONY: all help module check check-all style clean

# Builds what this machine can, and prints what it leaves out.
all: $(O)/mpu
	$(Q)if test -e $(KDIR)/Makefile; then $(MAKE) --no-print-directory module; \
	else echo "  skipped  mpu.ko: no kernel headers at $(KDIR)"; fi
	$(if $(BPF_LACKS),@echo "  skipped  engine bpf of mpu: install $(BPF_LACKS)")

help:
	@echo 'make                  mpu, and mpu.ko where kernel headers are'
	@echo 'make STATIC=          the same mpu, with the libraries of this machine'
	@echo 'make install          both, with DKMS where it is there; uninstall'
	@echo 'make install-nvidia-names'
	@echo '                      links with NVIDIA names; uninstall-nvidia-names'
	@echo 'make deb              Debian packages, in build/packages; make rpm: for others'
	@echo 'make image            the image for Kubernetes: docs/kubernetes.md'
	@echo 'make release VERSION=X.Y.Z KEY=KEY'
	@echo '                      all that a publisher needs, signed: docs/install.md;'
	@echo '                      REGISTRY=HOST/PATH: where the chart takes the image from'
	@echo 'make module           mpu.ko alone, for KERNEL=RELEASE or a build folder, KDIR=DIR'
	@echo 'sudo make deps        installs the Debian packages that all of this takes;'
	@echo '                      FOR=build: that building takes'
	@echo 'sudo make demo        see it at work, without a GPU: installs four small packages'
	@echo 'make clean            remove what was built (O, default build/)'
	@echo
	@echo 'sudo make check       installs those packages, runs the tests that need no GPU;'
	@echo '                      or LEVELS=...:'
	@awk '!/^#/ && NF { \
		name = $$1; all = $$2 == "full" ? " (check-all)" : ""; \
		$$1 = $$2 = $$3 = ""; sub(/^ +/, ""); text = $$0 all; \
		line = sprintf("  %-19s", name); n = split(text, word, " "); \
		for (i = 1; i <= n; i++) { \
			if (length(line) + 1 + length(word[i]) > 79) { \
				print line; \
				line = sprintf("%-21s", ""); \
			} \
			line = line " " word[i]; \
		} \
		print line; \
	}' tests/runner/levels
	@echo 'make check-all        all cells of these, and those marked so: hours;'
	@echo '                      stopped, it goes on where it was'
	@echo 'make check-build      two minutes, offline, as any user: unit tests and the command'
	@echo 'make check-unit UNIT=lib/toml'
	@echo '                      one unit test'
	@echo 'make check-cli CLI=ps'
	@echo 'make check-container CONTAINER=cdi'
	@echo '                      one script of these'
	@echo 'make check-mutants MUTANTS=lib/toml.c'
	@echo '                      edits of a file that its unit test, or BY="TEST... COMMAND",'
	@echo '                      does not notice'
	@echo 'make bench            instructions per ioctl, with and without mpu.ko'
	@echo 'make coverage         lines that the unit tests run, by folder'
	@echo 'make lint             compiler'"'"'s analyser, cppcheck, sparse'
	@echo 'make style CHECKPATCH=FILE'
	@echo '                      checkpatch over all C'
	@echo 'make abi-check OGKM=DIR'
	@echo '                      the table against every driver release'
	@echo
	@echo 'make generate         what is made from abi/*.tsv, and docs/figures.md'
	@echo 'make manifests        deploy/kubernetes from deploy/helm/mpu'
	@echo 'make picture          pictures of docs/'

# mpu.ko for the kernel build folder KDIR, into O. The sources are laid out
# there first, in the same shape: Kbuild before 6.13 builds where they stand.
MODULE_TREE := $(O)/module

module:
	$(Q)test -e $(KDIR)/Makefile || { echo "module: no kernel headers at $(KDIR): install linux-headers-$(KERNEL), or name a kernel build folder with KDIR=DIR" >&2; exit 1; }
	$(Q)mkdir -p $(MODULE_TREE)/core $(MODULE_TREE)/engines/module
	$(Q)cp -u core/*.h $(MODULE_TREE)/core/
	$(Q)cp -ru engines/module/kernel $(MODULE_TREE)/engines/module/
	$(call say,KBUILD,$(O)/mpu.ko)
	$(Q)$(MAKE) -C $(KDIR) M=$(abspath $(MODULE_TREE)/engines/module/kernel) \
		MPU_VERSION=$(VERSION) $(if $(V),V=1) modules
	$(Q)cp $(MODULE_TREE)/engines/module/kernel/mpu.ko $(O)/mpu.ko

include $(wildcard abi/abi.mk engines/bpf/bpf.mk cli/cli.mk sim/sim.mk tests/*.mk tests/*/*.mk deploy/deploy.mk)

# Every level of tests/runner/levels, added up: with cells that hold every pair, or all.
# LEVELS: these alone.
check: deps
	$(Q)$(GIVE_BACK) O=$(O) tests/runner/run $(LEVELS)

check-all: deps
	$(Q)$(if $(LEVELS),,$(MAKE) --no-print-directory fetch)
	$(Q)O=$(O) ALL=yes tests/runner/run $(LEVELS)

# make PREPARE="check-unit check-cli" check-unit check-cli: what they take is built,
# and they are not run.
ifdef PREPARE
$(PREPARE): private SHELL := /bin/true
endif

# The kernel's own opinion. CHECKPATCH: its scripts/checkpatch.pl.
CHECKPATCH ?= $(KDIR)/scripts/checkpatch.pl
style:
	$(Q)test -r $(CHECKPATCH) || { echo "style: no $(CHECKPATCH): name one of a kernel's sources with CHECKPATCH=FILE" >&2; exit 1; }
	$(Q)perl $(CHECKPATCH) --terse --no-summary --file $$(git ls-files '*.c' '*.h' '*.S')

clean:
	$(Q)rm -rf $(O)
