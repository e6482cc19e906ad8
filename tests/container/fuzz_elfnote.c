// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: the note of a libcuda that an image brings, its ELF file, the SONAME
 * there, and its JSON.
 */
#include <elf.h>

#include "container/image/internal.h"
#include "lib/library.h"
#include "tests/container/random.h"
#include "tests/unit/stub.h"

/* The bytes of the note; behind a byte 0, the changes to its file. */
const char *const random_seeds[] = {
	"{\"Format\": 1, \"CUDA Version\": \"12.9\", \"Driver\": [535, 570], \"Device\": [1]}",
	"{\"CUDA Version\": \"12.9.1\", \"Driver\": []}",
	"{\"Driver\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 4294967296, -1, 0.5, \"7\", null]}",
	"{}", "[[[[", NULL,
};

static void check(const unsigned char *file, size_t size)
{
	struct libcuda_note note = { 0 };
	struct library library;

	library_parse(file, size, &library);
	library_free(&library);
	require(memchr(library.soname, '\0', sizeof(library.soname)));
	require(!libcuda_note_parse(file, size, NULL, &note));
	random_taken += note.found;
	require(note.n <= LIBCUDA_BRANCHES && memchr(note.cuda, '\0', sizeof(note.cuda)));
	/* No version is newer than itself. */
	require(!compat_is_newer(&note, "570.1", "570.1", NULL));
	require(!note.found || !compat_is_newer(&note, NULL, NULL, note.cuda));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[1024];
	const struct stub stub = {
		.machine = EM_X86_64, .is_64 = true, .soname = "libcuda.so.1",
		.need = "libc.so.6", .section = ".note.cuda.fwd_compatibility",
		.owner = "NVIDIA Corporation", .text = text,
	};
	size_t length = strnlen((const char *)data, size < sizeof(text) ? size : sizeof(text) - 1);
	unsigned char file[STUB_SIZE], *exact;

	memcpy(text, data, length);
	text[length] = '\0';
	stub_make(file, &stub);
	data += length;
	size -= length;
	/* Two bytes say where, a third what stands there. */
	for (; size >= 4; data += 3, size -= 3)
		file[((size_t)data[1] << 8 | data[2]) % STUB_SIZE] = data[3];
	/* A file that ends early: what is left over says where. */
	length = size == 3 ? ((size_t)data[1] << 8 | data[2]) % STUB_SIZE : STUB_SIZE;
	exact = malloc(length ?: 1);
	if (exact) {
		memcpy(exact, file, length);
		check(exact, length);
	}
	free(exact);
	return 0;
}
