// SPDX-License-Identifier: GPL-2.0-only
/*
 * The simulated RM against what is known of the real one: every control that
 * carries PIDs, in every branch of the driver, asked from four namespaces.
 *
 * Expectations are those of the open driver's sources by tag (docs/abi.md),
 * written down here a second time on purpose.
 */
#include "sim/gpu.h"
#include "tests/unit/sim/fixture.h"
#include "tests/unit/unit.h"

#define MIB (1ull << 20)

enum meaning {
	GLOBAL,
	LOCAL,
	LOCAL_OR_GLOBAL,	/* samples: local if visible, else global */
	BUT_INIT,		/* the same, initial namespace left alone */
	LIVE,			/* accounting: global, dead ones withheld */
};

enum identity { TGID, TID };

/* First and last tag of every range in which nothing changes. */
struct tag {
	const char *version;
	u32 flavour;
	enum meaning pids, info;
	enum identity identity;
	enum meaning samples;
	u32 samples_size, samples_stride;
	enum meaning account;	/* the list; the record goes with LOCAL, LIVE */
	bool sessions;		/* encoder and capture lists are real */
	u32 nvenc_v2;
};

#define R0 SIM_OPEN, GLOBAL, GLOBAL, TGID, GLOBAL
#define R1 SIM_OPEN, LOCAL, GLOBAL, TID, GLOBAL
#define R2 SIM_OPEN, LOCAL, LOCAL, TID, GLOBAL
#define R3 SIM_OPEN, LOCAL, LOCAL, TID, LOCAL_OR_GLOBAL
#define R4 SIM_OPEN, LOCAL, LOCAL, TGID, BUT_INIT
#define PROPRIETARY SIM_PROPRIETARY, GLOBAL, GLOBAL, TGID, GLOBAL

static const struct tag tags[] = {
	{ "515.43.04", R0, 47216, 472, GLOBAL, false, 0 },
	{ "515.76", R0, 47216, 472, GLOBAL, false, 0 },
	{ "515.86.01", R0, 34000, 472, GLOBAL, false, 0 },
	{ "515.105.01", R0, 34000, 472, GLOBAL, false, 0 },
	{ "520.56.06", R0, 47216, 472, GLOBAL, false, 0 },
	{ "520.61.07", R0, 47216, 472, GLOBAL, false, 0 },
	{ "525.47.04", R0, 34000, 472, GLOBAL, false, 0 },
	{ "525.47.18", R0, 34000, 472, GLOBAL, false, 0 },
	{ "525.47.22", R0, 34000, 472, GLOBAL, false, 0x208001a9 },
	{ "525.47.35", R0, 34000, 472, GLOBAL, false, 0x208001a9 },
	{ "525.53", R0, 34000, 472, GLOBAL, false, 0 },
	{ "525.89.02", R0, 34000, 472, GLOBAL, false, 0 },
	{ "525.105.17", R0, 34000, 472, GLOBAL, false, 0x208001a9 },
	{ "525.147.05", R0, 34000, 472, GLOBAL, false, 0x208001a9 },
	{ "530.30.02", R0, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.43.02", R0, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.43.23", R0, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.43.24", R1, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.43.28", R1, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.54.03", R0, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.104.12", R0, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.113.01", R1, 34000, 472, GLOBAL, false, 0x208001af },
	{ "535.288.01", R1, 34000, 472, GLOBAL, false, 0x208001af },
	{ "545.23.06", R1, 34000, 472, GLOBAL, false, 0x208001af },
	{ "545.29.06", R1, 34000, 472, GLOBAL, false, 0x208001af },
	{ "550.40.07", R1, 50704, 704, GLOBAL, true, 0x208001af },
	{ "550.163.01", R1, 50704, 704, GLOBAL, true, 0x208001af },
	{ "555.42.02", R1, 50704, 704, GLOBAL, true, 0x208001af },
	{ "560.35.03", R1, 50704, 704, GLOBAL, true, 0x208001af },
	{ "565.57.01", R2, 50704, 704, GLOBAL, true, 0x208001af },
	{ "565.77", R2, 50704, 704, GLOBAL, true, 0x208001af },
	{ "570.86.15", R3, 55888, 776, LOCAL, true, 0x208001af },
	{ "570.123.10", R3, 55888, 776, LOCAL, true, 0x208001af },
	{ "570.123.11", R3, 55888, 776, LIVE, true, 0x208001af },
	{ "570.123.19", R3, 55888, 776, LIVE, true, 0x208001af },
	{ "570.124.04", R3, 55888, 776, LOCAL, true, 0x208001af },
	{ "570.133.07", R3, 55888, 776, LOCAL, true, 0x208001af },
	{ "570.133.20", R3, 55888, 776, LIVE, true, 0x208001af },
	{ "570.144", R3, 55888, 776, LIVE, true, 0x208001af },
	{ "570.148.08", R4, 55888, 776, LIVE, true, 0x208001af },
	{ "570.211.01", R4, 55888, 776, LIVE, true, 0x208001af },
	{ "575.51.02", R3, 55888, 776, LIVE, true, 0x208001af },
	{ "575.51.03", R3, 55888, 776, LIVE, true, 0x208001af },
	{ "575.57.08", R4, 55888, 776, LIVE, true, 0x208001af },
	{ "580.142", R4, 55888, 776, LIVE, true, 0x208001af },
	{ "595.45.04", R4, 55888, 776, LIVE, true, 0x208001af },
	{ "525.147.05", PROPRIETARY, 34000, 472, GLOBAL, true, 0x208001a9 },
	{ "535.274.02", PROPRIETARY, 34000, 472, GLOBAL, true, 0x208001af },
	{ "550.163.01", PROPRIETARY, 50704, 704, GLOBAL, true, 0x208001af },
	{ "580.178.04", PROPRIETARY, 55888, 776, GLOBAL, true, 0x208001af },
	{ "595.99.02", PROPRIETARY, 55888, 776, GLOBAL, true, 0x208001af },
};

/* Older generations: other sizes and numbers, one meaning. */
static const struct old {
	const char *version;
	u32 get_pids, pid_info, stride;
} olds[] = {
	{ "390.157", 0x00800202, 0x00800203, 40 },
	{ "450.248.02", 0x2080018d, 0x2080018e, 48 },
	{ "460.106.00", 0x2080018d, 0x2080018e, 48 },
	{ "470.256.02", 0x2080018d, 0x2080018e, 48 },
};

/* --- people: no number means two of them anywhere --- */

enum { HOST, A1, A2, B1, NESTED1, PEOPLE };

static struct person people[PEOPLE];

static const struct person people_born[PEOPLE] = {
	[HOST] = { .ns = NS_INIT,
		   .tgid.in = { [NS_INIT] = 1000 },
		   .tid.in = { [NS_INIT] = 1001 } },
	[A1] = { .ns = NS_A,
		 .tgid.in = { [NS_INIT] = 2000, [NS_A] = 5 },
		 .tid.in = { [NS_INIT] = 2001, [NS_A] = 6 } },
	[A2] = { .ns = NS_A,
		 .tgid.in = { [NS_INIT] = 2010, [NS_A] = 7 },
		 .tid.in = { [NS_INIT] = 2010, [NS_A] = 7 } },
	[B1] = { .ns = NS_B,
		 .tgid.in = { [NS_INIT] = 3000, [NS_B] = 8 },
		 .tid.in = { [NS_INIT] = 3001, [NS_B] = 9 } },
	[NESTED1] = { .ns = NS_NESTED,
		      .tgid.in = { [NS_INIT] = 4000, [NS_A] = 50,
				   [NS_NESTED] = 2 },
		      .tid.in = { [NS_INIT] = 4001, [NS_A] = 51,
				  [NS_NESTED] = 3 } },
};

static u64 bytes_of(u32 who)
{
	return (who + 1) * 10 * MIB;
}

static bool begin(const struct tag *tag)
{
	u32 i;

	memcpy(people, people_born, sizeof(people));
	fixture_open(tag->flavour, tag->version, 2);
	for (i = 0; i < PEOPLE; i++)
		person_use(&people[i], 0, bytes_of(i));
	return true;
}

static void end(void)
{
	u32 i;

	for (i = 0; i < PEOPLE; i++)
		person_leave(&people[i]);
	fixture_close();
}

/* Each version of the driver, with everybody in it; and each of them. */
#define each_tag(tag) \
	for (const struct tag *tag = tags; tag < tags + COUNT(tags) && begin(tag); end(), tag++)
#define each_viewer(v) \
	for (struct person *v = people; v < people + PEOPLE; v++)

static u32 number(const struct tag *tag, u32 who, enum ns ns)
{
	return tag->identity == TID ? people_born[who].tid.in[ns] : people_born[who].tgid.in[ns];
}

static u32 global(u32 who)
{
	return people_born[who].tgid.in[NS_INIT];
}

/* --- the process list --- */

static u32 pids(struct person *viewer, u32 id, u32 *list)
{
	static u32 params[953];
	u32 i;

	memset(params, 0, sizeof(params));
	params[1] = id;
	assert_ask(NV_OK, viewer, viewer->subdevice, 0x2080018d, params, sizeof(params));
	assert_true(params[2] <= 950);
	for (i = 0; i < params[2]; i++)
		list[i] = params[3 + i];
	return params[2];
}

TEST("each driver version lists the PIDs that a viewer should see")
{
	u32 list[950];
	u32 i, n, count;

	each_tag(tag) {
		each_viewer(v) {
			count = pids(v, sim_board_of(fixture)->compute, list);
			for (n = 0, i = 0; i < PEOPLE; i++) {
				u32 pid = tag->pids == LOCAL ? number(tag, i, v->ns) : global(i);

				if (pid)
					assert_int_equal(list[n++], pid);
			}
			assert_int_equal(count, n);
			assert_int_equal(pids(v, 0x2080, list), n);
			assert_int_equal(pids(v, 0x900e, list), 0);
			assert_int_equal(pids(v, 0xcb97, list), 0);
		}
	}
}

/* 535.113.01 to 595.45.04 compare global numbers with local ones. */
TEST("a process is listed twice, or not at all, where numbers collide")
{
	struct person twin = people_born[A1], skipped = people_born[A1];
	u32 list[950];

	/* global 7 is what A calls A2 */
	skipped.tgid.in[NS_INIT] = skipped.tid.in[NS_INIT] = 7;
	skipped.tgid.in[NS_A] = skipped.tid.in[NS_A] = 60;
	each_tag(tag) {
		person_use(&twin, 0, MIB);
		person_use(&skipped, 0, MIB);
		assert_int_equal(pids(&people[A1], 0x2080, list),
				 tag->pids == LOCAL ? 4 : PEOPLE + 1);
		if (tag->pids == LOCAL)
			assert_int_equal(list[3], number(tag, A1, NS_A));
		/* in the initial namespace a TID differs from ProcID too */
		assert_int_equal(pids(&people[HOST], 0x2080, list), tag->pids == LOCAL &&
				 tag->identity == TID ? PEOPLE + 2 : PEOPLE + 1);
		person_leave(&twin);
		person_leave(&skipped);
	}
}

TEST("the process list ends after 950 PIDs")
{
	static struct person many[1000];
	static u32 list[950];
	u32 i;

	begin(&tags[COUNT(tags) - 1]);
	for (i = 0; i < COUNT(many); i++) {
		many[i] = people_born[HOST];
		many[i].tgid.in[NS_INIT] = 10000 + i;
		person_use(&many[i], 0, MIB);
	}
	assert_int_equal(pids(&people[A1], 0x2080, list), 950);
	assert_int_equal(list[949], 10000 + 950 - PEOPLE - 1);
	assert_int_equal(fixture->gpu[0].used_bytes, 1000 * MIB + 150 * MIB);
	for (i = 0; i < COUNT(many); i++)
		person_leave(&many[i]);
	end();
}

/* --- what a process holds --- */

struct answer {
	u32 pid, index, result, unused;
	u64 memory[6];
	u32 compute_instance, gpu_instance;
};

static void ask_info(struct person *viewer, struct answer *entries, u32 count)
{
	static u8 params[14408];

	memset(params, 0xaa, sizeof(params));
	mpu_put32(params, 0, count);
	memcpy(params + 8, entries, count * sizeof(*entries));
	assert_ask(NV_OK, viewer, viewer->subdevice, 0x2080018e, params, sizeof(params));
	memcpy(entries, params + 8, count * sizeof(*entries));
	assert_int_equal(params[8 + count * sizeof(*entries)], 0xaa);
}

static u64 memory_of(struct person *viewer, u32 pid)
{
	struct answer e = { .pid = pid, .memory = { 1, 1, 1, 1, 1, 1 } };

	ask_info(viewer, &e, 1);
	assert_int_equal(e.pid, pid);	/* an echo, always */
	assert_int_equal(e.compute_instance, 0xffffffff);
	assert_int_equal(e.gpu_instance, 0xffffffff);
	assert_int_equal(e.result, pid ? NV_OK : NV_ERR_INVALID_ARGUMENT);
	assert_int_equal(e.memory[0] + e.memory[2] + e.memory[3] + e.memory[4] + e.memory[5], 0);
	return e.memory[1];
}

TEST("memory is told by the PIDs that each driver version takes")
{
	u32 i, pid;

	each_tag(tag) {
		each_viewer(v) {
			for (i = 0; i < PEOPLE; i++) {
				pid = tag->info == LOCAL ? number(tag, i, v->ns) : global(i);
				if (pid)
					assert_int_equal(memory_of(v, pid), bytes_of(i));
				if (v->ns != NS_INIT && tag->info == LOCAL)
					assert_int_equal(memory_of(v, global(i)), 0);
			}
			assert_int_equal(memory_of(v, 0), 0);
			assert_int_equal(memory_of(v, 99999), 0);
		}
	}
}

TEST("a question about no process, or too many, is refused")
{
	static u8 params[14408];
	struct answer e[2] = { { .pid = 2000, .index = 1 }, { .pid = 1000 } };
	u32 object;

	begin(&tags[0]);
	object = people[HOST].subdevice;
	ask_info(&people[HOST], e, 2);
	assert_int_equal(e[0].result, NV_ERR_INVALID_ARGUMENT);
	assert_int_equal(e[1].result, NV_OK);
	assert_int_equal(e[1].memory[1], bytes_of(HOST));
	mpu_put32(params, 0, 201);
	assert_ask(NV_ERR_INVALID_ARGUMENT, &people[HOST], object, 0x2080018e, params,
		   sizeof(params));
	mpu_put32(params, 0, 0);
	assert_ask(NV_ERR_INVALID_ARGUMENT, &people[HOST], object, 0x2080018e, params,
		   sizeof(params));
	end();
}

/* --- utilisation --- */

static void check_engine(const struct tag *tag, const struct person *v, const u8 *engine, u32 who)
{
	u32 want = global(who);
	u64 pointer = 0;
	bool translated;

	if (tag->samples_stride == 776)
		pointer = mpu_get64(engine, 120);
	translated = (tag->samples == LOCAL_OR_GLOBAL ||
		      (tag->samples == BUT_INIT && v->ns != NS_INIT)) &&
		     number(tag, who, v->ns);
	if (translated)
		want = number(tag, who, v->ns);
	assert_int_equal(mpu_get32(engine, 8), want);
	assert_in_range(mpu_get32(engine, 0), (10 + who) * 99, (10 + who) * 100);
	if (tag->samples == GLOBAL || translated)
		assert_int_equal(pointer, 0);
	else
		assert_int_not_equal(pointer, 0);
}

TEST("samples name processes by the PIDs that each driver version uses")
{
	u32 util[PEOPLE][6] = { 0 };
	struct person *last_one = &people[PEOPLE - 1];
	u32 step, begins, i, n;
	u64 last;
	u8 *params;

	each_tag(tag) {
		params = malloc(tag->samples_size);
		for (i = 0; i < PEOPLE; i++) {
			util[i][1] = 10 + i;
			assert_ask(NV_OK, &people[i], 0, SIM_CTRL_UTIL, util[i], 24);
		}
		step = tag->samples_stride == 776 ? 128 : 116;
		n = (tag->samples_size - 16) / tag->samples_stride;
		each_viewer(v) {
			memset(params, 0, tag->samples_size);
			mpu_put32(params, 4, tag->samples_size - 16);
			assert_ask(NV_OK, v, v->subdevice, 0x20802096, params, tag->samples_size);
			begins = mpu_get32(params, 12);
			last = 0;
			for (i = 0; i < n; i++) {
				u8 *sample = params + 16 + (begins + i * tag->samples_stride) %
					(n * tag->samples_stride);

				assert_true(mpu_get64(sample, 0) > last);
				last = mpu_get64(sample, 0);
				assert_int_equal(mpu_get32(sample, 8 + 8), 0xffffffff);
				assert_in_range(mpu_get32(sample, 8), 0, 1);
				check_engine(tag, v, sample + 8 + step, i % PEOPLE);
			}
		}
		assert_wrong_size(rm_ask(last_one, last_one->subdevice, 0x20802096,
					 params, tag->samples_size - 8));
		mpu_put32(params, 4, tag->samples_size);
		assert_ask(NV_ERR_INVALID_ARGUMENT, last_one, last_one->subdevice, 0x20802096,
			   params, tag->samples_size);
		free(params);
	}
}

/* Samples of an answer in order of age; who is named by them. */
#define HISTORY 72

static void history(enum sim_pattern pattern, u32 engine, u32 *who)
{
	static u8 params[55888];
	struct person *v = &people[HOST];
	u32 i, begins;

	assert_ask(NV_OK, v, v->subdevice, SIM_CTRL_PATTERN, &pattern, 4);
	memset(params, 0, sizeof(params));
	mpu_put32(params, 4, sizeof(params) - 16);
	assert_ask(NV_OK, v, v->subdevice, 0x20802096, params, sizeof(params));
	begins = mpu_get32(params, 12) / 776;
	for (i = 0; i < HISTORY; i++)
		who[i] = mpu_get32(params, 16 + (begins + i) % HISTORY * 776 +
					   8 + engine * 128 + 8);
}

static u32 runs(const u32 *who)
{
	u32 i, n = 1;

	for (i = 1; i < HISTORY; i++)
		n += who[i] != who[i - 1];
	return n;
}

static u32 times(const u32 *who, u32 pid)
{
	u32 i, n = 0;

	for (i = 0; i < HISTORY; i++)
		n += who[i] == pid;
	return n;
}

TEST("each pattern of samples names processes as often as it should")
{
	struct tag tag = { .version = "580.142" };
	u32 util[6] = { 50, 50 }, fb[HISTORY], sm[HISTORY], i;
	const u32 nobody = 0xffffffff;

	begin(&tag);
	for (i = A1; i <= B1; i += B1 - A1)
		assert_ask(NV_OK, &people[i], 0, SIM_CTRL_UTIL, util, 24);
	history(SIM_ALTERNATING, 1, sm);
	assert_int_equal(runs(sm), HISTORY);
	assert_int_equal(times(sm, global(A1)), HISTORY / 2);
	assert_int_equal(times(sm, global(B1)), HISTORY / 2);
	history(SIM_BURSTY, 1, sm);
	assert_int_equal(runs(sm), HISTORY / 9);
	assert_int_equal(times(sm, global(A1)), 27);
	assert_int_equal(times(sm, global(B1)), 27);
	assert_int_equal(times(sm, nobody), 18);
	history(SIM_MIXED, 0, fb);
	history(SIM_MIXED, 1, sm);
	assert_memory_not_equal(fb, sm, sizeof(sm));
	assert_in_range(runs(sm), HISTORY / 3, HISTORY - 1);
	assert_in_range(times(sm, nobody), 10, 40);
	assert_in_range(times(sm, global(A1)), 10, 40);
	assert_in_range(times(sm, global(B1)), 10, 40);
	history(SIM_MIXED, 1, fb);	/* the same in every answer */
	assert_memory_equal(fb, sm, sizeof(sm));
	history(SIM_IDLE, 1, sm);
	assert_int_equal(times(sm, nobody), HISTORY);
	end();
}

/* By pointer: 0x20802083 up to 470, 0x2080a083 with the GSS-legacy bit. */
static u32 ask_samples_v1(u32 cmd, u8 *table, u32 size)
{
	u8 params[24] = { 0 };
	u32 status;

	mpu_put32(params, 4, size);
	mpu_put64(params, 16, (uintptr_t)table);
	status = rm_ask(&people[A1], people[A1].subdevice, cmd, params, sizeof(params));
	assert_int_equal(mpu_get64(params, 16), status == NV_ERR_INVALID_ADDRESS ? 0 :
			 (uintptr_t)table);
	return status;
}

TEST("samples behind a pointer are answered by some versions alone")
{
	struct tag tag = { .version = "470.256.02",
			   .flavour = SIM_PROPRIETARY };
	static u8 table[100 * 472];
	u32 util[6] = { 0, 33 };

	begin(&tag);
	assert_ask(NV_OK, &people[B1], 0, SIM_CTRL_UTIL, util, 24);
	assert_int_equal(ask_samples_v1(0x20802083, table, sizeof(table)), NV_OK);
	assert_int_equal(mpu_get32(table + 99 * 472, 8 + 116 + 8), global(B1));
	bad_page = table + 4096;
	assert_int_equal(ask_samples_v1(0x20802083, table, sizeof(table)), NV_ERR_INVALID_ADDRESS);
	bad_page = NULL;
	assert_int_equal(ask_samples_v1(0x2080a083, table, sizeof(table)), NV_ERR_NOT_SUPPORTED);
	end();
	tag.version = "550.163.01";
	begin(&tag);
	assert_int_equal(ask_samples_v1(0x2080a083, table, 704), NV_OK);
	assert_int_equal(ask_samples_v1(0x20802083, table, 704), NV_ERR_NOT_SUPPORTED);
	end();
	tag.flavour = SIM_OPEN;	/* GSP cannot reach the caller's table */
	begin(&tag);
	assert_int_equal(ask_samples_v1(0x2080a083, table, 704), NV_ERR_NOT_SUPPORTED);
	end();
}

/* --- accounting --- */

#define RECORD_SIZE 48

static u32 ask_record(struct person *v, u32 pid, u32 *echo, u64 *bytes)
{
	u8 params[RECORD_SIZE] = { 0 };
	u32 status;

	mpu_put32(params, 0, fixture->gpu[0].id);
	mpu_put32(params, 4, pid);
	status = rm_ask(v, 0, 0xb03, params, sizeof(params));
	*echo = mpu_get32(params, 4);
	*bytes = mpu_get64(params, 24);
	if (!status)
		assert_true(mpu_get64(params, 32) != 0);
	return status;
}

TEST("a record is found by the PIDs that each driver version takes")
{
	struct person dead = people_born[A1];
	u32 i, echo, local;
	u64 bytes;

	dead.tgid.in[NS_INIT] = 2500;
	dead.tid.in[NS_INIT] = 2501;
	dead.tgid.in[NS_A] = dead.tid.in[NS_A] = 70;
	each_tag(tag) {
		person_use(&dead, 0, 7 * MIB);
		person_leave(&dead);
		each_viewer(v) {
			for (i = 0; i < PEOPLE; i++) {
				/* a global number always works: anybody's */
				assert_int_equal(ask_record(v, global(i), &echo, &bytes), NV_OK);
				assert_int_equal(echo, global(i));
				assert_int_equal(bytes, bytes_of(i));
				local = number(tag, i, v->ns);
				if (tag->account == GLOBAL || !local)
					continue;
				assert_int_equal(ask_record(v, local, &echo, &bytes), NV_OK);
				assert_int_equal(echo, global(i));
				assert_int_equal(bytes, bytes_of(i));
			}
			assert_int_equal(ask_record(v, 2500, &echo, &bytes), NV_OK);
			assert_int_equal(bytes, 7 * MIB);
			assert_int_equal(ask_record(v, 70, &echo, &bytes), NV_ERR_OBJECT_NOT_FOUND);
			assert_int_equal(ask_record(v, 0, &echo, &bytes), NV_ERR_OBJECT_NOT_FOUND);
		}
	}
}

static u32 account_list(struct person *v, u32 *list)
{
	static u32 params[16012 / 4];
	u32 count;

	memset(params, 0, sizeof(params));
	params[0] = fixture->gpu[0].id;
	assert_ask(NV_OK, v, 0, 0xb04, params, sizeof(params));
	count = params[4002];
	assert_true(count <= 4000);
	memcpy(list, params + 2, count * 4);
	return count;
}

TEST("the accounting list has the PIDs that each driver version uses")
{
	static u32 list[4000];
	struct person dead = people_born[B1];
	u32 i, n, count, pid;

	dead.tgid.in[NS_INIT] = 3500;
	each_tag(tag) {
		person_use(&dead, 0, MIB);
		person_leave(&dead);
		each_viewer(v) {
			count = account_list(v, list);
			n = 0;
			if (tag->account == GLOBAL || v->ns == NS_INIT)
				assert_int_equal(list[n++], 3500);
			for (i = 0; i < PEOPLE; i++) {
				pid = global(i);
				if (tag->account == LOCAL)
					pid = number(tag, i, v->ns);
				if (pid)
					assert_int_equal(list[n++], pid);
			}
			assert_int_equal(count, n);
		}
	}
}

TEST("root alone may clear the accounting list, or turn it off")
{
	static u32 list[4000];
	u32 params[3];
	struct person *v = &people[A1];

	begin(&tags[0]);
	memcpy(params, (u32[]){ fixture->gpu[0].id, 0, 1 }, sizeof(params));
	assert_ask(NV_ERR_INSUFFICIENT_PERMISSIONS, v, 0, 0xb01, params, 12);
	assert_ask(NV_ERR_INSUFFICIENT_PERMISSIONS, v, 0, 0xb05, params, 8);
	assert_int_equal(account_list(v, list), PEOPLE);
	person_leave(&people[HOST]);
	assert_int_equal(account_list(v, list), PEOPLE);
	root = true;
	assert_ask(NV_OK, v, 0, 0xb05, params, 8);
	assert_int_equal(account_list(v, list), PEOPLE - 1);
	assert_ask(NV_OK, v, 0, 0xb01, params, 12);
	params[2] = 7;
	assert_ask(NV_OK, v, 0, 0xb02, params, 12);
	assert_int_equal(params[2], 1);	/* NV0000_..._STATE_DISABLED */
	assert_int_equal(account_list(v, list), 0);
	params[0] = 0x123;
	assert_ask(NV_ERR_INVALID_ARGUMENT, v, 0, 0xb02, params, 12);
	end();
}

/* --- sessions, errors, the profiler: global everywhere --- */

/* NVENC, by pointer (V1) or not (V2): count, and first pid. */
static u32 encoders(struct person *v, u32 cmd, u32 room, u32 *first)
{
	static u32 params[16388 / 4], table[512 * 8];
	u32 count;

	memset(table, 0xaa, sizeof(table));
	memset(params, 0, sizeof(params));
	params[0] = room;
	if (cmd == 0x2080016e && room)
		mpu_put64(params, 8, (uintptr_t)table);
	assert_ask(NV_OK, v, v->subdevice, cmd, params, cmd == 0x2080016e ? 16 : sizeof(params));
	count = params[0];
	*first = cmd == 0x2080016e ? table[0] : params[1];
	return count;
}

TEST("encoder sessions have global PIDs, in both forms of the list")
{
	struct person *own = &people[B1];
	u32 first, handle, count;
	u64 params[2];

	each_tag(tag) {
		assert_int_equal(encoders(own, 0x2080016e, 512, &first), 0);
		assert_new(NV_OK, own, own->subdevice, 0xa0bc, alloc_params, &handle);
		each_viewer(v) {
			count = tag->sessions;
			assert_int_equal(encoders(v, 0x2080016e, 0, &first), count);
			assert_int_equal(encoders(v, 0x2080016e, 512, &first), count);
			if (count)
				assert_int_equal(first, global(B1));
			if (!tag->nvenc_v2) {
				assert_ask(NV_ERR_NOT_SUPPORTED, v, v->subdevice, 0x208001af,
					   params, 16);
				continue;
			}
			assert_int_equal(encoders(v, tag->nvenc_v2, 512, &first), count);
			if (count)
				assert_int_equal(first, global(B1));
			assert_int_equal(encoders(v, tag->nvenc_v2, 0, &first), count);
		}
	}
}

TEST("room for anything but 512 sessions is an error if there is one")
{
	struct person *v = &people[A1];
	u32 table[3 * 8], handle;
	u64 params[2] = { 3, (uintptr_t)table };

	begin(&tags[COUNT(tags) - 1]);
	assert_ask(NV_OK, v, v->subdevice, 0x2080016e, params, 16);
	assert_new(NV_OK, v, v->subdevice, 0xa0bc, alloc_params, &handle);
	params[0] = 3;
	assert_ask(NV_ERR_INVALID_ARGUMENT, v, v->subdevice, 0x2080016e, params, 16);
	params[1] = 0;
	assert_ask(NV_ERR_INVALID_ARGUMENT, v, v->subdevice, 0x2080016e, params, 16);
	end();
}

TEST("the first form of the list has no sessions on arm64")
{
	struct person *v = &people[A1];
	u32 handle, first;

	each_tag(tag) {
		if (!tag->sessions || tag->flavour != SIM_OPEN)
			continue;
		fixture->config.arm64 = 1;
		assert_new(NV_OK, v, v->subdevice, 0xa0bc, alloc_params, &handle);
		assert_int_equal(encoders(v, 0x2080016e, 0, &first), 0);
		assert_int_equal(encoders(v, 0x2080016e, 3, &first), 0);
		assert_int_equal(encoders(v, 0x2080016e, 512, &first), 0);
		assert_int_equal(encoders(v, tag->nvenc_v2, 512, &first), 1);
	}
}

TEST("a driver without lists does not touch the table")
{
	static const u32 rooms[] = { 0, 3, 0x7fffffff, 0xffffffff };
	struct person *v = &people[A1];
	u64 params[2];
	size_t i;

	each_tag(tag) {
		if (tag->sessions)
			continue;
		for (i = 0; i < COUNT(rooms); i++) {
			params[0] = rooms[i];
			params[1] = i % 2 ? 0 : 8;
			assert_ask(NV_OK, v, v->subdevice, 0x2080016e, params, 16);
			assert_int_equal((u32)params[0], 0);
		}
		assert_int_not_equal(rm_ask(v, v->subdevice, 0x2080016e, params, 12), NV_OK);
	}
}

TEST("capture sessions have global PIDs")
{
	static u32 params[13316 / 4];
	struct person *own = &people[NESTED1];
	u32 handle;

	each_tag(tag) {
		assert_new(NV_OK, own, own->subdevice, 0xa0bd, alloc_params, &handle);
		each_viewer(v) {
			assert_ask(NV_OK, v, v->subdevice, 0x2080017c, params, sizeof(params));
			assert_int_equal(params[0], tag->sessions);
			assert_int_equal(params[1], tag->sessions ? global(NESTED1) : 0);
			assert_int_equal(params[2], 0);
		}
	}
}

TEST("a client is told of its own channel error, by its global PID")
{
	static u32 params[2436 / 4];
	bool own;
	u32 i;

	each_tag(tag) {
		assert_ask(NV_OK, &people[A1], 0, SIM_CTRL_RCERR, NULL, 0);
		assert_ask(NV_OK, &people[B1], 0, SIM_CTRL_RCERR, NULL, 0);
		each_viewer(v) {
			memset(params, 0, sizeof(params));
			params[8] = 1000;	/* asked for: never looked at */
			assert_ask(NV_ERR_INSUFFICIENT_PERMISSIONS, v, 0, 0x607, params,
				   sizeof(params));
			params[7] = 0xffffffff;
			i = v - people;
			own = i == A1 || i == B1;
			assert_ask(own ? NV_OK : NV_ERR_MISSING_TABLE_ENTRY, v, 0, 0x607, params,
				   sizeof(params));
			assert_int_equal(params[8], own ? global(i) : 1000);
		}
	}
}

TEST("everybody is told the global PID of who has the profiler")
{
	u32 params[3], handle[PEOPLE];
	u32 i;

	each_tag(tag) {
		for (i = 0; i < PEOPLE; i++)
			assert_new(NV_OK, &people[i], people[i].subdevice, 0x90cc, NULL,
				   &handle[i]);
		assert_ask(NV_OK, &people[A2], handle[A2], 0x90cc0101, NULL, 0);
		assert_ask(NV_ERR_STATE_IN_USE, &people[B1], handle[B1], 0x90cc0101, NULL, 0);
		each_viewer(v) {
			assert_ask(NV_OK, v, handle[v - people], 0x90cc0103, params, 12);
			assert_int_equal(params[0], 1);
			assert_int_equal(params[1], global(A2));
		}
		assert_int_equal(rm_free_object(&people[A2], handle[A2]), NV_OK);
		assert_ask(NV_OK, &people[B1], handle[B1], 0x90cc0103, params, 12);
		assert_int_equal(params[0], 0);
	}
}

/* FB_GET_CLIENT_ALLOCATION_INFO is compiled into debug drivers only. */
TEST("allocations of clients cannot be asked for")
{
	u8 params[32] = { 0 };

	begin(&tags[0]);
	assert_ask(NV_ERR_NOT_SUPPORTED, &people[HOST], people[HOST].subdevice, 0x20801349, params,
		   sizeof(params));
	end();
}

/* --- generations before the open driver --- */

TEST("drivers before the open one answer in their own sizes")
{
	static u8 list[3812], info[14408];

	each_row(old, olds) {
		struct tag tag = { .version = old->version,
				   .flavour = SIM_PROPRIETARY };
		bool device = old->get_pids >> 16 == 0x80;
		struct person *v = &people[A1];
		u32 object;

		begin(&tag);
		object = device ? v->device : v->subdevice;
		memset(list, 0, sizeof(list));
		memset(info, 0, sizeof(info));
		mpu_put32(list, 4, sim_board_of(fixture)->compute);
		assert_ask(NV_OK, v, object, old->get_pids, list, sizeof(list));
		assert_int_equal(mpu_get32(list, 8), PEOPLE);
		assert_int_equal(mpu_get32(list, 12 + 4 * B1), global(B1));
		mpu_put32(info, 0, 2);
		mpu_put32(info, 8 + old->stride, global(B1));
		assert_ask(NV_OK, v, object, old->pid_info, info, 8 + 200 * old->stride);
		assert_int_equal(mpu_get32(info, 8 + 8), NV_ERR_INVALID_ARGUMENT);
		assert_int_equal(mpu_get64(info, 8 + old->stride + 24), bytes_of(B1));
		assert_wrong_size(rm_ask(v, object, old->pid_info, info, 14408));
		end();
	}
}
