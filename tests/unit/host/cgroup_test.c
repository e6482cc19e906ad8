// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of host/cgroup.c: what the path of a control group says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "host/cgroup.h"

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
	  OWNER_UNIT, "", "", "jupyter.service", 1000 },
	{ "/system.slice/sshd.service", OWNER_UNIT, "", "", "sshd.service", -1 },
	{ "/system.slice/slurmstepd.scope/job_7/step_0/user/task_0",
	  OWNER_UNIT, "", "", "slurmstepd.scope", -1 },
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
	/* What only looks like it */
	{ "/user.slice/user-1000.slice/user-7.slice", OWNER_NONE, "", "", "", 1000 },
	{ "/user.slice/user-.slice/user-7x.slice/user-8", OWNER_NONE, "", "", "", -1 },
	{ "/user.slice/user-99999999999.slice", OWNER_NONE, "", "", "", -1 },
	{ "/docker/" ID "/user.slice/user-1000.slice/session-1.scope",
	  OWNER_DOCKER, ID, "", "", -1 },
	{ "/docker/0123", OWNER_NONE, "", "", "", -1 },
	{ "/docker/X" ID, OWNER_NONE, "", "", "", -1 },
	{ "/kubepods/podnone/" ID "0", OWNER_NONE, "", "", "", -1 },
	{ "//system.slice//a.service/", OWNER_UNIT, "", "", "a.service", -1 },
	{ "relative", OWNER_NONE, "", "", "", -1 },
	{ "", OWNER_NONE, "", "", "", -1 },
};

static void test_paths(void **state)
{
	struct cgroup cgroup;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		print_message("%s\n", paths[i].path);
		cgroup_parse(&cgroup, paths[i].path, false);
		assert_int_equal(cgroup.n, 1);
		assert_int_equal(cgroup.owner[0].kind, paths[i].kind);
		assert_string_equal(cgroup.owner[0].id, paths[i].id);
		assert_string_equal(cgroup.owner[0].pod_uid, paths[i].pod_uid);
		assert_string_equal(cgroup.owner[0].unit, paths[i].unit);
		assert_int_equal(cgroup.uid, paths[i].uid);
	}
}

/* A process with a PID namespace of its own is in a container, whoever made it. */
static void test_apart(void **state)
{
	static const struct {
		const char *path, *id;
	} some[] = {
		{ "/box", "box" },
		{ "/user.slice/user-0.slice/session-1.scope/box", "box" },
		{ "/system.slice/runc-box.scope", "box" },
		{ "/system.slice/docker-" ID ".scope/x", ID },
		{ "/machine.slice/systemd-nspawn@box.service/payload", "box" },
		{ "/machine.slice/machine-box.scope/payload", "box" },
		{ "/system.slice/a.service/payload", "a" },
		{ "/system.slice/a.service/payload/system.slice/b.service", "a" },
		{ "/lxc/box/system.slice", "box" },
		{ "/system.slice/slurmstepd.scope/job_7/step_0/user/task_0", "job_7" },
		{ "/slurm/uid_1000/job_8/step_batch", "job_8" },
	};
	struct cgroup cgroup;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(some) / sizeof(*some); i++) {
		cgroup_parse(&cgroup, some[i].path, true);
		assert_true(cgroup.owner[0].kind >= OWNER_CONTAINER);
		assert_string_equal(cgroup.owner[0].id, some[i].id);
	}
	/* That of a login, or of a service, which sandboxes itself, is not named so. */
	cgroup_parse(&cgroup, "/user.slice/user-0.slice/session-1.scope", true);
	assert_int_equal(cgroup.owner[0].kind, OWNER_NONE);
	cgroup_parse(&cgroup, "/system.slice/a.service", true);
	assert_int_equal(cgroup.owner[0].kind, OWNER_UNIT);
	cgroup_parse(&cgroup, "/", true);
	assert_int_equal(cgroup.owner[0].kind, OWNER_NONE);
	cgroup_parse(&cgroup, "/../..", true);
	assert_int_equal(cgroup.owner[0].kind, OWNER_NONE);
}

static void test_nested(void **state)
{
	struct cgroup cgroup;
	char path[1024] = "";
	int i;

	(void)state;
	cgroup_parse(&cgroup, "/docker/" ID "/docker/" ID2, false);
	assert_int_equal(cgroup.n, 2);
	assert_string_equal(cgroup.owner[0].id, ID2);
	assert_string_equal(cgroup.owner[1].id, ID);
	/* Kubernetes in docker, as of kind */
	cgroup_parse(&cgroup, "/system.slice/docker-" ID ".scope/kubelet.slice/"
		     "kubelet-kubepods.slice/kubelet-kubepods-pod" UID_
		     ".slice/cri-containerd-" ID2 ".scope", false);
	assert_int_equal(cgroup.n, 2);
	assert_string_equal(cgroup.owner[0].id, ID2);
	assert_string_equal(cgroup.owner[0].pod_uid, UID);
	assert_string_equal(cgroup.owner[1].pod_uid, "");
	for (i = 0; i < 9; i++)
		snprintf(path + strlen(path), sizeof(path) - strlen(path),
			 "/docker/%064d", i);
	cgroup_parse(&cgroup, path, false);
	assert_int_equal(cgroup.n, CGROUP_DEPTH);
	assert_int_equal(cgroup.owner[0].id[63], '8');
	assert_int_equal(cgroup.owner[3].id[63], '5');
}

/* Of several hierarchies the one counts that says most. */
static void test_hierarchies(void **state)
{
	struct cgroup cgroup;

	(void)state;
	cgroup_parse_file(&cgroup, "0::/system.slice/docker-" ID ".scope\n", false);
	assert_string_equal(cgroup.owner[0].id, ID);
	cgroup_parse_file(&cgroup, "12:pids:/\n11:memory:/docker/" ID "\n"
			  "1:name=systemd:/system.slice/docker.service\n0::/", false);
	assert_string_equal(cgroup.owner[0].id, ID);
	cgroup_parse_file(&cgroup, "3:pids:/\n1:name=systemd:/system.slice/a.service\n"
			  "0::/", false);
	assert_string_equal(cgroup.owner[0].unit, "a.service");
	cgroup_parse_file(&cgroup, "no colon\n:\n0:\n::\n\n", false);
	assert_int_equal(cgroup.owner[0].kind, OWNER_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_hierarchies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
