// SPDX-License-Identifier: GPL-2.0-only
/*
 * ld.so.cache: the layout is that of glibc's sysdeps/generic/dl-cache.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"
#include "nvidia/internal.h"

#define OLD_MAGIC	"ld.so-1.7.0"
#define NEW_MAGIC	"glibc-ld.so.cache1.1"

/* Header and entries of the old format. */
#define OLD_HEADER	16
#define OLD_COUNT	12
#define OLD_ENTRY	12

struct header {
	char magic[20];
	uint32_t n;
	uint32_t strings;	/* their size */
	uint8_t order;		/* of bytes; older glibc leaves 0 there */
	uint8_t unused[3];
	uint32_t extensions;	/* where they are in the file; 0: none */
	uint32_t unused2[3];
};

#define ORDER_LITTLE	2

struct record {
	uint32_t flags;
	uint32_t key, path;
	uint32_t system;
	uint64_t hwcap;
};

/* An entry is for CPUs of a glibc-hwcaps folder, whose index is its low half. */
#define HWCAP_EXTENSION	(1ull << 62)

struct extensions {
	uint32_t magic;
	uint32_t n;
};

#define EXTENSIONS_MAGIC	0xeaa42174u

struct extension {
	uint32_t tag;
	uint32_t flags;
	uint32_t offset;	/* in the file */
	uint32_t size;
};

#define TAG_HWCAPS	1

/* More sections than any glibc knows: 2. */
#define EXTENSIONS_MAX	16

_Static_assert(sizeof(struct header) == 48 && sizeof(struct record) == 24, "the file's own layout");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "entries are read as the file has them");

/* Finds the list of glibc-hwcaps folders; one that is broken is none. */
static void find_hwcaps(struct ldcache *cache, size_t at)
{
	struct extensions head;
	struct extension extension;
	uint32_t i;

	if (!at || at > cache->file_size || cache->file_size - at < sizeof(head))
		return;
	memcpy(&head, cache->file + at, sizeof(head));
	at += sizeof(head);
	if (head.magic != EXTENSIONS_MAGIC || head.n > EXTENSIONS_MAX)
		return;
	for (i = 0; i < head.n; i++, at += sizeof(extension)) {
		if (cache->file_size - at < sizeof(extension))
			return;
		memcpy(&extension, cache->file + at, sizeof(extension));
		if (extension.tag == TAG_HWCAPS &&
		    extension.offset <= cache->file_size &&
		    extension.size <= cache->file_size - extension.offset) {
			cache->hwcaps = extension.offset;
			cache->n_hwcaps = extension.size / sizeof(uint32_t);
		}
	}
}

/* Returns the new format, which begins behind the old one. */
static size_t skip_old(const unsigned char *bytes, size_t size)
{
	uint32_t n;

	if (size < OLD_HEADER || memcmp(bytes, OLD_MAGIC, strlen(OLD_MAGIC)))
		return 0;
	memcpy(&n, bytes + OLD_COUNT, sizeof(n));
	return (OLD_HEADER + (size_t)n * OLD_ENTRY + 7) & ~(size_t)7;
}

int ldcache_open(struct ldcache *cache, const void *bytes, size_t size)
{
	size_t at = skip_old(bytes, size);
	struct header header;

	*cache = (struct ldcache){ .file = bytes, .file_size = size };
	if (at > size || size - at < sizeof(header))
		return -EINVAL;
	cache->base = cache->file + at;
	cache->size = size - at;
	memcpy(&header, cache->base, sizeof(header));
	if (memcmp(header.magic, NEW_MAGIC, sizeof(header.magic)) ||
	    (header.order && header.order != ORDER_LITTLE) ||
	    (cache->size - sizeof(header)) / sizeof(struct record) < header.n)
		return -EINVAL;
	cache->n = header.n;
	find_hwcaps(cache, header.extensions);
	return 0;
}

/* The string at an offset from the header, or NULL. */
static const char *get_string(const struct ldcache *cache, uint32_t at)
{
	const char *text;
	size_t left;

	if (at >= cache->size)
		return NULL;
	text = (const char *)cache->base + at;
	left = cache->size - at;
	return memchr(text, '\0', left < PATH_MAX ? left : PATH_MAX) ? text : NULL;
}

/*
 * Returns false if an entry leads out of the file, or a string has no end or is longer than a
 * path may be.
 */
bool ldcache_entry(const struct ldcache *cache, uint32_t i, struct ldcache_entry *entry)
{
	struct record record;

	if (i >= cache->n)
		return false;
	memcpy(&record, cache->base + sizeof(struct header) + i * sizeof(record), sizeof(record));
	*entry = (struct ldcache_entry){
		.key = get_string(cache, record.key),
		.path = get_string(cache, record.path),
		.flags = record.flags,
		.system = record.system,
		.hwcap = record.hwcap,
	};
	return entry->key && entry->path;
}

/* Name of a glibc-hwcaps folder: "x86-64-v3". */
static const char *get_hwcaps(const struct ldcache *cache, uint32_t i)
{
	uint32_t at;

	memcpy(&at, cache->file + cache->hwcaps + i * sizeof(at), sizeof(at));
	return get_string(cache, at);
}

/* A number in a name, as glibc counts it: what does not fit wraps around. */
static uint32_t read_number(const char **text)
{
	uint32_t number = 0;

	while (**text >= '0' && **text <= '9')
		number = number * 10 + (uint32_t)(*(*text)++ - '0');
	return number;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The order of glibc's _dl_cache_libcmp(): numbers count as numbers. */
static int compare_names(const char *a, const char *b)
{
	while (*a) {
		if (is_digit(*a) && is_digit(*b)) {
			uint32_t x = read_number(&a), y = read_number(&b);

			if (x != y)
				return (int32_t)(x - y) < 0 ? -1 : 1;
		} else if (is_digit(*a) || is_digit(*b)) {
			return is_digit(*a) ? 1 : -1;
		} else if (*a != *b) {
			return *a - *b;
		} else {
			a++;
			b++;
		}
	}
	return *a - *b;
}

/*
 * Names stand in descending order, and among equal ones flags do. (Among equal
 * flags it is the CPU's features; but there an added entry is the only one.)
 */
static bool stands_before(const struct ldcache_entry *a, const struct ldcache_entry *b)
{
	int order = compare_names(a->key, b->key);

	return order ? order > 0 : a->flags >= b->flags;
}

static bool is_replaced(const struct ldcache_entry *entry,
			const struct ldcache_entry *added, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (entry->flags == added[i].flags && !strcmp(entry->key, added[i].key))
			return true;
	return false;
}

/* An index that the list of glibc-hwcaps folders does not have says nothing. */
static bool is_kept(const struct ldcache *cache, const struct ldcache_entry *entry)
{
	return !(entry->hwcap & HWCAP_EXTENSION) ||
	       ((uint32_t)entry->hwcap < cache->n_hwcaps &&
		get_hwcaps(cache, (uint32_t)entry->hwcap));
}

static size_t insert(struct ldcache_entry *list, size_t n, const struct ldcache_entry *entry)
{
	size_t at = 0;

	while (at < n && stands_before(&list[at], entry))
		at++;
	memmove(list + at + 1, list + at, (n - at) * sizeof(*list));
	list[at] = *entry;
	return n + 1;
}

/* Returns how many entries are in @list, which has room for all. */
static size_t merge_entries(struct ldcache_entry *list,
			    const struct ldcache *cache,
			    const struct ldcache_entry *added, size_t n)
{
	size_t i, count = 0;

	for (i = 0; cache && i < cache->n; i++)
		if (ldcache_entry(cache, (uint32_t)i, &list[count]) &&
		    is_kept(cache, &list[count]) &&
		    !is_replaced(&list[count], added, n))
			count++;
	for (i = 0; i < n; i++)
		/* The later of two for the same counts. */
		if (added[i].path && !is_replaced(&added[i], added + i + 1, n - i - 1))
			count = insert(list, count, &added[i]);
	return count;
}

/**
 * struct output - a file that is being written
 * @at:		size so far; more than @room: it did not fit
 */
struct output {
	unsigned char *bytes;
	size_t room, at;
};

static void put(struct output *out, size_t at, const void *bytes, size_t size)
{
	if (at <= out->room && size <= out->room - at)
		memcpy(out->bytes + at, bytes, size);
}

static void align(struct output *out)
{
	static const char zeros[3];
	size_t pad = -out->at & 3;

	put(out, out->at, zeros, pad);
	out->at += pad;
}

static uint32_t add_string(struct output *out, const char *text)
{
	size_t at = out->at;

	put(out, at, text, strlen(text) + 1);
	out->at += strlen(text) + 1;
	return (uint32_t)at;
}

/* A key is the end of most paths: their strings can share its bytes. */
static void add_record(struct output *out, size_t i, const struct ldcache_entry *entry)
{
	size_t key = strlen(entry->key), path = strlen(entry->path);
	struct record record = {
		.flags = entry->flags,
		.system = entry->system,
		.hwcap = entry->hwcap,
	};

	record.path = add_string(out, entry->path);
	if (path >= key && !strcmp(entry->path + path - key, entry->key))
		record.key = record.path + (uint32_t)(path - key);
	else
		record.key = add_string(out, entry->key);
	put(out, sizeof(struct header) + i * sizeof(record), &record, sizeof(record));
}

/* The folders keep their indices, which entries name them by. */
static uint32_t add_hwcaps(struct output *out, const struct ldcache *cache)
{
	struct extensions head = { .magic = EXTENSIONS_MAGIC, .n = 1 };
	struct extension section = {
		.tag = TAG_HWCAPS,
		.size = cache->n_hwcaps * (uint32_t)sizeof(uint32_t),
	};
	size_t list, i;

	align(out);
	list = out->at;
	out->at += section.size;
	section.offset = (uint32_t)list;
	for (i = 0; i < cache->n_hwcaps && out->at <= out->room; i++) {
		const char *name = get_hwcaps(cache, (uint32_t)i);
		uint32_t at = add_string(out, name ? name : "");

		put(out, list + i * sizeof(at), &at, sizeof(at));
	}
	align(out);
	put(out, out->at, &head, sizeof(head));
	put(out, out->at + sizeof(head), &section, sizeof(section));
	out->at += sizeof(head) + sizeof(section);
	return (uint32_t)(out->at - sizeof(head) - sizeof(section));
}

static long write_entries(struct output *out, const struct ldcache *cache,
			  const struct ldcache_entry *list, size_t n)
{
	struct header header = { .n = (uint32_t)n, .order = ORDER_LITTLE };
	size_t i;

	memcpy(header.magic, NEW_MAGIC, sizeof(header.magic));
	out->at = sizeof(header) + n * sizeof(struct record);
	/* Offsets are of 32 bits; and strings may be many times those of @cache. */
	for (i = 0; i < n && out->at <= out->room; i++)
		add_record(out, i, &list[i]);
	header.strings = (uint32_t)(out->at - sizeof(header) - n * sizeof(struct record));
	if (cache && cache->n_hwcaps && out->at <= out->room)
		header.extensions = add_hwcaps(out, cache);
	put(out, 0, &header, sizeof(header));
	return out->at <= out->room ? (long)out->at : -E2BIG;
}

long ldcache_merge(const struct ldcache *cache,
		   const struct ldcache_entry *added, size_t n, void *out,
		   size_t room)
{
	struct output output = {
		.bytes = out,
		.room = room < INT32_MAX ? room : INT32_MAX,
	};
	struct ldcache_entry *list = xcalloc((cache ? cache->n : 0) + n + 1, sizeof(*list));
	long ret;

	ret = write_entries(&output, cache, list, merge_entries(list, cache, added, n));
	free(list);
	return ret;
}
