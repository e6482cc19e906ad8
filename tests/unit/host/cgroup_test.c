// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of host/cgroup.c: what the path of a control group says.
 */
#include "host/internal.h"
#include "tests/unit/host/fixture.h"
#include "tests/unit/unit.h"

TEST_EACH(make_host, drop_host)

#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID2	"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID	"0a1b2c3d-1111-2222-3333-444455556666"
#define UID_	"0a1b2c3d_1111_2222_3333_444455556666"
#define STATIC	"0123456789abcdef0123456789abcdef"

struct row {
	const char *text;	/* a path, or the file of a process */
	enum owner_kind kind;
	const char *id, *pod_uid, *unit, *uid, *job, *step;	/* NULL: none */
};

/* Trailing members may be left out. */
#define ROW(...)	{ .text = __VA_ARGS__ },

static const struct row paths[] = {
	ROW("/", OWNER_NONE)
	ROW("/init.scope", OWNER_NONE)
	ROW("/user.slice/user-1000.slice/session-3.scope", OWNER_NONE, .uid = "1000")
	ROW("/user.slice/user-1000.slice/user@1000.service/init.scope", OWNER_NONE, .uid = "1000")
	ROW("/user.slice/user-1000.slice/user@1000.service/app.slice/jupyter.service",
	    OWNER_NONE, .uid = "1000")
	ROW("/user.slice/user-1000.slice/user@1000.service/tmux-spawn-" UID ".scope",
	    OWNER_NONE, .uid = "1000")
	ROW("/user.slice/user-0.slice/user@0.service/tmux-spawn-" UID ".scope",
	    OWNER_NONE, .uid = "0")
	ROW("/system.slice/sshd.service", OWNER_UNIT, .unit = "sshd.service")
	ROW("/system.slice/slurmstepd.scope/system", OWNER_UNIT, .unit = "slurmstepd.scope")
	ROW("/system.slice/a.service/b.service", OWNER_UNIT, .unit = "a.service")
	ROW("/system.slice/gone.service (deleted)", OWNER_UNIT, .unit = "gone.service")
	/* docker, by systemd, by itself, in a group of the user's choice */
	ROW("/system.slice/docker-" ID ".scope", OWNER_DOCKER, ID)
	ROW("/docker/" ID, OWNER_DOCKER, ID)
	ROW("/jobs/" ID, OWNER_CONTAINER, ID)
	ROW("/system.slice/docker-" ID ".scope/system.slice/nginx.service", OWNER_DOCKER, ID)
	ROW("/system.slice/docker-" ID ".scope/init.scope", OWNER_DOCKER, ID)
	ROW("/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope",
	    OWNER_DOCKER, ID, .uid = "1000")
	/* Kubernetes */
	ROW("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
	  ".slice/cri-containerd-" ID ".scope", OWNER_CONTAINERD, ID, UID)
	ROW("/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope", OWNER_CRIO, ID, UID)
	ROW("/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_
	  ".slice/docker-" ID ".scope", OWNER_DOCKER, ID, UID)
	ROW("/kubepods/besteffort/pod" UID "/" ID, OWNER_CONTAINERD, ID, UID)
	ROW("/kubepods/pod" UID "/crio-" ID, OWNER_CRIO, ID, UID)
	ROW("/kubepods/burstable/pod" STATIC "/" ID, OWNER_CONTAINERD, ID, STATIC)
	ROW("/system.slice/containerd.service/kubepods-burstable-pod" UID_
	  ".slice:cri-containerd:" ID, OWNER_CONTAINERD, ID, UID, "containerd.service")
	ROW("/system.slice/k3s.service/kubepods/pod" UID "/" ID,
	    OWNER_CONTAINERD, ID, UID, "k3s.service")
	/* podman: root's, a user's, of a service, without systemd */
	ROW("/machine.slice/libpod-" ID ".scope/container", OWNER_PODMAN, ID)
	ROW("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope",
	    OWNER_PODMAN, ID, .uid = "1000")
	ROW("/user.slice/user-1000.slice/user@1000.service/user.slice/user-libpod_pod_" ID2
	  ".slice/libpod-" ID ".scope", OWNER_PODMAN, ID, .uid = "1000")
	ROW("/system.slice/web.service/libpod-payload-" ID, OWNER_PODMAN, ID, .unit = "web.service")
	ROW("/libpod_parent/libpod-" ID, OWNER_PODMAN, ID)
	ROW("/machine.slice/libpod-conmon-" ID ".scope",
	    OWNER_UNIT, .unit = "libpod-conmon-" ID ".scope")
	ROW("/system.slice/nerdctl-" ID ".scope", OWNER_CONTAINERD, ID)
	/* Runtimes alone */
	ROW("/system.slice/runc-box.scope", OWNER_CONTAINER, "box")
	ROW("/user.slice/crun-box.scope/x", OWNER_CONTAINER, "box")
	ROW("/lxc.payload.box/init.scope", OWNER_CONTAINER, "box")
	ROW("/lxc.payload.box/system.slice/nginx.service", OWNER_CONTAINER, "box")
	/* names that a user has chosen */
	ROW("/user.slice/user-1000.slice/user@1000.service/runc-a\xff\xe2\x80\xae" "b.scope",
	    OWNER_CONTAINER, "a????b", .uid = "1000")
	ROW("/lxc.payload/box", OWNER_CONTAINER, "box")
	ROW("/lxc/box", OWNER_CONTAINER, "box")
	ROW("/lxc/box/system.slice/nginx.service", OWNER_CONTAINER, "box")
	ROW("/lxc.monitor.box", OWNER_NONE)
	ROW("/machine.slice/machine-box\\x2d1.scope/payload", OWNER_CONTAINER, "box-1")
	ROW("/machine.slice/machine-box.scope/payload/system.slice/nginx.service",
	    OWNER_CONTAINER, "box")
	ROW("/machine.slice/systemd-nspawn@box.service/payload/init.scope", OWNER_CONTAINER, "box")
	ROW("/machine.slice/systemd-nspawn@box.service/supervisor",
	    OWNER_UNIT, .unit = "systemd-nspawn@box.service")
	ROW("/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/emulator",
	    OWNER_UNIT, .unit = "machine-qemu\\x2d1\\x2dvm.scope")
	ROW("/system.slice/a.service/payload", OWNER_UNIT, .unit = "a.service")
	/* Names that only look like a container's */
	ROW("/user.slice/user-1000.slice/user-7.slice", OWNER_NONE, .uid = "1000")
	ROW("/system.slice/a.service/user.slice/user-7.slice", OWNER_UNIT, .unit = "a.service")
	ROW("/inner/user.slice/user-7.slice/session-1.scope", OWNER_NONE, .uid = "7")
	/* Below a user's slice no pod and no job counts, and no pod without a container. */
	ROW("/user.slice/user-1000.slice/user@1000.service/kubepods.slice/kubepods-pod" UID_
	  ".slice/cri-containerd-" ID ".scope", OWNER_CONTAINERD, ID, .uid = "1000")
	ROW("/user.slice/user-1000.slice/user@1000.service/slurmstepd.scope/job_7/step_0",
	    OWNER_NONE, .uid = "1000")
	ROW("/system.slice/a.service/kubepods-pod" UID_ ".slice", OWNER_UNIT, .unit = "a.service")
	ROW("/user.slice/user-.slice/user-7x.slice/user-8", OWNER_NONE)
	ROW("/user.slice/user-99999999999.slice", OWNER_NONE)
	ROW("/docker/" ID "/user.slice/user-1000.slice/session-1.scope", OWNER_DOCKER, ID)
	/* The outermost counts: all behind it is the choice of those in it, as in kind's. */
	ROW("/docker/" ID "/docker/" ID2, OWNER_DOCKER, ID)
	ROW("/system.slice/docker-" ID ".scope/kubelet.slice/kubelet-kubepods.slice/"
	  "kubelet-kubepods-pod" UID_ ".slice/cri-containerd-" ID2 ".scope", OWNER_DOCKER, ID)
	ROW("/docker/0123", OWNER_NONE)
	ROW("/docker/X" ID, OWNER_NONE)
	ROW("/kubepods/podnone/" ID "0", OWNER_NONE)
	ROW("//system.slice//a.service/", OWNER_UNIT, .unit = "a.service")
	ROW("relative", OWNER_NONE)
	ROW("", OWNER_NONE)
	ROW("/slurm/uid_1000/s5K1KKYAYG5Dx0", OWNER_NONE)
	ROW("/slurm/uid_1000/job_x/step_0", OWNER_NONE)
	ROW("/slurm/uid_x/job_8/step_0", OWNER_NONE)
};

static void check_word(const char *found, const char *wanted)
{
	assert_string_equal(found, wanted ? wanted : "");
}

static void check(const struct owner *owner, const struct row *row)
{
	print_message("%s\n", row->text);
	assert_int_equal(owner->kind, row->kind);
	check_word(owner->id, row->id);
	check_word(owner->pod_uid, row->pod_uid);
	check_word(owner->unit, row->unit);
	check_word(owner->job, row->job);
	check_word(owner->step, row->step);
	assert_int_equal(owner->uid, row->uid ? (uid_t)atoi(row->uid) : (uid_t)-1);
}

/* @in_own: the process has a PID namespace of its own */
static void check_rows(void (*parse)(struct owner *owner, const char *text, bool in_own),
		       const struct row *row, size_t n, bool in_own)
{
	struct owner owner;

	for (; n-- > 0; row++) {
		parse(&owner, row->text, in_own);
		check(&owner, row);
	}
}

#define CHECK(parse, rows, in_own) \
	check_rows(parse, rows, sizeof(rows) / sizeof(*(rows)), in_own)

TEST("the path of a control group tells the container, unit or user")
{
	CHECK(cgroup_parse, paths, false);
}

TEST("a path of Slurm tells job and step, also in a PID namespace")
{
	static const struct row some[] = {
		ROW("/system.slice/slurmstepd.scope/job_7/step_0/user/task_0",
		    OWNER_SLURM, .unit = "slurmstepd.scope", .job = "7", .step = "0")
		ROW("/system.slice/node1_slurmstepd.scope/job_7/step_batch/user",
		    OWNER_SLURM, .unit = "node1_slurmstepd.scope", .job = "7", .step = "batch")
		ROW("/system.slice/slurmstepd.scope/job_7/step_0/user/docker/" ID,
		    OWNER_SLURM, .unit = "slurmstepd.scope", .job = "7", .step = "0")
		ROW("/slurm/uid_1000/job_8/step_extern/task_0",
		    OWNER_SLURM, .uid = "1000", .job = "8", .step = "extern")
		ROW("/slurm_node1/uid_1000/job_8", OWNER_SLURM, .uid = "1000", .job = "8")
		ROW("/system.slice/slurmstepd.scope/s5K1KKYAYG5D00/step_0/user/task_0", OWNER_SLURM,
		    .unit = "slurmstepd.scope", .job = "s5K1KKYAYG5D00", .step = "0")
		ROW("/slurm/uid_1000/s5K1KKYAYG5D00",
		    OWNER_SLURM, .uid = "1000", .job = "s5K1KKYAYG5D00")
	};

	CHECK(cgroup_parse, some, false);
	CHECK(cgroup_parse, some, true);
}

TEST("the first group below a unit tells jobs of other batch systems apart")
{
	static const struct row some[] = {
		ROW("/pbs_jobs.service/jobid/12.head",
		    OWNER_UNIT, .unit = "pbs_jobs.service", .job = "12.head")
		ROW("/pbs_jobs.service/jobid", OWNER_UNIT, .unit = "pbs_jobs.service")
		ROW("/system.slice/condor.service/htcondor/condor_slot1_1@n1/x",
		    OWNER_UNIT, .unit = "condor.service", .job = "condor_slot1_1@n1")
		ROW("/system.slice/htcondor/condor_slot1_2@n1",
		    OWNER_UNIT, .unit = "htcondor", .job = "condor_slot1_2@n1")
		ROW("/pbspro.slice/pbspro-12.head.slice/x",
		    OWNER_UNIT, .unit = "pbspro.slice", .job = "pbspro-12.head.slice")
		ROW("/oar/joe_12/x", OWNER_UNIT, .unit = "oar", .job = "joe_12")
		ROW("/oar.slice/oar-u1000.slice/oar-u1000-j12.slice/x",
		    OWNER_UNIT, .unit = "oar.slice", .job = "oar-u1000-j12.slice")
		ROW("/system.slice/lsfd.service/lsf/ours/job.1.2/x",
		    OWNER_UNIT, .unit = "lsfd.service", .job = "job.1.2")
		ROW("/torque/12.head/x", OWNER_UNIT, .unit = "torque", .job = "12.head")
		ROW("/lsf/ours/job.1234.5.6/x", OWNER_UNIT, .unit = "lsf", .job = "job.1234.5.6")
		ROW("/system.slice/batch.service/7/y",
		    OWNER_UNIT, .unit = "batch.service", .job = "7")
		ROW("/system.slice/batch.service/x/docker-" ID ".scope",
		    OWNER_DOCKER, ID, .unit = "batch.service")
	};
	static const struct row file[] = {
		ROW("9:cpu:/system.slice/pbs.service\n2:memory:/pbs_jobs.service/jobid/12.head\n",
		    OWNER_UNIT, .unit = "pbs_jobs.service", .job = "12.head")
	};

	CHECK(cgroup_parse, some, false);
	CHECK(cgroup_parse_file, file, false);
}

TEST("a process with a PID namespace of its own is in a container")
{
	static const struct row some[] = {
		ROW("/box", OWNER_CONTAINER, "box")
		ROW("/user.slice/user-0.slice/session-1.scope/box",
		    OWNER_CONTAINER, "box", .uid = "0")
		ROW("/system.slice/runc-box.scope", OWNER_CONTAINER, "box")
		ROW("/system.slice/docker-" ID ".scope/x", OWNER_DOCKER, ID)
		ROW("/machine.slice/systemd-nspawn@box.service/payload", OWNER_CONTAINER, "box")
		ROW("/machine.slice/machine-box.scope/payload", OWNER_CONTAINER, "box")
		ROW("/system.slice/a.service/payload", OWNER_CONTAINER, "a")
		ROW("/system.slice/a.service/payload/system.slice/b.service", OWNER_CONTAINER, "a")
		ROW("/lxc/box/system.slice", OWNER_CONTAINER, "box")
		ROW("/slurm/uid_1000/s5K1KKYAYG5Dx0", OWNER_CONTAINER, "s5K1KKYAYG5Dx0")
		ROW("/slurm/uid_1000/job_x/step_0", OWNER_CONTAINER, "step_0")
		ROW("/slurm/uid_x/job_8/step_0", OWNER_CONTAINER, "step_0")
		/* A group of a login, or of a service, which sandboxes itself, is not named so. */
		ROW("/user.slice/user-0.slice/session-1.scope", OWNER_NONE, .uid = "0")
		ROW("/system.slice/a.service", OWNER_UNIT, .unit = "a.service")
		ROW("/", OWNER_NONE)
		ROW("/../..", OWNER_NONE)
	};

	CHECK(cgroup_parse, some, true);
}

TEST("the hierarchy that says most counts")
{
	static const struct row some[] = {
		ROW("0::/system.slice/docker-" ID ".scope\n", OWNER_DOCKER, ID)
		ROW("12:pids:/\n11:memory:/docker/" ID "\n"
		    "1:name=systemd:/system.slice/docker.service\n0::/", OWNER_DOCKER, ID)
		ROW("3:pids:/\n1:name=systemd:/system.slice/a.service\n0::/",
		    OWNER_UNIT, .unit = "a.service")
		ROW("3:pids:/\n1:name=systemd:/user.slice/user-7.slice/session-1.scope\n0::/",
		    OWNER_NONE, .uid = "7")
		/* A user may make groups in some of them, as with Slurm's ssh sessions. */
		ROW("1:name=systemd:/user.slice/user-7.slice/user@7.service/docker-" ID ".scope\n"
		    "2:memory:/slurm/uid_7/job_42/step_extern\n",
		    OWNER_SLURM, .uid = "7", .job = "42", .step = "extern")
		ROW("no colon\n:\n0:\n::\n\n", OWNER_NONE)
	};

	CHECK(cgroup_parse_file, some, false);
}

/* Groups below one that is not root's are the choice of whoever has it. */
TEST("names below a group that is not root's are not believed")
{
	static const struct row some[] = {
		ROW("0::/system.slice/ci.service/docker-" ID ".scope",
		    OWNER_UNIT, .unit = "ci.service")
		ROW("0::/system.slice/ci.service/x/libpod-payload-" ID,
		    OWNER_UNIT, .unit = "ci.service")
		ROW("0::/system.slice/ci.service/slurmstepd.scope/job_7",
		    OWNER_UNIT, .unit = "ci.service")
		ROW("0::/system.slice/web.service/libpod-payload-" ID,
		    OWNER_PODMAN, ID, .unit = "web.service")
		ROW("0::/jobs/sshd.service", OWNER_NONE)
		ROW("2:memory:/jobs/" ID, OWNER_NONE)
		ROW("2:memory:/other/" ID, OWNER_CONTAINER, ID)
		ROW("2:memory:/nowhere/x/" ID, OWNER_NONE)
		ROW("1:name=systemd:/other/" ID, OWNER_CONTAINER, ID)
		ROW("0::/user.slice/user-7.slice/user@7.service/x/" ID,
		    OWNER_CONTAINER, ID, .uid = "7")
		ROW("0::/jobs/user.slice/user-7.slice/x/" ID, OWNER_NONE)
	};
	/* Version 2 is mounted elsewhere beside cgroup v1. */
	static const struct row beside[] = {
		ROW("0::/system.slice/web.service/libpod-payload-" ID, OWNER_NONE)
	};

	if (geteuid())
		skip();
	add_text("/sys/fs/cgroup/system.slice/ci.service/x/f", "");
	add_text("/sys/fs/cgroup/system.slice/web.service/f", "");
	add_text("/sys/fs/cgroup/jobs/f", "");
	add_text("/sys/fs/cgroup/memory/jobs/f", "");
	add_text("/sys/fs/cgroup/memory/other/f", "");
	add_text("/sys/fs/cgroup/systemd/other/f", "");
	give_away("/sys/fs/cgroup/system.slice/ci.service");
	add_text("/sys/fs/cgroup/user.slice/user-7.slice/user@7.service/x/f", "");
	add_text("/sys/fs/cgroup/jobs/user.slice/user-7.slice/x/f", "");
	give_away("/sys/fs/cgroup/user.slice/user-7.slice/user@7.service");
	give_away("/sys/fs/cgroup/user.slice/user-7.slice/user@7.service/x");
	give_away("/sys/fs/cgroup/jobs");
	give_away("/sys/fs/cgroup/memory/jobs");
	CHECK(cgroup_parse_file, some, false);
	add_text("/sys/fs/cgroup/unified/f", "");
	CHECK(cgroup_parse_file, beside, false);
}
