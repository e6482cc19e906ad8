// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared libraries for tests, written out byte by byte: no compiler for other
 * architectures is needed.
 */
#include <elf.h>
#include <string.h>

#include "tests/unit/stub.h"

/* Offsets of everything in the file. */
enum {
	PROGRAM_HEADERS = 64, SECTION_HEADERS = 256, DYNAMIC = 512, NOTE = 768,
	STRINGS = 1024, SECTION_NAMES = 2048, TEXT = 3072
};

/* Numbers are written as ELF has them for 64 bits, or for 32. */
struct writer {
	unsigned char *at;
	bool is_64;
};

static void put(struct writer *writer, uint64_t value, size_t size)
{
	memcpy(writer->at, &value, size);
	writer->at += size;
}

static void put_word(struct writer *writer, uint64_t value)
{
	put(writer, value, writer->is_64 ? 8 : 4);
}

static void put_header(struct writer *writer, const struct stub *stub)
{
	static const unsigned char magic[4] = ELFMAG;

	memcpy(writer->at, magic, 4);
	writer->at[EI_CLASS] = stub->is_64 ? ELFCLASS64 : ELFCLASS32;
	writer->at[EI_DATA] = ELFDATA2LSB;
	writer->at[EI_VERSION] = EV_CURRENT;
	writer->at += EI_NIDENT;
	put(writer, ET_DYN, 2);
	put(writer, stub->machine, 2);
	put(writer, EV_CURRENT, 4);
	put_word(writer, 0);
	put_word(writer, PROGRAM_HEADERS);
	put_word(writer, SECTION_HEADERS);
	put(writer, 0, 4);
	put(writer, stub->is_64 ? 64 : 52, 2);
	put(writer, stub->is_64 ? 56 : 32, 2);
	put(writer, 3, 2);
	put(writer, stub->is_64 ? 64 : 40, 2);
	put(writer, 3, 2);
	put(writer, 2, 2);
}

static void put_program(struct writer *writer, uint32_t type, uint64_t at, uint64_t size)
{
	put(writer, type, 4);
	if (writer->is_64)
		put(writer, PF_R, 4);
	put_word(writer, at);
	put_word(writer, at);
	put_word(writer, at);
	put_word(writer, size);
	put_word(writer, size);
	if (!writer->is_64)
		put(writer, PF_R, 4);
	put_word(writer, 4);
}

static void put_section(struct writer *writer, uint32_t name, uint32_t type,
			uint64_t at, uint64_t size)
{
	put(writer, name, 4);
	put(writer, type, 4);
	put_word(writer, 0);
	put_word(writer, at);
	put_word(writer, at);
	put_word(writer, size);
	put(writer, 0, 4);
	put(writer, 0, 4);
	put_word(writer, 4);
	put_word(writer, 0);
}

static void put_note(struct writer *writer, const char *owner, uint32_t type,
		     const void *text, size_t size)
{
	put(writer, strlen(owner) + 1, 4);
	put(writer, size, 4);
	put(writer, type, 4);
	strcpy((char *)writer->at, owner);
	writer->at += (strlen(owner) + 4) & ~3ul;
	memcpy(writer->at, text, size);
	writer->at += (size + 3) & ~3ul;
}

static void put_dynamic(struct writer *writer, const struct stub *stub)
{
	size_t soname = 1, need = soname + strlen(stub->soname ?: "") + 1;
	char *strings = (char *)writer->at - DYNAMIC + STRINGS;

	if (stub->soname) {
		strcpy(strings + soname, stub->soname);
		put_word(writer, DT_SONAME);
		put_word(writer, soname);
	}
	if (stub->need) {
		strcpy(strings + need, stub->need);
		put_word(writer, DT_NEEDED);
		put_word(writer, need);
	}
	put_word(writer, DT_STRTAB);
	put_word(writer, STRINGS);
	put_word(writer, DT_STRSZ);
	put_word(writer, SECTION_NAMES - STRINGS);
	put_word(writer, DT_NULL);
	put_word(writer, 0);
}

static struct writer write_at(unsigned char *file, size_t at, const struct stub *stub)
{
	return (struct writer){ file + at, stub->is_64 };
}

size_t stub_make(unsigned char file[STUB_SIZE], const struct stub *stub)
{
	static const uint32_t threads[4] = { 0, 2, 3, 99 };
	struct writer writer = write_at(file, 0, stub);
	size_t note = 0, text = 0;

	memset(file, 0, STUB_SIZE);
	put_header(&writer, stub);
	if (stub->threads) {
		writer = write_at(file, NOTE, stub);
		put_note(&writer, "GNU", NT_GNU_ABI_TAG, threads, sizeof(threads));
		note = (size_t)(writer.at - file) - NOTE;
	}
	if (stub->text) {
		writer = write_at(file, TEXT, stub);
		put_note(&writer, stub->owner, 1, stub->text, strlen(stub->text));
		text = (size_t)(writer.at - file) - TEXT;
		strcpy((char *)file + SECTION_NAMES + 1, stub->section);
	}
	writer = write_at(file, PROGRAM_HEADERS, stub);
	put_program(&writer, PT_LOAD, 0, STUB_SIZE);
	put_program(&writer, PT_DYNAMIC, DYNAMIC, NOTE - DYNAMIC);
	put_program(&writer, note ? PT_NOTE : PT_NULL, NOTE, note);
	writer = write_at(file, SECTION_HEADERS, stub);
	put_section(&writer, 0, SHT_NULL, 0, 0);
	put_section(&writer, 1, stub->text ? SHT_NOTE : SHT_NULL, TEXT, text);
	put_section(&writer, 0, SHT_STRTAB, SECTION_NAMES, TEXT - SECTION_NAMES);
	writer = write_at(file, DYNAMIC, stub);
	put_dynamic(&writer, stub);
	return STUB_SIZE;
}
