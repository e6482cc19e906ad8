// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of host/: who a process is, by the files of container engines and the
 * kubelet, on a host that is made of files. Linked with --wrap=text_file_read and
 * --wrap=opendir.
 */
#include <dirent.h>
#include <pthread.h>

#include "host/internal.h"
#include "lib/text_file.h"
#include "tests/unit/host/fixture.h"
#include "tests/unit/unit.h"

#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID2	"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID	"0a1b2c3d-1111-2222-3333-444455556666"
#define UID_	"0a1b2c3d_1111_2222_3333_444455556666"
#define BUNDLE	"io.containerd.runtime.v2.task/"

static const char *watched = "?";	/* the end of a path */
static unsigned int reads;		/* of that */
int __real_text_file_read(const char *path, struct text_file *file, char why[WHY_SIZE]);
int __wrap_text_file_read(const char *path, struct text_file *file, char why[WHY_SIZE]);
DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);

static void count_read(const char *path)
{
	size_t length = strlen(path), end = strlen(watched);

	reads += length >= end && !strcmp(path + length - end, watched);
}

int __wrap_text_file_read(const char *path, struct text_file *file, char why[WHY_SIZE])
{
	count_read(path);
	return __real_text_file_read(path, file, why);
}

DIR *__wrap_opendir(const char *path)
{
	count_read(path);
	return __real_opendir(path);
}

static struct host_reader *reader;

static int begin(void)
{
	make_host();
	reader = host_reader_open(true);
	return !reader;
}

static int end(void)
{
	host_reader_close(reader);
	return drop_host();
}

TEST_EACH(begin, end)

/* --- Text --- */

TEST("control characters and invalid UTF-8 are replaced")
{
	static const struct {
		const char *text, *clean;
	} some[] = {
		{ "python3 x.py", "python3 x.py" },
		{ "a\033[2Jb\nc\177", "a?[2Jb?c?" },
		{ "\xc3\xa4\xe4\xbd\xa0\xf0\x9f\x98\x80", "\xc3\xa4\xe4\xbd\xa0\xf0\x9f\x98\x80" },
		{ "x\xc2\x9b" "31m", "x??31m" },	/* CSI, of C1 */
		{ "\xff\xc0\xaf\xed\xa0\x80z", "??????z" },
		{ "a\xe2\x80\xae" "b\xe2\x80\x8b" "c\xef\xbb\xbf", "a???b???c???" },
		{ "\xc2\xad\xf3\xa0\x81\xa1\xc2\xae\xcc\x81", "??????\xc2\xae\xcc\x81" },
		{ "\xe2\x80\x8a\xe2\x80\xa7\xe2\x81\xb0", "\xe2\x80\x8a\xe2\x80\xa7\xe2\x81\xb0" },
		{ "cut \xe4\xbd", "cut " },
		{ "cut \xe4", "cut " },
		{ "\xe4zz", "?zz" },
		{ "", "" },
	};
	char text[64];

	each_row(row, some) {
		strcpy(text, row->text);
		text_clean(text);
		assert_string_equal(text, row->clean);
	}
}

/* --- On a host made of files --- */

static const struct host_process *find_process(struct host_reader *one, pid_t pid)
{
	const struct host_process *process;

	host_reader_read(one, &pid, 1, &process);
	return process;
}

/* The owner that a new reader finds of a process in this group. */
static const struct owner *find_owner(const char *cgroup)
{
	char text[1024];

	snprintf(text, sizeof(text), "0::%s\n", cgroup);
	add_process(100, 100, 1000, text);
	host_reader_close(reader);
	reader = host_reader_open(true);
	assert_non_null(reader);
	return find_process(reader, 100)->owner;
}

/* The owner of a process in this group has this kind and these names; returns it. */
static const struct owner *check_owner(const char *cgroup, enum owner_kind kind, const char *name,
				       const char *pod, const char *namespace)
{
	const struct owner *owner = find_owner(cgroup);

	assert_int_equal(owner->kind, kind);
	assert_string_equal(owner->container, name);
	assert_string_equal(owner->pod, pod);
	assert_string_equal(owner->namespace, namespace);
	return owner;
}

TEST("a process has its user, command, start and owner")
{
	const struct host_process *process;

	add_process(100, 5, 1000, "0::/box\n");
	process = find_process(reader, 100);
	assert_int_equal(process->pid, 100);
	assert_int_equal(process->own_pid, 5);
	assert_int_equal(process->uid, 1000);
	assert_string_equal(process->user, "ann");
	assert_string_equal(process->name, "a) (b");
	assert_string_equal(process->command, "python3 train.py --x");
	assert_false(process->is_gone);
	assert_int_equal(process->started_us,
			 1700000000ull * 1000000 + 150 * 1000000ull / (uint64_t)sysconf(_SC_CLK_TCK));
	assert_int_equal(process->owner->kind, OWNER_CONTAINER);
	assert_string_equal(process->owner->id, "box");
	assert_string_equal(process->owner->container, "box");

	add_process(101, 101, 4242, "0::/\n");
	add_text("/proc/101/cmdline", "");
	process = find_process(reader, 101);
	assert_string_equal(process->user, "4242");
	assert_string_equal(process->command, "a) (b");
	assert_int_equal(process->owner->kind, OWNER_NONE);

	process = find_process(reader, 102);
	assert_true(process->is_gone);
	assert_int_equal(process->pid, 102);
	assert_string_equal(process->user, "");
	assert_int_equal(process->owner->kind, OWNER_NONE);
}

TEST("files of a process that are empty or broken do no harm")
{
	static const char *const texts[] = { "", "\n", "100", "100 (", "100 )a(", "100 (a)",
		"100 (a) S", "Uid:", "\nUid:\t\nNStgid:\t\n", "\nNStgid:\tx\n",
		"\nUid:\t99999999999999999999 -1\nNStgid:\t-5\n", "0::", ":::::" };
	static const char *const files[] = { "stat", "status", "cmdline", "cgroup" };
	char path[64];

	each_row(text, texts)
		each_row(file, files) {
			struct host_reader *one = host_reader_open(true);
			const struct host_process *process;

			add_process(100, 100, 0, "0::/\n");
			snprintf(path, sizeof(path), "/proc/100/%s", *file);
			add_text(path, *text);
			process = find_process(one, 100);
			assert_int_equal(process->pid, 100);
			assert_false(process->is_gone);
			host_reader_close(one);
		}
}

TEST("a container of docker has its name in docker's files")
{
	const struct owner *owner;

	check_owner("/docker/" ID, OWNER_DOCKER, "", "", "");
	add_text("/var/lib/docker/containers/" ID "/config.v2.json",
		 "{\"ID\":\"" ID "\",\"Config\":{\"Labels\":{\"a\":\"b\"}},\"Name\":\"/web\"}");
	owner = check_owner("/docker/" ID, OWNER_DOCKER, "web", "", "");
	assert_string_equal(owner->id, ID);
	/* A group of the user's choice */
	check_owner("/jobs/" ID, OWNER_DOCKER, "web", "", "");
	/* A container that the host does not know */
	owner = check_owner("/docker/" ID "/docker/" ID2, OWNER_DOCKER, "web", "", "");
	assert_string_equal(owner->id, ID);
	/* Moved elsewhere */
	add_text("/etc/docker/daemon.json", "{\"data-root\":\"/big/docker\"}");
	add_text("/big/docker/containers/" ID2 "/config.v2.json", "{\"Name\":\"/moved\"}");
	check_owner("/docker/" ID2, OWNER_DOCKER, "moved", "", "");
	/* A name is not what a label says. */
	add_text("/big/docker/containers/" ID2 "/config.v2.json",
		 "{\"Name\":\"/moved\",\"Config\":{\"Labels\":{\"nerdctl/name\":\"web\","
		 "\"io.kubernetes.pod.name\":\"pod\",\"io.kubernetes.pod.namespace\":\"ns\","
		 "\"io.kubernetes.container.name\":\"main\"}}}");
	check_owner("/docker/" ID2, OWNER_DOCKER, "moved", "", "");
	/* A container of dockershim */
	add_text("/var/lib/docker/containers/" ID "/config.v2.json",
		 "{\"Name\":\"/k8s_main_pod_ns_uid_0\",\"Config\":{\"Labels\":{"
		 "\"io.kubernetes.pod.name\":\"pod\",\"io.kubernetes.pod.namespace\":\"ns\","
		 "\"io.kubernetes.container.name\":\"main\"}}}");
	check_owner("/kubepods/pod" UID "/" ID, OWNER_DOCKER, "main", "pod", "ns");
}

TEST("broken files of container engines give no name")
{
	static const char *const texts[] = { "", "{", "[]", "3", "null", "{}", "{\"Name\":3}",
		"{\"Name\":{}}", "{\"Name\":null,\"Config\":[]}",
		"{\"Config\":{\"Labels\":[\"nerdctl/name\"]}}", "{\"Name\":\"\"}", "\xff\xfe" };

	each_row(row, texts) {
		add_text("/var/lib/docker/containers/" ID "/config.v2.json", *row);
		add_text("/etc/docker/daemon.json", *row);
		add_text("/var/lib/containers/storage/overlay-containers/containers.json", *row);
		add_text("/run/containerd/" BUNDLE "default/" ID "/config.json", *row);
		assert_string_equal(find_owner("/docker/" ID)->container, "");
		assert_string_equal(find_owner("/any/" ID)->container, "");
	}
	/* A name is nothing that steers a terminal. */
	add_text("/var/lib/docker/containers/" ID "/config.v2.json",
		 "{\"Name\":\"/a\\u001b[2Jb\"}");
	assert_string_equal(find_owner("/docker/" ID)->container, "a?[2Jb");
}

TEST("a container of podman has its name in podman's lists")
{
	static const char list[] = "[{\"id\":\"" ID2 "\",\"names\":[\"other\"]},{\"id\":\"" ID
		"\",\"names\":[\"db\"],\"image\":\"x\"},{},3,null,{\"id\":3,\"names\":4}]";

	add_text("/var/lib/containers/storage/overlay-containers/containers.json", list);
	check_owner("/machine.slice/libpod-" ID ".scope/container", OWNER_PODMAN, "db", "", "");
	check_owner("/any/" ID2, OWNER_PODMAN, "other", "", "");
	/* A container of podman run --rm */
	add_text("/var/lib/containers/storage/overlay-containers/containers.json", "[]");
	add_text("/var/lib/containers/storage/overlay-containers/volatile-containers.json", list);
	assert_string_equal(find_owner("/machine.slice/libpod-" ID ".scope")->container, "db");
}

#define LIST(name)	"[{\"id\":\"" ID "\",\"names\":[\"" name "\"]}]"

TEST("podman's lists are found by storage.conf, for any storage driver")
{
	static const char group[] = "/machine.slice/libpod-" ID ".scope";

	add_text("/var/lib/containers/storage/btrfs-containers/volatile-containers.json",
		 LIST("plain"));
	add_text("/var/lib/containers/storage/btrfs-containers.json", "[]");
	assert_string_equal(find_owner(group)->container, "plain");
	/* The distribution's configuration, then this machine's */
	add_text("/big/overlay-containers/containers.json", LIST("big"));
	add_text("/usr/share/containers/storage.conf", "[storage]\ngraphroot = \"/big\"\n");
	assert_string_equal(find_owner(group)->container, "big");
	add_text("/moved/vfs-containers/containers.json", LIST("moved"));
	add_text("/etc/containers/storage.conf", "[storage]\ngraphroot = \"/moved\"\n");
	assert_string_equal(find_owner(group)->container, "moved");
}

TEST("a storage.conf that makes no sense counts as none")
{
	static const char *const texts[] = { "", "[", "storage = 3", "[storage]",
		"[storage]\ngraphroot = 3", "[storage]\ngraphroot = \"\"" };

	add_text("/var/lib/containers/storage/overlay-containers/containers.json", LIST("db"));
	each_row(row, texts) {
		add_text("/etc/containers/storage.conf", *row);
		assert_string_equal(find_owner("/libpod_parent/libpod-" ID)->container, "db");
	}
}

/*
 * Below a user's slice nothing that the host knows of others is looked up, and no home is
 * read: neither ids nor the files in it are more than the user's word.
 */
TEST("a container below a user's slice gets no name from the host")
{
	static const char *const groups[] = {
		"docker-" ID ".scope", "libpod-" ID ".scope", "crio-" ID ".scope", "x/" ID,
		"kubepods.slice/kubepods-pod" UID_ ".slice/cri-containerd-" ID ".scope",
	};
	const struct owner *owner;
	char group[256];

	add_text("/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/web\"}");
	add_text("/var/lib/containers/storage/overlay-containers/containers.json", LIST("db"));
	add_text("/var/log/containers/train-0_ml_main-" ID ".log", "");
	add_text("/var/log/pods/ml_train-0_" UID "/main/0.log", "");
	add_text("/home/ann/.local/share/docker/containers/" ID "/config.v2.json",
		 "{\"Name\":\"/web\"}");
	watched = "/home/ann/.local/share/docker/containers/" ID "/config.v2.json";
	reads = 0;
	each_row(row, groups) {
		snprintf(group, sizeof(group),
			 "/user.slice/user-1000.slice/user@1000.service/%s", *row);
		owner = find_owner(group);
		assert_int_equal(owner->uid, 1000);
		assert_true(owner_is_users(owner));
		assert_string_equal(owner->id, ID);
		assert_string_equal(owner->container, "");
		assert_string_equal(owner->pod, "");
		assert_string_equal(owner->namespace, "");
		assert_string_equal(owner->pod_uid, "");
	}
	assert_int_equal(reads, 0);
	watched = "?";
	/* A name may have as many characters, which are not all digits. */
	assert_string_equal(find_owner("/user.slice/user-1000.slice/x/runc-z" ID ".scope")->container,
			    "z0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde");
	/* Root's own are as any. */
	assert_string_equal(find_owner("/user.slice/user-0.slice/session-1.scope/docker-" ID
				       ".scope")->container, "main");
}

TEST("a user's slice, or a job, says whose a process is")
{
	static const struct {
		const char *cgroups;
		unsigned int uid;
		const char *user;
	} some[] = {
		{ "0::/user.slice/user-1000.slice/session-3.scope\n", 0, "ann" },
		{ "0::/user.slice/user-1000.slice/user@1000.service/a.service\n", 100999, "ann" },
		{ "0::/user.slice/user-0.slice/session-3.scope\n", 1000, "ann" },
		{ "0::/system.slice/slurmstepd.scope/job_7/step_0\n", 1000, "ann" },
		{ "2:memory:/slurm/uid_1000/job_8/step_0\n", 100999, "ann" },
		{ "0::/system.slice/a.service\n", 4242, "4242" },
		{ "0::/docker/" ID "/user.slice/user-1000.slice/x\n", 0, "root" },
	};
	int i;

	for (i = 0; i < (int)(sizeof(some) / sizeof(*some)); i++) {
		add_process(100 + i, 100 + i, some[i].uid, some[i].cgroups);
		assert_string_equal(find_process(reader, 100 + i)->user, some[i].user);
	}
	assert_int_equal(find_process(reader, 100)->uid, 1000);
	assert_int_equal(find_process(reader, 101)->uid, 1000);
}

TEST("a new name of a user is seen; the first of one number counts")
{
	char users[40000 * 24], *at = users;
	int i;

	add_process(100, 100, 1000, "0::/\n");
	add_process(101, 101, 20001, "0::/\n");
	assert_string_equal(find_process(reader, 100)->user, "ann");
	assert_string_equal(find_process(reader, 101)->user, "20001");
	for (i = 20000; i > 0; i--)
		at += sprintf(at, "u%d:x:%d:0::/:\n", i, i);
	strcpy(at, "bob:x:1000:0::/:\n");
	add_text("/etc/passwd", users);
	host_reader_sweep(reader);
	assert_string_equal(find_process(reader, 100)->user, "u1000");
	assert_string_equal(find_process(reader, 101)->user, "20001");
	add_text("/etc/passwd", "carol:x:1000:0::/:\nroot:x:0:0::/:\n");
	host_reader_sweep(reader);
	assert_string_equal(find_process(reader, 100)->user, "carol");
}

/* Return: NULL: each user has the name of its number */
static void *read_users(void *wrong)
{
	struct passwd_names names = { 0 };
	size_t i = 0;

	passwd_refresh(&names);
	while (i < names.n && names.user[i].uid == (uid_t)atoi(names.user[i].name + 1))
		i++;
	if (i == names.n)
		wrong = NULL;
	passwd_free(&names);
	return wrong;
}

TEST("two threads that read the users get each its own")
{
	char users[4000 * 24], *at = users;
	pthread_t thread;
	void *wrong;
	int i;

	for (i = 1; i < 4000; i++)
		at += sprintf(at, "u%d:x:%d:0::/:\n", i, i);
	add_text("/etc/passwd", users);
	for (i = 0; i < 20; i++) {
		assert_int_equal(pthread_create(&thread, NULL, read_users, users), 0);
		assert_null(read_users(users));
		assert_int_equal(pthread_join(thread, &wrong), 0);
		assert_null(wrong);
	}
}

TEST("annotations of its bundle name a container and its pod")
{
	const struct owner *owner;

	add_text("/run/containerd/" BUNDLE "k8s.io/" ID "/config.json",
		 "{\"annotations\":{\"io.kubernetes.cri.container-name\":\"main\","
		 "\"io.kubernetes.cri.sandbox-name\":\"pod-0\","
		 "\"io.kubernetes.cri.sandbox-namespace\":\"ml\"}}");
	owner = check_owner("/kubepods.slice/kubepods-pod" UID_ ".slice/cri-containerd-" ID ".scope",
			    OWNER_CONTAINERD, "main", "pod-0", "ml");
	assert_string_equal(owner->pod_uid, UID);
	add_text("/run/k3s/containerd/" BUNDLE "k8s.io/" ID2 "/config.json",
		 "{\"annotations\":{\"io.kubernetes.cri.container-name\":\"k3\"}}");
	assert_string_equal(find_owner("/kubepods/pod" UID "/" ID2)->container, "k3");
	add_text("/run/containerd/" BUNDLE "default/" ID2 "/config.json",
		 "{\"annotations\":{\"nerdctl/name\":\"nerd\"}}");
	check_owner("/default/" ID2, OWNER_CONTAINERD, "nerd", "", "");
	add_text("/run/containers/storage/overlay-containers/" ID "/userdata/config.json",
		 "{\"annotations\":{\"io.kubernetes.container.name\":\"c\","
		 "\"io.kubernetes.pod.name\":\"p\",\"io.kubernetes.pod.namespace\":\"n\"}}");
	check_owner("/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope",
		    OWNER_CRIO, "c", "p", "n");
}

TEST("the kubelet's log files name a container and its pod")
{
	static const char group[] = "/kubepods/pod" UID "/" ID;

	add_text("/var/log/pods/x", "");
	add_text("/var/log/pods/_/0.log", "");
	add_text("/var/log/pods/ml_train-0_" UID "/main/0.log", "");
	check_owner(group, OWNER_CONTAINERD, "", "train-0", "ml");
	add_text("/var/log/containers/x.log", "");
	add_text("/var/log/containers/-" ID ".log", "");
	add_text("/var/log/containers/a_b-" ID2 ".log", "");
	add_text("/var/log/containers/train-0_ml_main-" ID ".log", "");
	check_owner(group, OWNER_CONTAINERD, "main", "train-0", "ml");
}

TEST("the outer container counts, even if only the inner has a name")
{
	static const char in_pod[] = "/kubepods.slice/kubepods-pod" UID_
		".slice/cri-containerd-" ID ".scope/docker/" ID2;
	const struct owner *owner;

	owner = check_owner("/docker/" ID "/docker/" ID2, OWNER_DOCKER, "", "", "");
	assert_string_equal(owner->id, ID);
	/* Docker in a pod, of which first its name alone is known */
	add_text("/var/log/pods/ml_train-0_" UID "/main/0.log", "");
	owner = check_owner(in_pod, OWNER_CONTAINERD, "", "train-0", "ml");
	assert_string_equal(owner->id, ID);
	add_text("/var/log/containers/train-0_ml_main-" ID ".log", "");
	owner = check_owner(in_pod, OWNER_CONTAINERD, "main", "train-0", "ml");
	assert_string_equal(owner->id, ID);
	add_text("/var/lib/docker/containers/" ID2 "/config.v2.json", "{\"Name\":\"/web\"}");
	owner = check_owner(in_pod, OWNER_CONTAINERD, "main", "train-0", "ml");
	assert_string_equal(owner->id, ID);
}

/* --- What is remembered --- */

TEST("an owner that the last of many long lines names is found")
{
	char text[16 * 1024];

	sprintf(text, "2:a:/%04000d\n1:b:/%04000d\n0::/docker/" ID "\n", 0, 0);
	add_process(100, 100, 1000, text);
	assert_int_equal(find_process(reader, 100)->owner->kind, OWNER_DOCKER);
}

TEST("known processes and names are not read again")
{
	struct host_reader *one = host_reader_open(false);
	const struct host_process *process;
	const struct owner *owner;

	add_process(100, 100, 1000, "0::/docker/" ID "\n");
	add_process(101, 101, 1000, "0::/docker/" ID "\n");
	process = find_process(one, 100);
	owner = process->owner;
	assert_string_equal(owner->container, "");
	assert_ptr_equal(find_process(one, 101)->owner, owner);

	/* A known name is not read again; an unknown one is. */
	add_process(100, 100, 0, "0::/\n");
	add_text("/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/late\"}");
	host_reader_sweep(one);
	assert_ptr_equal(find_process(one, 100), process);
	assert_int_equal(process->uid, 1000);
	assert_string_equal(process->owner->container, "late");
	add_text("/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/other\"}");
	host_reader_sweep(one);
	assert_string_equal(find_process(one, 100)->owner->container, "late");

	/* Nobody asked for 101 since: it is forgotten, its owner is not. */
	host_reader_sweep(one);
	assert_ptr_equal(find_process(one, 100)->owner, owner);
	add_process(101, 101, 0, "0::/docker/" ID "\n");
	process = find_process(one, 101);
	assert_int_equal(process->uid, 0);
	assert_ptr_equal(process->owner, owner);

	/* A PID namespace of its own makes the difference in one control group. */
	add_process(102, 5, 0, "0::/box\n");
	add_process(103, 103, 0, "0::/box\n");
	assert_int_equal(find_process(one, 102)->owner->kind, OWNER_CONTAINER);
	assert_int_equal(find_process(one, 103)->owner->kind, OWNER_NONE);
	host_reader_close(one);
}

enum { MANY = 30 };

/* A container for each process: of docker, of podman, in a pod. */
static void add_many(void)
{
	char list[MANY * 100] = "[{}", cgroups[160], path[128];
	int i;

	for (i = 0; i < MANY; i++) {
		snprintf(cgroups, sizeof(cgroups), i % 3 == 0 ? "0::/docker/%064d\n" : i % 3 == 1 ?
			 "0::/libpod_parent/libpod-%064d\n" : "0::/kubepods/pod" UID "/%064d\n", i);
		add_process(100 + i, 100 + i, 1000, cgroups);
		snprintf(path, sizeof(path), "/var/lib/docker/containers/%064d/config.v2.json", i);
		if (i % 3 == 0)
			add_text(path, "{\"Name\":\"/docker\"}");
		if (i % 3 == 1)
			snprintf(list + strlen(list), sizeof(list) - strlen(list),
				 ",{\"id\":\"%064d\",\"names\":[\"p%d\"]}", i, i);
	}
	strcat(list, "]");
	add_text("/etc/docker/daemon.json", "{\"data-root\":\"/big\"}");
	add_text("/var/lib/containers/storage/overlay-containers/containers.json", list);
	add_text("/var/log/pods/ml_train-0_" UID "/main/0.log", "");
}

/* @wanted: how often that file or folder is read in @readings of the same processes */
static void check_many(const char *file, unsigned int readings, unsigned int wanted)
{
	const struct host_process *processes[MANY];
	struct host_reader *one = host_reader_open(true);
	pid_t pids[MANY];
	char name[16];
	int i;

	print_message("%s, %u readings\n", file, readings);
	watched = file;
	for (i = 0; i < MANY; i++)
		pids[i] = 100 + i;
	for (reads = 0; readings-- > 0;) {
		host_reader_sweep(one);
		host_reader_read(one, pids, MANY, processes);
	}
	assert_int_equal(reads, wanted);
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		assert_string_equal(processes[i]->owner->container, i % 3 == 0 ? "docker" :
				    i % 3 == 1 ? name : "");
		assert_string_equal(processes[i]->owner->pod, i % 3 == 2 ? "train-0" : "");
	}
	host_reader_close(one);
	watched = "?";
}

TEST("a file about many containers is read at most once a reading")
{
	add_many();
	check_many("/overlay-containers/containers.json", 1, 1);
	check_many("/overlay-containers/containers.json", 10, 1);
	check_many("/docker/daemon.json", 1, 1);
	check_many("/var/log/pods", 1, 1);
	check_many("/var/log/containers", 1, 1);
}

TEST("a missing name is looked for less and less often, until it comes")
{
	unsigned int i;

	add_process(100, 100, 1000, "0::/docker/" ID "\n");
	watched = "/var/lib/docker/containers/" ID "/config.v2.json";
	for (i = reads = 0; i < 50; i++) {
		assert_string_equal(find_process(reader, 100)->owner->container, "");
		assert_string_equal(find_process(reader, 100)->owner->id, ID);
		host_reader_sweep(reader);
	}
	assert_int_equal(reads, 7);	/* readings 0, 1, 3, 7, 15, 31, 47 */
	add_text(watched, "{\"Name\":\"/late\"}");
	for (i = 0; i < 16; i++) {
		find_process(reader, 100);
		host_reader_sweep(reader);
	}
	assert_string_equal(find_process(reader, 100)->owner->container, "late");
	assert_int_equal(reads, 8);
	watched = "?";
}

TEST("a PID that is used again is another process")
{
	const struct host_process *process;

	add_process(100, 100, 1000, "0::/docker/" ID "\n");
	assert_int_equal(find_process(reader, 100)->owner->kind, OWNER_DOCKER);
	end_process(100);
	/* Within one reading it is one process. */
	assert_false(find_process(reader, 100)->is_gone);
	host_reader_sweep(reader);
	process = find_process(reader, 100);
	assert_true(process->is_gone);
	assert_int_equal(process->owner->kind, OWNER_NONE);
	host_reader_sweep(reader);
	assert_true(find_process(reader, 100)->is_gone);
	add_process(100, 100, 0, "0::/system.slice/a.service\n");
	host_reader_sweep(reader);
	process = find_process(reader, 100);
	assert_false(process->is_gone);
	assert_string_equal(process->user, "root");
	assert_int_equal(process->owner->kind, OWNER_UNIT);
}

enum { CROWD_FIRST = 1000, CROWD = 1500 };

/* Every tenth has ended; users and containers are by number. */
static void check_crowd(struct host_reader *one)
{
	const struct host_process *processes[2 * CROWD], *process;
	pid_t pids[2 * CROWD];
	int i;

	for (i = 0; i < CROWD; i++)
		pids[i] = pids[CROWD + i] = CROWD_FIRST + i;
	host_reader_read(one, pids, 2 * CROWD, processes);
	for (i = 0; i < CROWD; i++) {
		process = processes[i];
		assert_ptr_equal(processes[CROWD + i], process);
		assert_int_equal(process->pid, CROWD_FIRST + i);
		assert_int_equal(process->is_gone, i % 10 == 0);
		if (process->is_gone)
			continue;
		assert_int_equal(process->own_pid, i);
		assert_int_equal(process->uid, i % 7);
		assert_int_equal(atoi(process->owner->id), i % 100);
		assert_ptr_equal(process->owner, processes[i % 100]->owner);
	}
}

TEST("1500 processes are read together, each with its own data")
{
	char cgroups[128];
	int i;

	for (i = 0; i < CROWD; i++) {
		snprintf(cgroups, sizeof(cgroups), "0::/docker/%064d\n", i % 100);
		if (i % 10)
			add_process(CROWD_FIRST + i, i, (unsigned int)i % 7, cgroups);
	}
	check_crowd(reader);
	host_reader_sweep(reader);
	check_crowd(reader);
}
