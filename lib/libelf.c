// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that the static libelf of elfutils 0.192, Debian 13's, names and does not
 * hold (sourceware bug 32293): it frees the tree of the chunks that
 * elf_getdata_rawchunk() made. Weak: a libelf that has it uses its own.
 */
#include <search.h>
#include <stddef.h>

/* The beginning of lib/eu-search.h of 0.192; its lock is for threads, which we lack. */
struct search_tree {
	void *root;
};

__attribute__((weak)) void eu_search_tree_init(struct search_tree *tree)
{
	tree->root = NULL;
}

__attribute__((weak)) void eu_search_tree_fini(struct search_tree *tree, void (*free_key)(void *))
{
	tdestroy(tree->root, free_key);
}

__attribute__((weak)) void *eu_tsearch(const void *key, struct search_tree *tree,
				       int (*compare)(const void *, const void *))
{
	return tsearch(key, &tree->root, compare);
}

__attribute__((weak)) void *eu_tdelete(const void *key, struct search_tree *tree,
				       int (*compare)(const void *, const void *))
{
	return tdelete(key, &tree->root, compare);
}
