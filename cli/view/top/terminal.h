/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal: what shows a screen, and where keys come from. The only part of
 * mpu top that knows ncurses.
 */
#ifndef MPU_CLI_VIEW_TOP_TERMINAL_H
#define MPU_CLI_VIEW_TOP_TERMINAL_H

#include "cli/view/top/screen.h"
#include "lib/why.h"

/** terminal_set_locale() - have characters be those of the user's terminal */
void terminal_set_locale(struct screen *screen);

/**
 * terminal_open() - take the terminal over
 *
 * Return: 0, or negative errno and a sentence in @why: then there is none that a
 * screen could be drawn on.
 */
int terminal_open(char why[WHY_SIZE]);

/** terminal_close() - give it back as it was */
void terminal_close(void);

/** terminal_fit() - give a screen the terminal's size. Return: 0 or -ENOMEM. */
int terminal_fit(struct screen *screen);

/** terminal_take_mouse() - have it tell of clicks and the wheel, or leave both to it */
void terminal_take_mouse(bool take);

/** terminal_show() - show a screen: only what differs from what is shown is written */
void terminal_show(const struct screen *screen);

/** terminal_forget() - what is shown is not known: write all of it next time */
void terminal_forget(void);

/**
 * terminal_read_key() - take a key that has been pressed, without waiting
 * @key:	receives it, as top_press() takes it; 0: one that means nothing
 *
 * Return: false: none has been.
 */
bool terminal_read_key(unsigned int *key);

#endif /* MPU_CLI_VIEW_TOP_TERMINAL_H */
