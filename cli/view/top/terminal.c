// SPDX-License-Identifier: GPL-2.0-only
/*
 * The terminal, by ncurses, which no other file of mpu top knows.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>

#include "cli/view/top/internal.h"

#define ESCAPE_MS	50	/* what follows Esc within it makes a key of it */

/* Attributes by style; a pair of colours has the number of its style. */
static attr_t attributes[SCREEN_STYLES];

/*
 * A static mpu, or a container, may lack the files of the user's locale: that it is one
 * of UTF-8 is enough.
 */
void terminal_set_locale(struct screen *screen)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *locale = NULL, *term = getenv("TERM");
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && !(locale && *locale); i++)
		locale = getenv(names[i]);
	if (!setlocale(LC_CTYPE, "") && locale &&
	    (strcasestr(locale, "UTF-8") || strcasestr(locale, "utf8")))
		setlocale(LC_CTYPE, "C.UTF-8");
	/* The font of Linux's console has no eighths of blocks. */
	screen->is_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") ||
			   (term && !strcmp(term, "linux"));
}

/*
 * Colours that differ for people who do not tell red from green: blue, orange and
 * purple, after Okabe and Ito. Everything that they say a figure or a sign says, too.
 */
static void set_styles(void)
{
	const char *no_color = getenv("NO_COLOR");
	bool has_256;
	short style;

	attributes[STYLE_TITLE] = A_REVERSE;
	attributes[STYLE_LABEL] = A_BOLD;
	attributes[STYLE_FAINT] = A_DIM;
	attributes[STYLE_FULL] = A_BOLD;
	attributes[STYLE_WARNING] = A_BOLD;
	attributes[STYLE_SELECTED] = A_REVERSE;
	if (!has_colors() || (no_color && *no_color))
		return;
	start_color();
	use_default_colors();
	has_256 = COLORS >= 256;
	for (style = STYLE_TITLE; style < SCREEN_STYLES; style++)
		init_pair(style, -1, -1);
	init_pair(STYLE_USE, has_256 ? 74 : COLOR_CYAN, -1);
	init_pair(STYLE_FULL, has_256 ? 214 : COLOR_YELLOW, -1);
	init_pair(STYLE_MEMORY, has_256 ? 175 : COLOR_MAGENTA, -1);
	init_pair(STYLE_WARNING, has_256 ? 214 : COLOR_YELLOW, -1);
}

/* The program ends anywhere without memory. */
static void give_back(void)
{
	if (!isendwin())
		terminal_close();
}

int terminal_open(char why[WHY_SIZE])
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return why_fail(why, -ENOTTY,
			"standard input and output are no terminal: 'mpu top -B' prints plain text, 'mpu ps' one list");
	/* Not initscr(): of what fails, that one says so itself, and exits. */
	if (!newterm(NULL, stdout, stdin))
		return why_fail(why, -ENOTTY,
			"the terminal '%s' is not known here: 'TERM=xterm-256color mpu top' suits most of those; 'mpu top -B' prints plain text, 'mpu ps' one list",
			term ? term : "");
	if (!tigetstr("cup")) {
		endwin();
		return why_fail(why, -ENOTTY,
			"the terminal '%s' cannot move its cursor: 'mpu top -B' prints plain text, 'mpu ps' one list",
			term);
	}
	atexit(give_back);
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	set_styles();
	return 0;
}

void terminal_close(void)
{
	/* Some terminals have one screen only: what follows is written on this one. */
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
	endwin();
}

void terminal_fit(struct screen *screen)
{
	if (screen->rows != LINES || screen->columns != COLS)
		screen_resize(screen, LINES, COLS);
}

/* ncurses turns the mouse off whenever it gives the terminal back (Ctrl-Z, too). */
void terminal_take_mouse(bool take)
{
	static mmask_t taken;
	mmask_t wanted = take ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0;

	if (wanted == taken)
		return;
	mouseinterval(0);	/* a press is one: do not wait whether it is a click */
	mousemask(wanted, NULL);
	taken = wanted;
}

static unsigned int read_mouse(void)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return 0;
	return event.bstate & BUTTON4_PRESSED ? TOP_KEY_WHEEL_UP :
	       event.bstate & BUTTON5_PRESSED ? TOP_KEY_WHEEL_DOWN :
	       event.bstate & BUTTON1_PRESSED ? TOP_KEY_CLICK + (unsigned int)event.y : 0;
}

void terminal_show(const struct screen *screen)
{
	int row, column;

	for (row = 0; row < screen->rows; row++) {
		const struct screen_cell *cell =
			&screen->cell[(size_t)row * (size_t)screen->columns];

		move(row, 0);
		for (column = 0; column < screen->columns; column++) {
			wchar_t text[] = { cell[column].glyph, 0 };
			enum screen_style style = cell[column].style;
			cchar_t shown;

			if (!text[0])	/* the wide one before has written it */
				continue;
			setcchar(&shown, text, attributes[style], (short)style, NULL);
			mvadd_wchnstr(row, column, &shown, 1);
		}
	}
	refresh();
}

void terminal_forget(void)
{
	clearok(curscr, TRUE);
}

bool terminal_read_key(unsigned int *key)
{
	static const struct { wint_t theirs; unsigned int ours; } named[] = {
		{ KEY_UP, TOP_KEY_UP }, { KEY_DOWN, TOP_KEY_DOWN },
		{ KEY_PPAGE, TOP_KEY_PAGE_UP }, { KEY_NPAGE, TOP_KEY_PAGE_DOWN },
		{ KEY_HOME, TOP_KEY_HOME }, { KEY_END, TOP_KEY_END },
		{ KEY_LEFT, TOP_KEY_LEFT }, { KEY_RIGHT, TOP_KEY_RIGHT },
		{ KEY_BACKSPACE, TOP_KEY_BACKSPACE }, { KEY_BTAB, TOP_KEY_BACKTAB },
		{ KEY_ENTER, TOP_KEY_ENTER },
	};
	wint_t pressed;
	size_t i;
	int kind = get_wch(&pressed);

	if (kind == ERR)
		return false;
	*key = kind == OK ? pressed : 0;
	for (i = 0; kind == KEY_CODE_YES && i < sizeof(named) / sizeof(named[0]); i++)
		if (named[i].theirs == pressed)
			*key = named[i].ours;
	if (kind == KEY_CODE_YES && pressed > KEY_F0 && pressed <= KEY_F(12))
		*key = TOP_KEY_F0 + pressed - KEY_F0;
	if (kind == KEY_CODE_YES && pressed == KEY_MOUSE)
		*key = read_mouse();
	return true;
}
