# SPDX-License-Identifier: GPL-2.0-only
# Tests of engine notify that need no GPU: one call, and what may happen to keeper
# and worker. The conformance suite has ENGINE=notify.

NOTIFY_TEST := $(O)/tests/notify
NOTIFY_CFLAGS := $(MPU_CFLAGS) -D_GNU_SOURCE

$(NOTIFY_TEST)/call_test: tests/notify/call_test.c engines/notify/call.c \
		$(wildcard engines/notify/*.h core/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NOTIFY_CFLAGS) -fsanitize=address,undefined \
		-fno-sanitize-recover=all -o $@ $(filter %.c,$^) -lcmocka

$(NOTIFY_TEST)/budget_test $(NOTIFY_TEST)/partner_test: \
$(NOTIFY_TEST)/%_test: tests/notify/%_test.c engines/notify/%.c \
		$(wildcard engines/notify/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NOTIFY_CFLAGS) -fsanitize=address,undefined \
		-fno-sanitize-recover=all -o $@ $(filter %.c,$^) -lcmocka

$(NOTIFY_TEST)/past_test: tests/notify/past_test.c \
		$(patsubst %,engines/notify/%.c,agent_past state) \
		$(patsubst %,lib/%.c,clock fds host proc wait) \
		$(wildcard engines/notify/*.h core/*.h lib/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NOTIFY_CFLAGS) -fsanitize=address,undefined \
		-fno-sanitize-recover=all -o $@ $(filter %.c,$^) -lcmocka

$(NOTIFY_TEST)/pidns_test: tests/notify/pidns_test.c \
		engines/notify/pidns.c lib/fds.c lib/host.c lib/proc.c \
		$(wildcard engines/notify/*.h core/*.h lib/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NOTIFY_CFLAGS) -fsanitize=address,undefined \
		-fno-sanitize-recover=all -pthread -o $@ $(filter %.c,$^) -lcmocka

# Once as it is, once as before Linux 6.9.
$(NOTIFY_TEST)/caller_test: NOTIFY_CFLAGS += -DBEFORE_6_9=0
$(NOTIFY_TEST)/caller_test.old: NOTIFY_CFLAGS += -DBEFORE_6_9=1 \
		-DPIDFD_THREAD=0x40000000
$(NOTIFY_TEST)/caller_test $(NOTIFY_TEST)/caller_test.old: \
		tests/notify/caller_test.c engines/notify/caller.c \
		$(patsubst %,engines/notify/%.c,call filter pidns) \
		$(patsubst %,lib/%.c,caps clock fds host proc wait) nvidia/driver.c \
		$(wildcard engines/notify/*.h core/*.h lib/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NOTIFY_CFLAGS) -fsanitize=address,undefined \
		-fno-sanitize-recover=all -pthread -o $@ \
		$(filter-out engines/notify/caller.c,$(filter %.c,$^)) -lcmocka

# Static: they run in machines, too.
$(NOTIFY_TEST)/faults $(NOTIFY_TEST)/clients: \
	tests/notify/stage.c tests/notify/stage.h \
	engines/notify/filter.c engines/notify/state.c lib/clock.c lib/fds.c
$(NOTIFY_TEST)/caller: nvidia/rm.c nvidia/rm_process.c
$(NOTIFY_TEST)/forbid: engines/notify/filter.c
$(addprefix $(NOTIFY_TEST)/,faults clients caller forbid): \
$(NOTIFY_TEST)/%: tests/notify/%.c $(wildcard engines/notify/*.h core/*.h lib/*.h nvidia/*.h)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NOTIFY_CFLAGS) -static -pthread -o $@ $(filter %.c,$^)

.PHONY: check-notify
check-notify: $(O)/mpu $(addprefix $(NOTIFY_TEST)/,budget_test call_test caller_test \
		caller_test.old partner_test past_test pidns_test faults clients caller forbid)
	$(Q)tests/notify/run $(O)/mpu $(NOTIFY_TEST)
