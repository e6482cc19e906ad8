// SPDX-License-Identifier: GPL-2.0-only
/*
 * The note of a libcuda.
 */
#include <fcntl.h>
#include <json-c/json.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/in_root.h"
#include "lib/json_file.h"
#include "lib/library.h"
#include "nvidia/internal.h"

#define NOTE		".note.cuda.fwd_compatibility"
#define NOTE_OWNER	"NVIDIA Corporation"
#define NOTE_SIZE	16384

static void read_branches(struct json_object *list, struct libcuda_note *note)
{
	size_t i, n = json_object_array_length(list);

	for (i = 0; i < n && note->n < LIBCUDA_BRANCHES; i++) {
		int64_t branch = json_object_get_int64(json_object_array_get_idx(list, i));

		if (branch > 0 && branch <= UINT32_MAX)
			note->branches[note->n++] = (uint32_t)branch;
	}
}

/*
 * In any case: NVIDIA's tools have "CUDA Version" and "Driver", its libraries "CUDA
 * version" and "driver" (580.95.05), which those take for the same.
 */
static bool find_member(struct json_object *root, const char *name,
			enum json_type type, struct json_object **value)
{
	*value = NULL;
	json_object_object_foreach(root, key, candidate)
		if (!strcasecmp(key, name))
			*value = candidate;
	return !*value || json_object_is_type(*value, type);
}

static void read_note(struct json_object *root, struct libcuda_note *note)
{
	struct json_object *cuda, *branches;

	if (!json_object_is_type(root, json_type_object) ||
	    !find_member(root, "CUDA version", json_type_string, &cuda) ||
	    !find_member(root, "driver", json_type_array, &branches))
		return;
	if (cuda && (size_t)json_object_get_string_len(cuda) < sizeof(note->cuda))
		strcpy(note->cuda, json_object_get_string(cuda));
	if (branches)
		read_branches(branches, note);
	note->found = 1;
}

int libcuda_note_parse(const void *bytes, size_t size, const void *arg, void *result)
{
	struct json_object *root;
	char text[NOTE_SIZE], why[WHY_SIZE];

	(void)arg;
	if (library_note(bytes, size, NOTE, NOTE_OWNER, text, sizeof(text)) ||
	    json_file_parse(text, strlen(text), &root, why))
		return 0;
	read_note(root, result);
	json_object_put(root);
	return 0;
}

/* Finds nothing in a file that cannot be read. */
void libcuda_read(struct libcuda_note *note, const struct driver_root *root, const char *path)
{
	int fd = in_root_open(root->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	struct stat file;
	void *bytes = MAP_FAILED;

	*note = (struct libcuda_note){ 0 };
	if (fd < 0)
		return;
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_size)
		bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return;
	libcuda_note_parse(bytes, (size_t)file.st_size, NULL, note);
	munmap(bytes, (size_t)file.st_size);
}
