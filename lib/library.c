// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads shared libraries by their program headers: section headers may have been stripped.
 */
#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "lib/library.h"
#include "lib/path.h"

/* Finds the part of a file that is loaded to an address: its offset, or 0. */
static uint64_t find_address(Elf *elf, size_t headers, uint64_t address)
{
	GElf_Phdr head;
	size_t i;

	for (i = 0; i < headers; i++)
		if (gelf_getphdr(elf, (int)i, &head) && head.p_type == PT_LOAD &&
		    address >= head.p_vaddr &&
		    address - head.p_vaddr < head.p_filesz)
			return address - head.p_vaddr + head.p_offset;
	return 0;
}

static Elf_Data *find_strings(Elf *elf, size_t headers, Elf_Data *dynamic)
{
	uint64_t address = 0, size = 0, offset;
	GElf_Dyn entry;
	int i;

	for (i = 0; gelf_getdyn(dynamic, i, &entry) && entry.d_tag != DT_NULL; i++)
		if (entry.d_tag == DT_STRTAB)
			address = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_STRSZ)
			size = entry.d_un.d_val;
	offset = find_address(elf, headers, address);
	return offset ? elf_getdata_rawchunk(elf, (int64_t)offset, size, ELF_T_BYTE) : NULL;
}

static const char *get_string(const Elf_Data *strings, uint64_t at)
{
	const char *text = strings->d_buf;

	return at < strings->d_size && memchr(text + at, '\0', strings->d_size - at) ?
		text + at : NULL;
}

static int read_dynamic(Elf *elf, size_t headers, const GElf_Phdr *head, struct library *library)
{
	Elf_Data *dynamic = elf_getdata_rawchunk(elf, (int64_t)head->p_offset,
						 head->p_filesz, ELF_T_DYN);
	Elf_Data *strings = dynamic ? find_strings(elf, headers, dynamic) : NULL;
	GElf_Dyn entry;
	int i;

	if (!strings)
		return -ENOEXEC;
	for (i = 0; gelf_getdyn(dynamic, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *text = get_string(strings, entry.d_un.d_val);

		if (!text)
			continue;
		if (entry.d_tag == DT_SONAME && strlen(text) <= NAME_MAX && !strchr(text, '/'))
			strcpy(library->soname, text);
		else if (entry.d_tag == DT_NEEDED)
			strv_add(&library->needs, text);
	}
	return 0;
}

/* The note by which glibc says for which kernels a library is. */
static void read_system(Elf *elf, const GElf_Phdr *head, struct library *library)
{
	Elf_Data *notes = elf_getdata_rawchunk(elf, (int64_t)head->p_offset,
					       head->p_filesz,
					       head->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (notes && (at = gelf_getnote(notes, at, &note, &name, &desc)))
		if (note.n_type == NT_GNU_ABI_TAG &&
		    note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp((char *)notes->d_buf + name, ELF_NOTE_GNU,
			    sizeof(ELF_NOTE_GNU)) &&
		    note.n_descsz >= sizeof(uint32_t) + sizeof(library->system))
			memcpy(library->system,
			       (char *)notes->d_buf + desc + sizeof(uint32_t),
			       sizeof(library->system));
}

static int read_headers(Elf *elf, struct library *library)
{
	size_t i, headers;
	int ret = -ENOEXEC;
	GElf_Phdr head;
	GElf_Ehdr elf_head;

	if (!gelf_getehdr(elf, &elf_head) || elf_head.e_type != ET_DYN ||
	    elf_getphdrnum(elf, &headers))
		return -ENOEXEC;
	library->machine = elf_head.e_machine;
	library->is_64 = gelf_getclass(elf) == ELFCLASS64;
	for (i = 0; i < headers; i++) {
		if (!gelf_getphdr(elf, (int)i, &head))
			return -ENOEXEC;
		if (head.p_type == PT_DYNAMIC)
			ret = read_dynamic(elf, headers, &head, library);
		else if (head.p_type == PT_NOTE)
			read_system(elf, &head, library);
	}
	return ret;
}

static int read_elf(Elf *elf, struct library *library)
{
	int ret;

	*library = (struct library){ 0 };
	if (!elf)
		return -ENOEXEC;
	ret = elf_kind(elf) == ELF_K_ELF ? read_headers(elf, library) : -ENOEXEC;
	elf_end(elf);
	return ret;
}

int library_read(int fd, struct library *library)
{
	elf_version(EV_CURRENT);
	return read_elf(elf_begin(fd, ELF_C_READ, NULL), library);
}

/* Opens bytes of a library. None is written to: libelf copies what it has to convert. */
static Elf *open_bytes(const void *bytes, size_t size)
{
	elf_version(EV_CURRENT);
	return elf_memory((char *)bytes, size);
}

int library_parse(const void *bytes, size_t size, struct library *library)
{
	return read_elf(open_bytes(bytes, size), library);
}

void library_free(struct library *library)
{
	strv_free(&library->needs);
}

static int copy_note(Elf_Scn *section, const char *owner, char *text, size_t room)
{
	Elf_Data *notes = elf_getdata(section, NULL);
	size_t name, desc;
	GElf_Nhdr note;

	if (!notes || !gelf_getnote(notes, 0, &note, &name, &desc) ||
	    note.n_namesz != strlen(owner) + 1 || note.n_descsz >= room ||
	    memcmp((char *)notes->d_buf + name, owner, note.n_namesz))
		return -ENOENT;
	memcpy(text, (char *)notes->d_buf + desc, note.n_descsz);
	text[note.n_descsz] = '\0';
	return 0;
}

static int find_note(Elf *elf, const char *section, const char *owner, char *text, size_t room)
{
	Elf_Scn *at = NULL;
	GElf_Shdr head;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return -ENOENT;
	while ((at = elf_nextscn(elf, at))) {
		const char *name = gelf_getshdr(at, &head) && head.sh_type == SHT_NOTE ?
			elf_strptr(elf, names, head.sh_name) : NULL;

		if (name && !strcmp(name, section))
			return copy_note(at, owner, text, room);
	}
	return -ENOENT;
}

int library_note(const void *bytes, size_t size, const char *section,
		 const char *owner, char *text, size_t room)
{
	Elf *elf = open_bytes(bytes, size);
	int ret;

	if (!elf)
		return -ENOEXEC;
	ret = elf_kind(elf) == ELF_K_ELF ? find_note(elf, section, owner, text, room) : -ENOEXEC;
	elf_end(elf);
	return ret;
}

bool library_is_name(const char *path)
{
	const char *name = path_name(path), *suffix = NULL, *at;

	/* At least one character stands between "lib" and ".so". */
	if (strncmp(name, "lib", 3) || !name[3])
		return false;
	for (at = strstr(name + 4, ".so"); at; at = strstr(at + 1, ".so"))
		suffix = at + strlen(".so");
	return suffix && (!*suffix || *suffix == '.');
}
