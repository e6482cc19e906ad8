// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals to processes: the two questions before one is sent.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/view/top/internal.h"
#include "lib/host.h"
#include "lib/xalloc.h"

#define QUESTION	80	/* characters around the names, and a signal */

static void end_question(struct top *top)
{
	top->prompt = TOP_LIST;
	while (top->n_targets)
		target_release(&top->targets[--top->n_targets]);
	free(top->targets);
	top->targets = NULL;
}

static void say(struct top *top, const char *text)
{
	snprintf(top->message, sizeof(top->message), "%s", text);
}

/* Holds one more. A process on two GPUs stands in the list twice. */
static void hold(struct top *top, const struct host_process *process)
{
	struct target *target;
	size_t i;
	int ret;

	for (i = 0; i < top->n_targets; i++)
		if (top->targets[i].pid == process->pid)
			return;
	top->targets = xreallocarray(top->targets, top->n_targets + 1, sizeof(*target));
	target = &top->targets[top->n_targets];
	*target = (struct target){ 0 };
	ret = target_hold(target, top->reader, process);
	if (ret)
		snprintf(top->message, sizeof(top->message), ret == -ESRCH ?
			 "PID %d has ended, there is nobody to send a signal to" :
			 "cannot hold PID %d: %s", process->pid, strerror(-ret));
	else
		top->n_targets++;
}

static void hold_tagged(struct top *top)
{
	size_t i;

	for (i = 0; i < top->usage->n_processes; i++) {
		const struct host_process *process = top->usage->processes[i].process;

		if (rows_ids_have(&top->tags, top_tag_id(process)))
			hold(top, process);
	}
}

void top_ask_signal(struct top *top)
{
	const struct row *row = top->rows.n ? &top->rows.row[top->selected] : NULL;

	if (host_is_other())
		say(top, "MPU_ROOT is set: these are processes of another system");
	else if (top->usage && top->tags.n)
		hold_tagged(top);
	else if (row && row->kind == ROW_PROCESS)
		hold(top, row->process->process);
	else
		say(top, "a signal goes to a process that uses a GPU: select it first");
	if (!top->n_targets)
		return;
	top->prompt = TOP_ASK_SIGNAL;
	snprintf(top->input, sizeof(top->input), "TERM");
	top->is_offered = true;
}

void top_press_signal(struct top *top, unsigned int key)
{
	if (key == TOP_KEY_ESCAPE) {
		end_question(top);
		return;
	}
	if (key != TOP_KEY_ENTER) {
		if (top->is_offered && key >= ' ' && key < 0x7f)
			top->input[0] = '\0';
		top->is_offered = false;
		top_edit(top->input, key);
		return;
	}
	top->signal = target_find_signal(top->input);
	if (top->signal > 0) {
		top->prompt = TOP_ASK_SURE;
		return;
	}
	snprintf(top->message, sizeof(top->message),
		 "'%s' is no signal: TERM, KILL, 15 are some", top->input);
	end_question(top);
}

/* Sends it to the others, too, where it does not reach one. */
static void send_all(struct top *top)
{
	const char *name = target_signal_name(top->signal);
	size_t i, sent = 0, n = top->n_targets, length;
	char failed[160] = "";
	int ret;

	for (i = 0; i < n; i++) {
		ret = target_send(&top->targets[i], top->signal);
		sent += !ret;
		if (ret == -EPERM)
			snprintf(failed, sizeof(failed),
				 "not permitted to send a signal to PID %d: it is another user's",
				 top->targets[i].pid);
		else if (ret)
			snprintf(failed, sizeof(failed), "SIG%s did not reach PID %d: %s", name,
				 top->targets[i].pid, strerror(-ret));
	}
	if (n == 1 && sent)
		snprintf(top->message, sizeof(top->message), "SIG%s sent to PID %d", name,
			 top->targets[0].pid);
	else if (n > 1)
		snprintf(top->message, sizeof(top->message), "SIG%s sent to %zu of %zu processes",
			 name, sent, n);
	length = strlen(top->message);
	if (failed[0])
		snprintf(top->message + length, sizeof(top->message) - length, "%s%s",
			 length ? "; " : "", failed);
	top->tags.n = 0;
}

void top_press_sure(struct top *top, unsigned int key)
{
	if (!key)	/* not the user's: the screen has another size */
		return;
	say(top, "");
	if (key == 'y' || key == 'Y')
		send_all(top);
	else
		say(top, "no signal sent");
	end_question(top);
}

/* --- Drawing --- */

void top_draw_text(struct screen *screen, const char *text)
{
	int width = screen->columns - 1, row = screen->rows, column;
	char part[SCREEN_PART];
	const char *at = text;

	do {
		at += screen_take(screen, part, at, width);
		row--;
	} while (*at);
	for (; row < screen->rows; row++) {
		for (column = 0; column < screen->columns; column++)
			screen_put_glyph(screen, row, column, STYLE_PLAIN, L' ');
		text += screen_take(screen, part, text, width);
		screen_put(screen, row, 0, width, STYLE_LABEL, part);
	}
}

/* "PID 7, train, of web", as many as half of the screen holds, and how many more. */
static void name_targets(const struct top *top, const struct screen *screen, char *text,
			 size_t size)
{
	size_t room = (size_t)screen->columns * (size_t)(screen->rows / 2), length = 0, i;
	char one[128];

	room = room > size ? size : room;
	text[0] = '\0';
	for (i = 0; i < top->n_targets; i++) {
		const struct target *target = &top->targets[i];

		snprintf(one, sizeof(one), "%sPID %d, %s%s%s", i ? "; " : "", target->pid,
			 target->name, target->whose[0] ? ", of " : "", target->whose);
		if (i && length + strlen(one) + QUESTION > room) {
			snprintf(text + length, size - length, "; and %zu more",
				 top->n_targets - i);
			return;
		}
		length += (size_t)snprintf(text + length, size - length, "%s", one);
	}
}

void top_draw_question(const struct top *top, struct screen *screen)
{
	char targets[2048], text[3072];

	name_targets(top, screen, targets, sizeof(targets));
	if (top->prompt == TOP_ASK_SIGNAL)
		snprintf(text, sizeof(text), "Signal for %s, by number or name (Esc: none): %s_",
			 targets, top->input);
	else
		snprintf(text, sizeof(text), "Send SIG%s (%d) to %s? y/n",
			 target_signal_name(top->signal), top->signal, targets);
	top_draw_text(screen, text);
}
