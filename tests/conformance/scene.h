/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scene most cases play in, and the comparison they end with.
 *
 *	host		the one whose answers are taken for complete
 *	mounts		a container with the host's PIDs
 *	a, a2		container A
 *	b		container B inside A
 *	c		container C inside B
 *	d, d2		container D beside A
 *	rootless	a container with a user namespace of its own
 *	guest		started on the host, in A's PID namespace
 *	idle		in A, no GPU process
 */
#ifndef MPU_TESTS_CONFORMANCE_SCENE_H
#define MPU_TESTS_CONFORMANCE_SCENE_H

#include "tests/conformance/ask.h"
#include "tests/conformance/world.h"

struct scene {
	struct actor *host, *mounts;
	struct actor *a, *a2, *idle, *guest;
	struct actor *b, *c;
	struct actor *d, *d2;
	struct actor *rootless;
	u32 class;		/* compute class they have objects of */
};

/** scene_open() - fork them all and start their GPU work; false: failed */
bool scene_open(struct scene *scene);

/** scene_small() - host, a and d only */
bool scene_small(struct scene *scene);

/** gpu_process() - a new actor with GPU work of its own size */
struct actor *gpu_process(struct actor *parent, enum actor_place place);
/** gpu_load() - the same for an actor that is there already */
bool gpu_load(struct actor *actor, u32 *class);

/**
 * ask() - have an actor ask; what comes back is in @q
 * Return: false if it could not be asked; the case is failed.
 */
bool ask(struct actor *seer, struct question *q);

/** ask_on_host() - the same question, by global numbers, from the host */
bool ask_on_host(struct actor *host, const struct actor *seer,
		 const struct question *q, struct question *answer);

/**
 * compare() - is this what @seer may see of what the host was told?
 *
 * Byte by byte: what is visible is as the host has it but for the numbers,
 * what is not leaves no trace. Time stamps of samples are not compared.
 * Return: false, and the case is failed.
 */
bool compare(const struct actor *seer, const struct question *q,
	     const struct question *host);

/** unchanged() - @q came back as it was sent; else the case is failed */
bool unchanged(const struct actor *seer, const struct question *q);

/** no_stranger() - no number at all of a process @seer cannot see, anywhere */
bool no_stranger(const struct actor *seer, const struct question *q);

/**
 * about_two() - where a question needs somebody to ask about: @seer, and @scene's d,
 * which it cannot see, by the host's number
 */
void about_two(const struct scene *scene, const struct actor *seer,
	       struct question *q);

/** sees_no_stranger() - does no list give one away? It may lack somebody */
bool sees_no_stranger(struct scene *scene, struct actor *seer);
/** sees_right_lists() - is every list what @seer may see of it? */
bool sees_right_lists(struct scene *scene, struct actor *seer);
/** sees_right() - the memory of everybody, too? Else the case is failed. */
bool sees_right(struct scene *scene, struct actor *seer);

/** covers() - report that a row of the table was seen answered */
void covers(u32 row);

/** find_row() - index of the row of a control; @size 0: the first */
u32 find_row(u32 cmd, u32 size);

/** row_is_shared() - has another row the same control and paramsSize? */
bool row_is_shared(u32 row);

/** row_answered() - does this driver have the layout? */
bool row_answered(struct scene *scene, u32 row);

/** row_lives() - does it, and tells the host of somebody in it? */
bool row_lives(struct scene *scene, u32 row);

/**
 * row_goes_unread() - is the caller's buffer, with nobody in it, granted without
 * a look at its size? Then the driver does not refuse what engine bpf must.
 */
bool row_goes_unread(struct scene *scene, u32 row);

#define for_each_row(i) for ((i) = 0; (i) < MPU_ROWS; (i)++)

#endif /* MPU_TESTS_CONFORMANCE_SCENE_H */
