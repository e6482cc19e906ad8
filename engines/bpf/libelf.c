// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the static libelf of elfutils 0.192, Debian 13's, names and does not hold
 * (sourceware bug 32293). It is the tree of the chunks that
 * elf_getdata_rawchunk() made, which nobody here calls: it stays as empty as
 * calloc() left it. Weak: where libelf has them, its own may be taken.
 */
__attribute__((weak)) void eu_search_tree_init(void *tree)
{
	(void)tree;
}

__attribute__((weak)) void eu_search_tree_fini(void *tree, void (*free)(void *))
{
	(void)tree;
	(void)free;
}
