// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of mpu top: frames as text, on small and large screens.
 */
#include <locale.h>
#include <wchar.h>

#include "cli/view/top/internal.h"
#include "lib/host.h"
#include "tests/unit/cli/view/top/world.h"
#include "tests/unit/unit.h"

static struct screen screen;

static int end(void)
{
	screen_free(&screen);
	return world_stop();
}

TEST_EACH(world_start, end)

/* Returns the text of a screen of this size. */
static const char *frame(int rows, int columns)
{
	screen_resize(&screen, rows, columns);
	top_draw(&top, &screen);
	return world_text(&screen);
}

/* In place of the small reading, one with room for @n processes. */
static void begin_anew(size_t n)
{
	world_stop();
	top_begin(&top, 1);
	world_begin(&world, n);
}

static void take(void)
{
	world_take(&world, &top);
}

static void expect(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("'%s' is not in:\n%s", wanted, text);
}

/* Line @n of a text from 0 on, valid until the next call. */
static const char *line(const char *text, int n)
{
	static char copy[2048];

	while (n--) {
		text = strchr(text, '\n');
		assert_non_null(text);
		text++;
	}
	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(text, "\n"), text);
	return copy;
}

/* The beginning of frame() alone: what a blank screen has below it does not count. */
static void expect_frame(const char *text, const char *const *lines, int n)
{
	int i;

	for (i = 0; i < n; i++)
		assert_string_equal(line(text, i), lines[i]);
}

#define EXPECT_FRAME(text, ...) do { \
	static const char *const lines[] = { __VA_ARGS__ }; \
	\
	expect_frame(text, lines, sizeof(lines) / sizeof(lines[0])); \
} while (0)

/* --- The screen --- */
TEST("text is cut to its room, and control characters are replaced")
{
	screen_resize(&screen, 6, 10);
	assert_int_equal(screen_put(&screen, 0, 0, 5, STYLE_PLAIN, "abcdef"), 5);
	assert_int_equal(screen_put(&screen, 1, 0, 5, STYLE_PLAIN, "abcde"), 5);
	screen_put_right(&screen, 2, 0, 8, STYLE_PLAIN, "\033[2J\n");
	screen_put(&screen, 3, 0, 8, STYLE_PLAIN, "a\xff\xc3");
	screen_put(&screen, 4, 0, 5, STYLE_PLAIN, "\u4e2d\u6587\u5b57");
	screen_put(&screen, 5, 0, 9, STYLE_PLAIN, "e\u0301x");
	screen_put(&screen, 9, 0, 5, STYLE_PLAIN, "below");
	screen_put(&screen, 0, 8, 5, STYLE_PLAIN, "right");
	assert_string_equal(world_text(&screen),
		"abcd\u2026   ri\nabcde\n   ?[2J?\na??\n\u4e2d\u6587\u2026\nex\n");
	screen.is_ascii = true;
	screen_clear(&screen);
	screen_put(&screen, 0, 0, 5, STYLE_PLAIN, "abcdef");
	screen_put(&screen, 1, 0, 5, STYLE_PLAIN, "\u00e4b");
	assert_string_equal(world_text(&screen), "abcd~\n?b\n\n\n\n\n");
}

TEST("text is wrapped between characters, as wide as these are")
{
#define EIGHT "\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d"
	static const char text[] = "e\u0301" EIGHT EIGHT EIGHT "yz";

	host_set_root("/nonexistent");
	strcpy(top.message, text);
	expect(frame(10, 40), "\ne" EIGHT EIGHT "\u4e2d\u4e2d\u4e2d\n\u4e2d\u4e2d\u4e2d\u4e2d\u4e2dyz\n");
	strcpy((char *)top.rows.row[0].process->process->command, text);
	press(TOP_KEY_ENTER);
	expect(frame(20, 40), " command          e" EIGHT "\u4e2d\u4e2d\n                  " EIGHT "\u4e2d\u4e2d\n");
	top_lose(&top, text);
	expect(frame(10, 40), " e" EIGHT EIGHT "\u4e2d\u4e2d\n \u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2dyz\n");
	host_set_root("");
}

TEST("a bar is as long as its value, to an eighth of a character")
{
	screen_resize(&screen, 5, 4);
	graph_bar(&screen, 0, 0, 4, STYLE_USE, 0);
	graph_bar(&screen, 1, 0, 4, STYLE_USE, 0.5);
	graph_bar(&screen, 2, 0, 4, STYLE_USE, 0.28125);
	graph_bar(&screen, 3, 0, 4, STYLE_USE, 7);
	screen.is_ascii = true;
	graph_bar(&screen, 4, 0, 4, STYLE_USE, 0.28125);
	assert_string_equal(world_text(&screen),
		"\u00b7\u00b7\u00b7\u00b7\n\u2588\u2588\u00b7\u00b7\n"
		"\u2588\u258f\u00b7\u00b7\n\u2588\u2588\u2588\u2588\n#...\n");
}

TEST("a history shows each value as a height, and a gap as a blank")
{
	static const uint32_t sm[] = { 0, 10000, HISTORY_NONE, 5000, 2500 };
	struct recent table = { 0 };
	size_t i;

	for (i = 0; i < 5; i++) {
		const uint32_t value[] = { [HISTORY_SM] = sm[i], [HISTORY_MEMORY] = 1 };

		history_begin(&table);
		history_add(&table, 1, value);
	}
	screen_resize(&screen, 3, 7);
	graph_history(&screen, 0, 0, 7, 3, &table, 1, HISTORY_SM, 10000);
	assert_string_equal(world_text(&screen),
		"   \u2588\n   \u2588 \u2585\n  \u2581\u2588 \u2588\u2587\n");
	screen.is_ascii = true;
	screen_clear(&screen);
	graph_history(&screen, 0, 0, 7, 3, &table, 1, HISTORY_SM, 10000);
	assert_string_equal(world_text(&screen), "   #\n   # =\n  _# #*\n");
	screen.is_ascii = false;
	screen_clear(&screen);
	graph_history(&screen, 0, 0, 7, 1, &table, 1, HISTORY_SM, 10000);
	graph_history(&screen, 1, 0, 7, 1, &table, 1, HISTORY_SM, 5000);
	screen.is_ascii = true;
	graph_history(&screen, 2, 0, 7, 1, &table, 1, HISTORY_SM, 20000);
	assert_string_equal(world_text(&screen),
		"  \u2581\u2588 \u2585\u2583\n  \u2581\u2588 \u2585\u2583\n  _= -.\n");
	recent_free(&table);
}

TEST("percentages have one decimal, and bytes are in MiB or GiB")
{
	char text[GRAPH_TEXT];

	graph_percent(text, 6325);
	assert_string_equal(text, "63.3");
	graph_percent(text, 320000);
	assert_string_equal(text, "3200.0");
	graph_bytes(text, 1023ull << 20);
	assert_string_equal(text, "1023 MiB");
	graph_bytes(text, 3ull << 29);
	assert_string_equal(text, "1.5 GiB");
}

/* --- Frames --- */

TEST("80 by 24 characters show GPUs, their histories and processes")
{
	const char *text;

	take();
	text = frame(24, 80);
	EXPECT_FRAME(text,
		" mpu top 14:03:22  driver 580.65.06  2 GPUs  6 processes   last 22 s, every 1 s",
		" GPU 0  H100  enc 0% dec 0%  0000:01:00.0",
		"   SM                     65.0% ███████████████········                      ▆▆",
		"   memory  20.8 GiB of 80.0 GiB ██████·················                      ▃▃",
		" GPU 1  H100  enc 0% dec 0%  0000:02:00.0",
		"   SM                     95.0% █████████████████████▉·                      ██",
		"   memory  63.0 GiB of 80.0 GiB ██████████████████▏····                      ▇▇",
		"  GPU     PID USER     CONTAINER            *SM %    MEMORY COMMAND",
		">   1    1004 root     ml/llama-0/main       90.0  60.0 GiB vllm serve",
		"    0    1001 root     trainer               60.0  20.0 GiB python3 train.py",
		"    0    1002 root     trainer                5.0   512 MiB python3 load.py",
		"    1    1006 root     render.service         3.0   2.0 GiB blender",
		"    1    1005 root     ml/llama-0/side        2.0   1.0 GiB dcgm",
		"    0    1003 anna     -                      0.0   256 MiB jupyter"
	);
	assert_string_equal(line(text, 23),
		"q quit  h help  Tab tree  < > sort  / search  Enter more  k signal  space tag");
}

TEST("the tree shows GPUs, their containers, and the processes in them")
{
	press('t');
	press(TOP_KEY_END);
	press(TOP_KEY_UP);
	EXPECT_FRAME(strstr(frame(24, 80), " GPU, CONT"),
		" GPU, CONTAINER, PROCESS          PID USER      *SM %            MEMORY",
		" - GPU 0 NVIDIA H100                             65.0       ▆  20.8 GiB       ▃",
		"   - trainer                                     65.0       ▆  20.5 GiB       ▃",
		"       python3 train.py          1001 root       60.0          20.0 GiB",
		"       python3 load.py           1002 root        5.0           512 MiB",
		"   - user anna                                    0.0       ▁   256 MiB       ▁",
		"       jupyter                   1003 anna        0.0           256 MiB",
		" - GPU 1 NVIDIA H100                             95.0       █  63.0 GiB       ▇",
		"   - ml/llama-0/main                             90.0       █  60.0 GiB       ▇",
		"       vllm serve                1004 root       90.0          60.0 GiB",
		"   - render.service                               3.0       ▁   2.0 GiB       ▁",
		"       blender                   1006 root        3.0           2.0 GiB",
		">  - ml/llama-0/side                              2.0       ▁   1.0 GiB       ▁",
		"       dcgm                      1005 root        2.0           1.0 GiB"
	);
}

TEST("the list of containers shows the sums of each")
{
	press('3');
	EXPECT_FRAME(strstr(frame(24, 80), " CONTAINER"),
		" CONTAINER              PROCS  *SM %                    MEMORY",
		">ml/llama-0/main            1   90.0 ██████▎       █  60.0 GiB █████▎·        ▇",
		" trainer                    2   65.0 ████▌··       ▆  20.5 GiB █▊·····        ▃",
		" render.service             1    3.0 ▎······       ▁   2.0 GiB ▏······        ▁",
		" ml/llama-0/side            1    2.0 ▏······       ▁   1.0 GiB ▏······        ▁",
		" user anna                  1    0.0 ·······       ▁   256 MiB ·······        ▁"
	);
}

TEST("200 by 60 characters show more columns, and nothing is cut")
{
	const char *text;

	text = frame(60, 200);
	expect(text, "OWN PID");
	expect(text, "MEM %  ENC %  DEC %");
	expect(text, "1:01:01");
	expect(text, "python3 train.py\n");
	expect(text, "0000:02:00.0");
	expect(text, "CPU %       RAM ");
}

TEST("histories are higher if the list of processes has enough room")
{
	const char *text;

	text = frame(60, 200);
	assert_int_equal(top.list_line, 1 + 2 * 13);
	expect(line(text, 2), "   SM                     65.0% ");
	expect(line(text, 2 + 5), "\u2588");
	expect(line(text, 2 + 6), "   memory  20.8 GiB of 80.0 GiB ");
	expect(line(text, 14), " GPU 1  H100");
	/* Their scale, and how far back they go. */
	expect(line(text, 2), " 100%");
	expect(line(text, 2 + 5), " 127 s ago  0 ");
	expect(line(text, 2 + 6), " 80G");
	frame(34, 80);
	assert_int_equal(top.list_line, 1 + 2 * 5);
	frame(30, 80);
	assert_int_equal(top.list_line, 1 + 2 * 3);
	top_draw_all(&top, &screen, 160);
	assert_int_equal(top.list_line, 1 + 2 * 3);
}

TEST("a GPU has two lines where three do not fit, and one where two do not")
{
	while (world.usage.n_gpus < 4)
		world_add_gpu(&world);
	strcpy(world.usage.gpus[3].gpu.name, "NVIDIA H100 80GB HBM3");
	take();
	EXPECT_FRAME(strstr(frame(24, 80), " GPU 3"),
		" GPU 3  H100 80GB HBM3  enc 0% dec 0%  0000:04:00.0",
		"     0.0% ·············            ▁▁     0.0/80.0G ·············            ▁▁"
	);
	assert_int_equal(top.list_line, 1 + 2 * 4);
	frame(16, 80);
	assert_int_equal(top.list_line, 1 + 4);
}

TEST("a long command scrolls sideways by whole characters, and back")
{
	int i;

	strcpy(world.process[3].command, "0123456\u00fc89 --model x --and-so-on 42");
	take();
	expect(frame(24, 80), "60.0 GiB 0123456\u00fc89 --model");
	press(TOP_KEY_RIGHT);
	expect(frame(24, 80), "60.0 GiB 89 --model x");
	for (i = 0; i < 50; i++)
		press(TOP_KEY_RIGHT);
	expect(frame(24, 80), "  60.0 GiB\n");
	for (i = 0; i < 50; i++)
		press(TOP_KEY_LEFT);
	press('t');
	press(TOP_KEY_RIGHT);
	expect(frame(24, 80), "23456\u00fc89 --model x");
}

TEST("use and memory of 32 GPUs are shown in half of the screen")
{
	size_t i, n;

	for (n = 16; n <= 32; n += 16) {
		const char *text;

		begin_anew(n);
		for (i = 0; i < n; i++)
			world_add_gpu(&world);
		for (i = 0; i < n; i++)
			world_add(&world, i, (pid_t)(100 + i), WORLD_DOCKER,
				  (uint32_t)(10 + i), (20 + i) << 10, "train");
		take();
		text = frame(24, 80);
		for (i = 0; i < n; i++) {
			char wanted[2][32];

			snprintf(wanted[0], 32, n == 16 ? "%zu.0%%" : "%zu%%", 10 + i);
			snprintf(wanted[1], 32, n == 16 ? "%zu.0/80.0G" : "%zuG", 20 + i);
			expect(text, wanted[0]);
			expect(text, wanted[1]);
		}
		assert_true(top.page >= 11);
		frame(60, 200);
		assert_true(top.page >= 28);
	}
}

TEST("the screen says that there is no GPU, and no process")
{
	begin_anew(1);
	take();
	expect(frame(24, 80), "no GPU here");
	expect(frame(24, 80), "no process uses a GPU");
	press('t');
	expect(frame(24, 80), "no process uses a GPU");
}

TEST("a dash stands for a figure that the driver does not give")
{
	char gone[80];

	world.usage.gpus[0].has_utilisation = false;
	world.usage.gpus[0].has_memory = false;
	world.usage.gpus[1].error = 0x56;
	world.usage.processes[0].has_memory = false;
	world.process[1].is_gone = true;
	snprintf(gone, sizeof(gone), "1002 -        trainer                  -   512 MiB %.8s",
		 usage_gone_text());
	take();
	expect(frame(24, 80), "SM                         -");
	expect(frame(24, 80), "memory                     -");
	expect(frame(24, 80), "the driver refused: ");
	expect(frame(24, 80), "1001 root     trainer                  -         - python3");
	expect(frame(24, 80), gone);
}

TEST("a lost driver is reported, and the list comes back with the driver")
{
	top_lose(&top, "no NVIDIA driver here: /dev/nvidiactl does not exist or has no driver behind it; load the driver");
	expect(frame(24, 80), "the driver does not answer");
	expect(frame(24, 80), "no NVIDIA driver here");
	expect(frame(24, 80), "load the driver");
	expect(frame(24, 80), "asked again every 1 s");
	take();
	expect(frame(24, 80), "vllm serve");
}

TEST("a screen of any size can be drawn; one that is too small says so")
{
	int rows, columns;

	for (rows = 1; rows < 12; rows++)
		for (columns = 1; columns < 90; columns += 4)
			frame(rows, columns);
	expect(frame(7, 80), "needs 40 columns and 8 lines");
	expect(frame(8, 60), "vllm");
	expect(frame(10, 40), "\n>   1    1004 ");
}

TEST("a terminal of ASCII gets ASCII alone, and a sign for the selection")
{
	const char *text;

	screen.is_ascii = true;
	for (text = frame(24, 80); *text; text++)
		assert_in_range(*text, '\n', '~');
	expect(frame(24, 80), "\n>   1    1004 root");
	expect(frame(24, 80), "*SM %");
	expect(frame(24, 80), "#");
}

TEST("details show all that is known of a process or GPU, and - for the rest")
{
	struct gpu_state *gpu;

	host_set_root("/nonexistent");
	gpu = &world.usage.gpus[1].state;
	gpu_state_take(gpu, GPU_TEMPERATURE, 45);
	gpu_state_take(gpu, GPU_POWER, 310250);
	gpu_state_take(gpu, GPU_POWER_LIMIT, 700000);
	gpu_state_take(gpu, GPU_XID, 79);
	gpu_state_take(gpu, GPU_THROTTLE, 1 << GPU_THROTTLE_SW_POWER_CAP | 1);
	take();
	gpu_state_take(gpu, GPU_PCIE_SENT, 1200000000);
	gpu_state_take(gpu, GPU_PCIE_RECEIVED, 90000000);
	expect(frame(24, 120), " GPU 1  H100  45 C  310 W of 700 W  Xid 79  sw_power_cap  tx 1.2 GB/s rx 90 MB/s  enc 0% dec 0%  0000:02:00.0\n");
	/* A part for which there is no room is not cut, and does not keep a shorter one out. */
	expect(frame(24, 80), " GPU 1  H100  45 C  310 W of 700 W  Xid 79  sw_power_cap  enc 0% dec 0%\n");
	assert_null(strstr(frame(24, 120), "01:00.0  "));
	expect(frame(9, 80), " 45 C 310 W ");
	press(TOP_KEY_ENTER);
	press(0);	/* the screen has another size */
	expect(frame(24, 80), " process 1004\n");
	expect(frame(24, 80), "GPU 1            ");
	world.usage.n_processes = 0;
	take();
	expect(frame(24, 80), "uses no GPU any more");
	press('x');
	press('g');
	expect(frame(24, 80), " GPU 0  NVIDIA H100  0000:01:00.0\n");
	press(TOP_KEY_DOWN);
	expect(frame(24, 80), "\n power            310 W of 700 W\n");
	expect(frame(24, 80), "\n held down by     sw_power_cap\n");
	expect(frame(24, 80), "\n fan              -\n");
	press(TOP_KEY_UP);
	press(TOP_KEY_UP);
	press('g');
	expect(frame(24, 80), "no process uses a GPU");
	host_set_root("");
}

TEST("the screen shows questions, messages, and that it is paused")
{
	frame(24, 80);
	press('/');
	press('d');
	expect(frame(24, 80), "Only processes with (Esc: all): d_");
	press('z');
	expect(frame(24, 80), "no process is as you want them");
	press(TOP_KEY_ESCAPE);
	press('t');
	press('k');
	expect(frame(24, 80), "a signal goes to a process");
	press('h');
	expect(frame(24, 80), "Ctrl-C");
	press('x');
	press('p');
	expect(frame(24, 80), "PAUSED");
}

TEST("no line of the help is missing or cut, even on the smallest screen")
{
	int i;

	press('h');
	expect(frame(40, 80), "what the driver, or the host, does not say");
	assert_null(strstr(frame(40, 80), "\u2026"));
	for (i = 0; i < 120 && !strstr(frame(10, 40), "host, does not"); i++) {
		assert_null(strstr(frame(10, 40), "\u2026"));
		press(TOP_KEY_DOWN);
	}
	assert_in_range(i, 10, 119);
	press(TOP_KEY_PAGE_UP);
	press('x');
	assert_int_equal(top.prompt, TOP_LIST);
}

TEST("a question names as many processes as fit into half of the screen")
{
	struct target targets[50] = { { 0, 4711, "train", "web" } };
	size_t i;

	for (i = 1; i < 50; i++) {
		targets[i] = targets[0];
		targets[i].pid += (pid_t)i;
	}
	top.targets = targets;
	top.prompt = TOP_ASK_SURE;
	top.signal = 15;
	top.n_targets = 2;
	expect(frame(24, 80), "\nSend SIGTERM (15) to PID 4711, train, of web; PID 4712, train, of web? y/n");
	expect(frame(10, 40), "\nSend SIGTERM (15) to PID 4711, train, o\nf web; PID 4712, train, of web? y/n");
	top.n_targets = 50;
	expect(frame(24, 80), "; and ");
	expect(frame(24, 80), "more? y/n");
	top.targets = NULL;
	top.n_targets = 0;
}

TEST("the order, tags and the selection have signs")
{
	frame(24, 80);
	press(' ');
	expect(frame(24, 80), "*SM %    MEMORY");
	expect(frame(24, 80), "\n+   1    1004 ");
	press(TOP_KEY_UP);
	expect(frame(24, 80), "\n*   1    1004 ");
}

TEST("10000 processes can be listed, scrolled and printed")
{
	int i;

	begin_anew(10000);
	for (i = 0; i < 16; i++)
		world_add_gpu(&world);
	for (i = 0; i < 10000; i++)
		world_add(&world, (size_t)i / 625, 100000 + i,
			  i % 3 ? WORLD_DOCKER : WORLD_POD, 0, 1, "train");
	take();
	expect(frame(24, 80), "\n>   0  100000 root");
	press(TOP_KEY_END);
	expect(frame(24, 80), "\n>  15  109999 root");
	assert_int_equal(top.first, 10000 - top.page);
	press(TOP_KEY_PAGE_UP);
	press(TOP_KEY_PAGE_UP);
	frame(24, 80);
	assert_int_equal(top.selected, 9999 - 2 * top.page);
	press('t');
	assert_int_equal(top.rows.n, 10000 + 16 + 32);
	top_draw_all(&top, &screen, 80);
	expect(world_text(&screen), "109999");
	assert_int_equal(screen.rows, 1 + 16 + 10000 + 16 + 32 + 2);
}

int main(void)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8") || setenv("TZ", "UTC", 1))
		return 1;
	return unit_run();
}
