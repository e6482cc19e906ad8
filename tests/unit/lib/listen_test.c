// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/listen.c: which addresses there are.
 */
#include <sys/stat.h>

#include "lib/listen.h"
#include "tests/unit/unit.h"

TEST("a free port is chosen and told; a used one is refused")
{
	char why[WHY_SIZE], address[LISTEN_ADDRESS], again[LISTEN_ADDRESS];
	int sock;

	sock = listen_open("127.0.0.1:0", why);
	assert_true(sock >= 0);
	listen_address(sock, address);
	assert_ptr_equal(strstr(address, "127.0.0.1:"), address);
	assert_string_not_equal(address, "127.0.0.1:0");
	assert_int_equal(listen_open(address, why), -EADDRINUSE);
	assert_non_null(strstr(why, address));
	close(sock);
	sock = listen_open(address, why);
	assert_true(sock >= 0);
	listen_address(sock, again);
	assert_string_equal(again, address);
	close(sock);
}

TEST("an IPv6 address can be listened on")
{
	char why[WHY_SIZE], address[LISTEN_ADDRESS];
	int sock = listen_open("[::1]:0", why);

	/* A machine without IPv6 says so. */
	if (sock == -EADDRNOTAVAIL || sock == -EAFNOSUPPORT) {
		assert_non_null(strstr(why, "[::1]:0: "));
		return;
	}
	assert_true(sock >= 0);
	listen_address(sock, address);
	assert_ptr_equal(strstr(address, "[::1]:"), address);
	close(sock);
}

TEST("the address of all families takes IPv4, too; a path is taken again and again, by all")
{
	char path[] = "/tmp/mpu-listen-XXXXXX", why[WHY_SIZE], address[LISTEN_ADDRESS];
	int sock = listen_open("[::]:0", why), again, client;
	struct stat stat;

	assert_true(sock >= 0);
	listen_address(sock, address);
	snprintf(path, sizeof(path), "127.0.0.1:%s", strrchr(address, ':') + 1);
	client = listen_connect(path, 1);
	assert_true(client >= 0);
	close(client);
	close(sock);
	assert_int_equal(listen_connect(path, 1), -ECONNREFUSED);

	strcpy(path, "/tmp/mpu-listen-XXXXXX");
	assert_non_null(mkdtemp(path));
	snprintf(address, sizeof(address), "%s/socket", path);
	sock = listen_open(address, why);
	assert_true(sock >= 0);
	assert_int_equal(listen_open(address, why), -EADDRINUSE);
	close(sock);
	again = listen_open(address, why);
	assert_true(again >= 0);
	assert_false(lstat(address, &stat));
	assert_int_equal(stat.st_mode & 0777, 0666);
	client = listen_connect(address, 1);
	assert_true(client >= 0);
	listen_address(again, why);
	assert_non_null(strstr(why, address));
	unlink(address);
	assert_int_equal(listen_connect(address, 1), -ENOENT);
	rmdir(path);
	close(client);
	close(again);
}

TEST("a wrong address is refused")
{
	static const char *const none[] = {
		"", ":", ":80", "80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
		"127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1", "127.0.0.1:1x",
		"127.0.0.1:99999999999999999999", "127.0.0:80", "localhost:80",
		"::1:80", "[::1]", "[::1:80", "::1]:80", "[]:80", "[127.0.0.1]:80",
		"[0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000]:80",
	};
	char why[WHY_SIZE];

	each_row(row, none)
		assert_int_equal(listen_open(*row, why), -EINVAL);
}
