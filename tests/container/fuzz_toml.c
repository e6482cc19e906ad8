// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: TOML, and config.toml in it. Each value stands where its place
 * says: what is cut out of the text there is read as the same value.
 */
#include "container/request/request.h"
#include "lib/toml.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"disable-require = false\n[nvidia-container-cli]\nenvironment = []\nldconfig = \"@/sbin/ldconfig\"\n#user = \"root:video\"\n[nvidia-container-runtime]\nruntimes = [\"runc\", \"crun\"]\n[nvidia-container-runtime.modes.cdi]\nspec-dirs = [\n  \"/etc/cdi\",\n  '/var/run/cdi', # two\n]\n",
	"version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc.options]\n  SystemdCgroup = true\n  a.b.c = {x = 1, y = [1, 2], 'z' = \"\\u00e9\\t\"}\n[[proxy]]\n[[proxy.more]]\nwhen = 1979-05-27 07:32:00Z\n",
	"a = \"\"\"\\\n  two \"\" lines\r\n\"\"\"\nb = '''x'''\nc = [0x1f, 0o17, 0b1, -1_0, 1.5e3, inf, 12:00:00]\n",
	"\xc3\xa9 = 1\n", "[a]\n[a.b]\n[a]\n",
	NULL,
};

static void check_cut(const char *text, struct json_object *value)
{
	const struct toml_place *place = toml_place(value);
	struct json_object *root = NULL, *again = NULL;
	char *cut = NULL, *spelled, why[WHY_SIZE];
	int len = asprintf(&cut, "x = %.*s", (int)(place->end - place->start), text + place->start);

	require(len > 0 && !toml_parse(cut, (size_t)len, &root, why));
	json_object_object_get_ex(root, "x", &again);
	spelled = strdup(json_object_to_json_string(value));
	require(!strcmp(spelled, json_object_to_json_string(again)));
	free(spelled);
	free(cut);
	json_object_put(root);
}

static void check_places(const char *text, size_t len, struct json_object *value)
{
	const struct toml_place *place = toml_place(value);
	size_t i;

	require(place && place->key <= place->start && place->start <= place->end &&
		place->end <= len);
	if (place->kind == TOML_VALUE)
		check_cut(text, value);
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, key, member) {
			(void)key;
			check_places(text, len, member);
		}
	}
	for (i = 0; json_object_is_type(value, json_type_array) &&
	     i < json_object_array_length(value); i++)
		check_places(text, len, json_object_array_get_idx(value, i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = random_text(data, size), why[WHY_SIZE];
	struct settings settings;
	struct json_object *root;

	if (!toml_parse(text, size, &root, why)) {
		random_taken++;
		check_places(text, size, root);
	}
	json_object_put(root);
	settings_parse(&settings, text, size, why);
	free(settings_warn(&settings));
	settings_free(&settings);
	free(text);
	return 0;
}
