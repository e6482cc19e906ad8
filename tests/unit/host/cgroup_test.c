// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of host/cgroup.c: what the path of a control group says.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/internal.h"
#include "tests/unit/host/fixture.h"
#include "tests/unit/unit.h"

TEST_EACH(make_host, drop_host)

#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID2	"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID	"0a1b2c3d-1111-2222-3333-444455556666"
#define UID_	"0a1b2c3d_1111_2222_3333_444455556666"
#define STATIC	"0123456789abcdef0123456789abcdef"

static const struct {
	const char *path;
	enum owner_kind kind;
	const char *id, *pod_uid, *unit;
	uid_t uid;
} paths[] = {
	{ "/", OWNER_NONE, "", "", "", -1 },
	{ "/init.scope", OWNER_NONE, "", "", "", -1 },
	{ "/user.slice/user-1000.slice/session-3.scope", OWNER_NONE, "", "", "", 1000 },
	{ "/user.slice/user-1000.slice/user@1000.service/init.scope",
	  OWNER_NONE, "", "", "", 1000 },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/jupyter.service",
	  OWNER_NONE, "", "", "", 1000 },
	{ "/user.slice/user-1000.slice/user@1000.service/tmux-spawn-" UID ".scope",
	  OWNER_NONE, "", "", "", 1000 },
	{ "/user.slice/user-0.slice/user@0.service/tmux-spawn-" UID ".scope",
	  OWNER_NONE, "", "", "", 0 },
	{ "/system.slice/sshd.service", OWNER_UNIT, "", "", "sshd.service", -1 },
	{ "/system.slice/slurmstepd.scope/system",
	  OWNER_UNIT, "", "", "slurmstepd.scope", -1 },
	{ "/system.slice/a.service/b.service", OWNER_UNIT, "", "", "a.service", -1 },
	{ "/system.slice/gone.service (deleted)",
	  OWNER_UNIT, "", "", "gone.service", -1 },
	/* docker, by systemd, by itself, in a group of the user's choice */
	{ "/system.slice/docker-" ID ".scope", OWNER_DOCKER, ID, "", "", -1 },
	{ "/docker/" ID, OWNER_DOCKER, ID, "", "", -1 },
	{ "/jobs/" ID, OWNER_CONTAINER, ID, "", "", -1 },
	{ "/system.slice/docker-" ID ".scope/system.slice/nginx.service",
	  OWNER_DOCKER, ID, "", "", -1 },
	{ "/system.slice/docker-" ID ".scope/init.scope", OWNER_DOCKER, ID, "", "", -1 },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope",
	  OWNER_DOCKER, ID, "", "", 1000 },
	/* Kubernetes */
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
	  ".slice/cri-containerd-" ID ".scope", OWNER_CONTAINERD, ID, UID, "", -1 },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope",
	  OWNER_CRIO, ID, UID, "", -1 },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_
	  ".slice/docker-" ID ".scope", OWNER_DOCKER, ID, UID, "", -1 },
	{ "/kubepods/besteffort/pod" UID "/" ID, OWNER_CONTAINERD, ID, UID, "", -1 },
	{ "/kubepods/pod" UID "/crio-" ID, OWNER_CRIO, ID, UID, "", -1 },
	{ "/kubepods/burstable/pod" STATIC "/" ID, OWNER_CONTAINERD, ID, STATIC, "", -1 },
	{ "/system.slice/containerd.service/kubepods-burstable-pod" UID_
	  ".slice:cri-containerd:" ID, OWNER_CONTAINERD, ID, UID, "containerd.service", -1 },
	{ "/system.slice/k3s.service/kubepods/pod" UID "/" ID,
	  OWNER_CONTAINERD, ID, UID, "k3s.service", -1 },
	/* podman: root's, a user's, of a service, without systemd */
	{ "/machine.slice/libpod-" ID ".scope/container", OWNER_PODMAN, ID, "", "", -1 },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope",
	  OWNER_PODMAN, ID, "", "", 1000 },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/user-libpod_pod_" ID2
	  ".slice/libpod-" ID ".scope", OWNER_PODMAN, ID, "", "", 1000 },
	{ "/system.slice/web.service/libpod-payload-" ID,
	  OWNER_PODMAN, ID, "", "web.service", -1 },
	{ "/libpod_parent/libpod-" ID, OWNER_PODMAN, ID, "", "", -1 },
	{ "/machine.slice/libpod-conmon-" ID ".scope",
	  OWNER_UNIT, "", "", "libpod-conmon-" ID ".scope", -1 },
	{ "/system.slice/nerdctl-" ID ".scope", OWNER_CONTAINERD, ID, "", "", -1 },
	/* Runtimes alone */
	{ "/system.slice/runc-box.scope", OWNER_CONTAINER, "box", "", "", -1 },
	{ "/user.slice/crun-box.scope/x", OWNER_CONTAINER, "box", "", "", -1 },
	{ "/lxc.payload.box/init.scope", OWNER_CONTAINER, "box", "", "", -1 },
	{ "/lxc.payload.box/system.slice/nginx.service", OWNER_CONTAINER, "box", "", "", -1 },
	/* names that a user has chosen */
	{ "/user.slice/user-1000.slice/user@1000.service/runc-a\xff\xe2\x80\xae" "b.scope",
	  OWNER_CONTAINER, "a????b", "", "", 1000 },
	{ "/lxc.payload/box", OWNER_CONTAINER, "box", "", "", -1 },
	{ "/lxc/box", OWNER_CONTAINER, "box", "", "", -1 },
	{ "/lxc/box/system.slice/nginx.service", OWNER_CONTAINER, "box", "", "", -1 },
	{ "/lxc.monitor.box", OWNER_NONE, "", "", "", -1 },
	{ "/machine.slice/machine-box\\x2d1.scope/payload", OWNER_CONTAINER, "box-1", "", "", -1 },
	{ "/machine.slice/machine-box.scope/payload/system.slice/nginx.service",
	  OWNER_CONTAINER, "box", "", "", -1 },
	{ "/machine.slice/systemd-nspawn@box.service/payload/init.scope",
	  OWNER_CONTAINER, "box", "", "", -1 },
	{ "/machine.slice/systemd-nspawn@box.service/supervisor",
	  OWNER_UNIT, "", "", "systemd-nspawn@box.service", -1 },
	{ "/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/emulator",
	  OWNER_UNIT, "", "", "machine-qemu\\x2d1\\x2dvm.scope", -1 },
	{ "/system.slice/a.service/payload", OWNER_UNIT, "", "", "a.service", -1 },
	/* Names that only look like a container's */
	{ "/user.slice/user-1000.slice/user-7.slice", OWNER_NONE, "", "", "", 1000 },
	{ "/system.slice/a.service/user.slice/user-7.slice",
	  OWNER_UNIT, "", "", "a.service", -1 },
	{ "/inner/user.slice/user-7.slice/session-1.scope", OWNER_NONE, "", "", "", 7 },
	/* Below a user's slice no pod and no job counts, and no pod without a container. */
	{ "/user.slice/user-1000.slice/user@1000.service/kubepods.slice/kubepods-pod" UID_
	  ".slice/cri-containerd-" ID ".scope", OWNER_CONTAINERD, ID, "", "", 1000 },
	{ "/user.slice/user-1000.slice/user@1000.service/slurmstepd.scope/job_7/step_0",
	  OWNER_NONE, "", "", "", 1000 },
	{ "/system.slice/a.service/kubepods-pod" UID_ ".slice",
	  OWNER_UNIT, "", "", "a.service", -1 },
	{ "/user.slice/user-.slice/user-7x.slice/user-8", OWNER_NONE, "", "", "", -1 },
	{ "/user.slice/user-99999999999.slice", OWNER_NONE, "", "", "", -1 },
	{ "/docker/" ID "/user.slice/user-1000.slice/session-1.scope",
	  OWNER_DOCKER, ID, "", "", -1 },
	/* The outermost counts: all behind it is the choice of those in it, as in kind's. */
	{ "/docker/" ID "/docker/" ID2, OWNER_DOCKER, ID, "", "", -1 },
	{ "/system.slice/docker-" ID ".scope/kubelet.slice/kubelet-kubepods.slice/"
	  "kubelet-kubepods-pod" UID_ ".slice/cri-containerd-" ID2 ".scope",
	  OWNER_DOCKER, ID, "", "", -1 },
	{ "/docker/0123", OWNER_NONE, "", "", "", -1 },
	{ "/docker/X" ID, OWNER_NONE, "", "", "", -1 },
	{ "/kubepods/podnone/" ID "0", OWNER_NONE, "", "", "", -1 },
	{ "//system.slice//a.service/", OWNER_UNIT, "", "", "a.service", -1 },
	{ "relative", OWNER_NONE, "", "", "", -1 },
	{ "", OWNER_NONE, "", "", "", -1 },
};

TEST("the path of a control group tells the container, unit or user")
{
	struct owner owner;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		print_message("%s\n", paths[i].path);
		cgroup_parse(&owner, paths[i].path, false);
		assert_int_equal(owner.kind, paths[i].kind);
		assert_string_equal(owner.id, paths[i].id);
		assert_string_equal(owner.pod_uid, paths[i].pod_uid);
		assert_string_equal(owner.unit, paths[i].unit);
		assert_int_equal(owner.uid, paths[i].uid);
	}
}

TEST("a path of Slurm tells job and step, also in a PID namespace")
{
	static const struct {
		const char *path, *job, *step;
		uid_t uid;
	} some[] = {
		{ "/system.slice/slurmstepd.scope/job_7/step_0/user/task_0", "7", "0", -1 },
		{ "/system.slice/node1_slurmstepd.scope/job_7/step_batch/user", "7", "batch", -1 },
		{ "/system.slice/slurmstepd.scope/job_7/step_0/user/docker/" ID, "7", "0", -1 },
		{ "/slurm/uid_1000/job_8/step_extern/task_0", "8", "extern", 1000 },
		{ "/slurm_node1/uid_1000/job_8", "8", "", 1000 },
		{ "/system.slice/slurmstepd.scope/s5K1KKYAYG5D00/step_0/user/task_0",
		  "s5K1KKYAYG5D00", "0", -1 },
		{ "/slurm/uid_1000/s5K1KKYAYG5D00", "s5K1KKYAYG5D00", "", 1000 },
		{ "/slurm/uid_1000/s5K1KKYAYG5Dx0", "", "", -1 },
		{ "/slurm/uid_1000/job_x/step_0", "", "", -1 },
		{ "/slurm/uid_x/job_8/step_0", "", "", -1 },
	};
	struct owner owner;
	size_t i;

	for (i = 0; i < 2 * sizeof(some) / sizeof(*some); i++) {
		print_message("%s\n", some[i / 2].path);
		cgroup_parse(&owner, some[i / 2].path, i % 2);
		assert_int_equal(owner.kind == OWNER_SLURM, *some[i / 2].job != '\0');
		assert_string_equal(owner.job, some[i / 2].job);
		assert_string_equal(owner.step, some[i / 2].step);
		assert_int_equal(owner.uid, some[i / 2].uid);
	}
}

TEST("the first group below a unit tells jobs of other batch systems apart")
{
	static const struct {
		const char *path, *unit, *job;
	} some[] = {
		{ "/pbs_jobs.service/jobid/12.head", "pbs_jobs.service", "12.head" },
		{ "/pbs_jobs.service/jobid", "pbs_jobs.service", "" },
		{ "/system.slice/condor.service/htcondor/condor_slot1_1@n1/x", "condor.service",
		  "condor_slot1_1@n1" },
		{ "/system.slice/htcondor/condor_slot1_2@n1", "htcondor", "condor_slot1_2@n1" },
		{ "/system.slice/batch.service/7/y", "batch.service", "7" },
		{ "/system.slice/slurmstepd.scope/system", "slurmstepd.scope", "" },
		{ "/system.slice/a.service/b.service", "a.service", "" },
		{ "/system.slice/batch.service/x/docker-" ID ".scope", "batch.service", "" },
	};
	struct owner owner;
	size_t i;

	for (i = 0; i < sizeof(some) / sizeof(*some); i++) {
		print_message("%s\n", some[i].path);
		cgroup_parse(&owner, some[i].path, false);
		assert_string_equal(owner.unit, some[i].unit);
		assert_string_equal(owner.job, some[i].job);
	}
	cgroup_parse_file(&owner, "9:cpu:/system.slice/pbs.service\n"
			  "2:memory:/pbs_jobs.service/jobid/12.head\n", false);
	assert_string_equal(owner.job, "12.head");
}

TEST("a process with a PID namespace of its own is in a container")
{
	static const struct {
		const char *path, *id;
		enum owner_kind kind;
	} some[] = {
		{ "/box", "box", OWNER_CONTAINER },
		{ "/user.slice/user-0.slice/session-1.scope/box", "box", OWNER_CONTAINER },
		{ "/system.slice/runc-box.scope", "box", OWNER_CONTAINER },
		{ "/system.slice/docker-" ID ".scope/x", ID, OWNER_DOCKER },
		{ "/machine.slice/systemd-nspawn@box.service/payload", "box", OWNER_CONTAINER },
		{ "/machine.slice/machine-box.scope/payload", "box", OWNER_CONTAINER },
		{ "/system.slice/a.service/payload", "a", OWNER_CONTAINER },
		{ "/system.slice/a.service/payload/system.slice/b.service", "a", OWNER_CONTAINER },
		{ "/lxc/box/system.slice", "box", OWNER_CONTAINER },
		/* A group of a login, or of a service, which sandboxes itself, is not named so. */
		{ "/user.slice/user-0.slice/session-1.scope", "", OWNER_NONE },
		{ "/system.slice/a.service", "", OWNER_UNIT },
		{ "/", "", OWNER_NONE },
		{ "/../..", "", OWNER_NONE },
	};
	struct owner owner;
	size_t i;

	for (i = 0; i < sizeof(some) / sizeof(*some); i++) {
		print_message("%s\n", some[i].path);
		cgroup_parse(&owner, some[i].path, true);
		assert_int_equal(owner.kind, some[i].kind);
		assert_string_equal(owner.id, some[i].id);
	}
}

TEST("the hierarchy that says most counts")
{
	static const struct {
		const char *file, *id, *unit, *job;
		enum owner_kind kind;
		uid_t uid;
	} some[] = {
		{ "0::/system.slice/docker-" ID ".scope\n", ID, "", "", OWNER_DOCKER, -1 },
		{ "12:pids:/\n11:memory:/docker/" ID "\n"
		  "1:name=systemd:/system.slice/docker.service\n0::/", ID, "", "", OWNER_DOCKER, -1 },
		{ "3:pids:/\n1:name=systemd:/system.slice/a.service\n0::/",
		  "", "a.service", "", OWNER_UNIT, -1 },
		{ "3:pids:/\n1:name=systemd:/user.slice/user-7.slice/session-1.scope\n0::/",
		  "", "", "", OWNER_NONE, 7 },
		/* A user may make groups in some of them, as with Slurm's ssh sessions. */
		{ "1:name=systemd:/user.slice/user-7.slice/user@7.service/docker-" ID ".scope\n"
		  "2:memory:/slurm/uid_7/job_42/step_extern\n", "", "", "42", OWNER_SLURM, 7 },
		{ "no colon\n:\n0:\n::\n\n", "", "", "", OWNER_NONE, -1 },
	};
	struct owner owner;
	size_t i;

	for (i = 0; i < sizeof(some) / sizeof(*some); i++) {
		print_message("%s\n", some[i].file);
		cgroup_parse_file(&owner, some[i].file, false);
		assert_int_equal(owner.kind, some[i].kind);
		assert_string_equal(owner.id, some[i].id);
		assert_string_equal(owner.unit, some[i].unit);
		assert_string_equal(owner.job, some[i].job);
		assert_int_equal(owner.uid, some[i].uid);
	}
}

/* Groups below one that is not root's are the choice of whoever has it. */
TEST("names below a group that is not root's are not believed")
{
	static const struct {
		const char *file, *unit;
		enum owner_kind kind;
	} some[] = {
		{ "0::/system.slice/ci.service/docker-" ID ".scope", "ci.service", OWNER_UNIT },
		{ "0::/system.slice/ci.service/x/libpod-payload-" ID, "ci.service", OWNER_UNIT },
		{ "0::/system.slice/ci.service/slurmstepd.scope/job_7", "ci.service", OWNER_UNIT },
		{ "0::/system.slice/web.service/libpod-payload-" ID, "web.service", OWNER_PODMAN },
		{ "0::/jobs/sshd.service", "", OWNER_NONE },
		{ "2:memory:/jobs/" ID, "", OWNER_NONE },
		{ "2:memory:/other/" ID, "", OWNER_CONTAINER },
		{ "2:memory:/nowhere/x/" ID, "", OWNER_NONE },
		{ "1:name=systemd:/other/" ID, "", OWNER_CONTAINER },
		{ "0::/user.slice/user-7.slice/user@7.service/x/" ID, "", OWNER_CONTAINER },
		{ "0::/jobs/user.slice/user-7.slice/x/" ID, "", OWNER_NONE },
	};
	struct owner owner;
	size_t i;

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
	for (i = 0; i < sizeof(some) / sizeof(*some); i++) {
		print_message("%s\n", some[i].file);
		cgroup_parse_file(&owner, some[i].file, false);
		assert_int_equal(owner.kind, some[i].kind);
		assert_string_equal(owner.unit, some[i].unit);
	}
	/* Version 2 is mounted elsewhere beside cgroup v1. */
	add_text("/sys/fs/cgroup/unified/f", "");
	cgroup_parse_file(&owner, "0::/system.slice/web.service/libpod-payload-" ID, false);
	assert_int_equal(owner.kind, OWNER_NONE);
}
