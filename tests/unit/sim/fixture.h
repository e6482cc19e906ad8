/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fixture for the simulated RM to live in, without a kernel: processes in PID
 * namespaces, memory that can fault, and a client that makes requests as one
 * of the processes.
 */
#ifndef MPU_TESTS_UNIT_SIM_FIXTURE_H
#define MPU_TESTS_UNIT_SIM_FIXTURE_H

#include "sim/sim.h"

/* NESTED is inside A; B is beside it. */
enum ns { NS_INIT, NS_A, NS_B, NS_NESTED, NS_COUNT };

/* struct pid: one number per namespace that can see it, 0 elsewhere. */
struct number {
	u32 in[NS_COUNT];
	int refs;
};

/**
 * struct person - a process, and the RM objects of its one client
 * @ns:		its PID namespace
 * @tgid:	the process
 * @tid:	the thread that talks to RM
 */
struct person {
	enum ns ns;
	struct number tgid;
	struct number tid;
	struct sim_file file;
	u32 client;
	u32 device;
	u32 subdevice;
};

extern struct sim *fixture;
extern struct person *self;	/* the caller */
extern bool root;		/* os_is_administrator() */
extern const void *bad_page;	/* 4096 bytes from here on fault */
extern u32 slept_ms;
extern bool slept_locked;

void fixture_open(u32 flavour, const char *version, u32 gpus);
void fixture_close(void);

/* The status of a wrong paramsSize depends on the version: rmapi_test.c. */
#define assert_wrong_size(status) \
	assert_in_set(status, ((const LargestIntegralType[]) { \
		NV_ERR_INVALID_PARAM_STRUCT, NV_ERR_INVALID_ARGUMENT }), 2)

/* Room for the allocation params of any class. */
extern u32 alloc_params[16];

/* Requests of the process @p; RM's status. Each asserts that the escape itself works. */
u32 rm_new_client(struct person *p);
u32 rm_new(struct person *p, u32 parent, u32 class, void *params, u32 *handle);
u32 rm_free_object(struct person *p, u32 handle);
u32 rm_ask(struct person *p, u32 object, u32 cmd, void *params, u32 size);

#define assert_ask(status, ...) assert_int_equal(rm_ask(__VA_ARGS__), status)
#define assert_new(status, ...) assert_int_equal(rm_new(__VA_ARGS__), status)

/** person_use() - client, device, subdevice, channel, engine, memory */
void person_use(struct person *p, u32 gpu, u64 bytes);
/** person_leave() - the process ends and its files close */
void person_leave(struct person *p);

#endif /* MPU_TESTS_UNIT_SIM_FIXTURE_H */
