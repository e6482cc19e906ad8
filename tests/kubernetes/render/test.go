// SPDX-License-Identifier: GPL-2.0-only

// Tests of the chart: every combination of values that changes what objects there are
// or what they consist of, values that have to be refused, and that each value is
// documented and known to the schema.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	node "k8s.io/api/node/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

var digest = "sha256:" + strings.Repeat("0a", 32)

// Values to combine: all ways of taking one of each row are tried.
var choices = [][]string{
	{"engine: auto", "engine: module", "engine: bpf", "engine: notify"},
	{"{}", "runtimeClass: {create: true}",
		`{installFolder: /home/mpu, driverRoot: /run/nvidia/driver, forceRemoval: true,
		runtimeClass: {create: true, containerEngine: crio, config: /etc/c.toml, unit: k3s,
		programs: /opt/k3s, ociRuntime: /usr/bin/crun, readyNodes: true}}`},
	{"{}", "{nodeSelector: null, tolerations: []}",
		`{nodeSelector: {other: "yes"}, priorityClassName: "", affinity: null,
		updateStrategy: {type: OnDelete}, metrics: {nodeSelector: {third: "yes"},
		tolerations: [{key: a}, {key: b}], affinity: {podAffinity: {}},
		updateStrategy: {type: OnDelete}}, image: {repository: a.example/b/mpu,
		tag: "1.2"}, imagePullSecrets: [{name: one}, {name: two}]}`,
		`{updateStrategy: {rollingUpdate: {maxSurge: 10%}}, minReadySeconds: 5,
		nameOverride: gpus, namespaceOverride: other, revisionHistoryLimit: 2}`},
	{"{}", `{seLinuxOptions: {type: spc_t}, podLabels: {team: gpu},
		podAnnotations: {note: "a: b"}, resources: {limits: {memory: 1Ti, cpu: 0.5}},
		fullnameOverride: gpu, serviceAccount: {create: false}, openshift: {create: true},
		extraEnv: [{name: A, value: b}], extraVolumes: [{name: more, emptyDir: {}}],
		extraVolumeMounts: [{name: more, mountPath: /more}],
		image: {digest: "` + digest + `"}}`},
	{"{}", `{namespace: {create: true}, test: {create: false}, openshift: {create: true},
		serviceAccount: {name: other}}`},
	{"{}", "metrics: {enabled: true}",
		"metrics: {enabled: true, processes: true, port: 9000}",
		"metrics: {enabled: true, networkPolicy: {create: false}}",
		"metrics: {enabled: true, networkPolicy: {from: []}}",
		"metrics: {enabled: true, serviceMonitor: {create: true}, prometheusRule: {create: true}}",
		`metrics: {enabled: true, serviceMonitor: {create: true,
		interval: 1m, scrapeTimeout: 20s, labels: {release: prometheus},
		relabelings: [{sourceLabels: [a], targetLabel: b}], metricRelabelings: []}}`,
		`metrics: {enabled: true, listen: 0.0.0.0, tlsServerConfig: {enabled: true,
		existingSecret: cert}, basicAuth: {existingSecret: users}, serviceMonitor: {create:
		true, tlsConfig: {insecureSkipVerify: true}, basicAuth: {username: {name: a}}}}`,
		`metrics: {enabled: true, tlsServerConfig: {enabled: true, existingSecret: cert},
		extraContainers: [{name: more, image: a, securityContext: {}}]}`},
}

// Values, and what the schema has to complain of.
var refused = [][2]string{
	{"engine: fast", "engine"},
	{"engin: auto", "engin is not allowed"},
	{"image: {repository: ''}", "image.repository"},
	{"image: {tag: 'a b'}", "image.tag"},
	{"image: {digest: 'sha256:0a'}", "image.digest"},
	{"image: {digest: latest}", "image.digest"},
	{"image: {pullPolicy: Sometimes}", "image.pullPolicy"},
	{"imagePullSecrets: [a]", "imagePullSecrets.0"},
	{"runtimeClass: {create: 'yes'}", "runtimeClass.create"},
	{"runtimeClass: {containerEngine: docker}", "runtimeClass.containerEngine"},
	{"runtimeClass: {config: config.toml}", "runtimeClass.config"},
	{"runtimeClass: {unit: 'a b'}", "runtimeClass.unit"},
	{"installFolder: ''", "installFolder"},
	{"installFolder: /opt/a b", "installFolder"},
	{"driverRoot: run", "driverRoot"},
	{"updateStrategy: {type: Now}", "updateStrategy.type"},
	{"updateStrategy: {rollingUpdate: {maxSurge: 0}}", "updateStrategy.rollingUpdate.maxSurge"},
	{"updateStrategy: {rollingUpdate: {maxSurge: 0%}}", "updateStrategy.rollingUpdate.maxSurge"},
	{"updateStrategy: {rollingUpdate: {maxUnavailable: 1}}", "rollingUpdate.maxUnavailable"},
	{"extraEnv: {A: b}", "extraEnv"},
	{"serviceAccount: {name: A}", "serviceAccount.name"},
	{"nodeSelector: {gpu: true}", "nodeSelector.gpu"},
	{"tolerations: [{operator: Is}]", "tolerations.0.operator"},
	{"tolerations: [{keys: gpu}]", "keys is not allowed"},
	{"priorityClassName: High", "priorityClassName"},
	{"terminationGracePeriodSeconds: 1", "terminationGracePeriodSeconds"},
	{"resources: {limits: {memory: much}}", "resources.limits.memory"},
	{"resources: {limits: {memory: 1Qi}}", "resources.limits.memory"},
	{"resources: {limits: {cpu: -1}}", "resources.limits.cpu"},
	{"seLinuxOptions: {typ: spc_t}", "typ is not allowed"},
	{"metrics: {port: 80}", "metrics.port"},
	{"metrics: {enabled: 1}", "metrics.enabled"},
	{"metrics: {updateStrategy: {rollingUpdate: {maxUnavailable: 0}}}", "maxUnavailable"},
	{"metrics: {listen: localhost}", "metrics.listen"},
	{"metrics: {enabled: true, tlsServerConfig: {enabled: true}}", "the Secret of the certificate"},
	{"metrics: {tlsServerConfig: {certFilename: 'a b'}}", "certFilename"},
	{"metrics: {limit: 0}", "metrics.limit"},
	{"metrics: {networkPolicy: {from: monitoring}}", "metrics.networkPolicy.from"},
	{"metrics: {serviceMonitor: {interval: often}}", "metrics.serviceMonitor.interval"},
	{"metrics: null", "metrics is required"},
}

type tests struct {
	failed bool
}

func (t *tests) result(name string, err error) {
	if err != nil {
		t.failed = true
		fmt.Printf("not ok %s: %v\n", name, err)
		return
	}
	fmt.Println("ok", name)
}

func parse(text string) object {
	var value object
	if err := yaml.UnmarshalStrict([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

// combine calls a function with every way of taking one of each row.
func combine(rows [][]string, values object, name string, do func(string, object)) {
	if len(rows) == 0 {
		do(name, values)
		return
	}
	for i, one := range rows[0] {
		combine(rows[1:], merge(values, deletable(parse(one))), fmt.Sprint(name, i), do)
	}
}

// deletable keeps the nulls of values for the merge with those of the chart.
func deletable(values object) object {
	for key, value := range values {
		if value == nil {
			values[key] = removed{}
		}
	}
	return values
}

type removed struct{}

func restore(values object) object {
	for key, value := range values {
		if _, is := value.(removed); is {
			values[key] = nil
		}
	}
	return values
}

func has(values object, path ...string) bool {
	var value interface{} = values
	for _, key := range path {
		inner, is := value.(object)
		if !is {
			return false
		}
		value = inner[key]
	}
	return value == true
}

// nameOf says what names of objects begin with.
func nameOf(values object) string {
	if name := values["fullnameOverride"].(string); name != "" {
		return name
	}
	if name := values["nameOverride"].(string); name != "" {
		return "mpu-" + name
	}
	return "mpu"
}

// accountOf says which ServiceAccount the pods are of.
func accountOf(values object) string {
	account := values["serviceAccount"].(object)
	if name := account["name"].(string); name != "" {
		return name
	}
	if account["create"] == false {
		return "default"
	}
	return nameOf(values)
}

// wanted says which objects these values have to make.
func wanted(values object) []string {
	name := nameOf(values)
	want := []string{"DaemonSet " + name}
	namespace := "mpu"
	if other := values["namespaceOverride"].(string); other != "" {
		namespace = other
	}
	if has(values, "serviceAccount", "create") {
		want = append(want, "ServiceAccount "+accountOf(values))
	}
	if has(values, "openshift", "create") {
		want = append(want, "SecurityContextConstraints "+name)
	}
	if has(values, "test", "create") {
		want = append(want, "Pod "+name+"-test")
	}
	if has(values, "namespace", "create") {
		want = append(want, "Namespace "+namespace)
	}
	if has(values, "runtimeClass", "create") {
		want = append(want, "RuntimeClass mpu")
	}
	if has(values, "metrics", "enabled") {
		want = append(want, "DaemonSet "+name+"-metrics", "Service "+name+"-metrics")
		if has(values, "metrics", "networkPolicy", "create") {
			want = append(want, "NetworkPolicy "+name+"-metrics")
		}
		if has(values, "metrics", "tlsServerConfig", "enabled") {
			want = append(want, "ConfigMap "+name+"-metrics-proxy")
		}
		if has(values, "metrics", "serviceMonitor", "create") {
			want = append(want, "ServiceMonitor "+name+"-metrics")
		}
		if has(values, "metrics", "prometheusRule", "create") {
			want = append(want, "PrometheusRule "+name+"-metrics")
		}
	}
	sort.Strings(want)
	return want
}

// mountsOf says what of the node the pods of a DaemonSet see.
func mountsOf(set *apps.DaemonSet) string {
	paths := map[string]string{}
	for _, volume := range set.Spec.Template.Spec.Volumes {
		if volume.HostPath != nil {
			paths[volume.Name] = volume.HostPath.Path
		}
	}
	var list []string
	for _, mount := range set.Spec.Template.Spec.Containers[0].VolumeMounts {
		text, is := paths[mount.Name]
		if !is {
			continue
		}
		if mount.MountPath != text {
			text += " at " + mount.MountPath
		}
		if !mount.ReadOnly {
			text += " to write"
		}
		if mount.MountPropagation != nil {
			text += " " + string(*mount.MountPropagation)
		}
		list = append(list, text)
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}

// checkMounts compares with what is documented.
func checkMounts(set *apps.DaemonSet) error {
	want := "/ at /host to write HostToContainer"
	if isMetrics(set) {
		want = "/run/mpu-metrics"
	}
	if got := mountsOf(set); got != want {
		return fmt.Errorf("%s sees %s, not %s", set.Name, got, want)
	}
	return nil
}

// asks says where a probe does.
func asks(probe *core.Probe) string {
	if probe == nil || probe.HTTPGet == nil {
		return "nowhere"
	}
	return probe.HTTPGet.Port.String() + probe.HTTPGet.Path
}

// checkProbes: a driver that hangs is no reason to start the container again.
func checkProbes(set *apps.DaemonSet) error {
	container := &set.Spec.Template.Spec.Containers[serving(set)]
	ready, alive := asks(container.ReadinessProbe), asks(container.LivenessProbe)
	if ready != "metrics/healthz" || alive != "metrics/livez" {
		return fmt.Errorf("%s: readiness asks %s, liveness %s", set.Name, ready, alive)
	}
	return nil
}

// checkRights: the pod of the metrics, which a network reaches, needs no right.
func checkRights(set *apps.DaemonSet) error {
	spec := &set.Spec.Template.Spec
	if spec.HostPID || spec.HostNetwork || !*spec.SecurityContext.RunAsNonRoot {
		return fmt.Errorf("%s is of the node's namespaces, or root", set.Name)
	}
	for i := 0; i <= serving(set); i++ {
		rights := spec.Containers[i].SecurityContext
		if rights.Privileged != nil || *rights.AllowPrivilegeEscalation ||
			len(rights.Capabilities.Add) > 0 || fmt.Sprint(rights.Capabilities.Drop) != "[ALL]" {
			return fmt.Errorf("%s has rights: %v", set.Name, rights)
		}
	}
	return nil
}

// checkNode compares the pod of a node with the values.
func checkNode(set *apps.DaemonSet, values object) error {
	args := strings.Join(set.Spec.Template.Spec.Containers[0].Args, " ")
	want := "node --engine=" + values["engine"].(string)
	if values["driverRoot"] != "" {
		want += " --folder=/home/mpu --driver-root=/run/nvidia/driver --yes"
	}
	if has(values, "metrics", "enabled") {
		want += " --metrics=1000"
	}
	if has(values, "metrics", "enabled") && has(values, "metrics", "processes") {
		want += " --processes"
	}
	if has(values, "runtimeClass", "create") {
		want += " --runtime=" + values["runtimeClass"].(object)["containerEngine"].(string)
	}
	if has(values, "runtimeClass", "readyNodes") {
		want += " --config=/etc/c.toml --unit=k3s --programs=/opt/k3s" +
			" --oci-runtime=/usr/bin/crun"
	}
	if args != want {
		return fmt.Errorf("arguments are %q, not %q", args, want)
	}
	privileges := set.Spec.Template.Spec.Containers[0].SecurityContext
	added := privileges.Capabilities.Add
	if privileges.Privileged != nil || len(added) != 1 || added[0] != "SYS_CHROOT" ||
		*privileges.AllowPrivilegeEscalation || set.Spec.Template.Spec.HostNetwork {
		return fmt.Errorf("it has other privileges than are documented")
	}
	return nil
}

// checkImage: a digest names one image, whatever the tag says by now.
func checkImage(set *apps.DaemonSet, c *chart, image object) error {
	want := fmt.Sprint(image["repository"], ":", image["tag"])
	if image["tag"] == "" {
		want += c.text("appVersion")
	}
	if image["digest"] != "" {
		want = fmt.Sprint(image["repository"], "@", image["digest"])
	}
	if got := set.Spec.Template.Spec.Containers[0].Image; got != want {
		return fmt.Errorf("the image of %s is %s, not %s", set.Name, got, want)
	}
	return nil
}

// checkPlace compares where pods are, and how they are exchanged, with the values.
func checkPlace(set *apps.DaemonSet, values object) error {
	spec := &set.Spec.Template.Spec
	own := values
	if isMetrics(set) {
		own = values["metrics"].(object)
	}
	want := own["nodeSelector"]
	if selector, _ := want.(object); len(selector) == 0 {
		want = values["nodeSelector"]
	}
	if want == nil {
		want = object{}
	}
	if got := fmt.Sprint(spec.NodeSelector); got != fmt.Sprint(want) {
		return fmt.Errorf("nodeSelector of %s is %s, not %v", set.Name, got, want)
	}
	tolerations, _ := own["tolerations"].([]interface{})
	if len(tolerations) == 0 {
		tolerations, _ = values["tolerations"].([]interface{})
	}
	if len(spec.Tolerations) != len(tolerations) {
		return fmt.Errorf("tolerations of %s are %v", set.Name, spec.Tolerations)
	}
	strategy := own["updateStrategy"].(object)
	if got := string(set.Spec.UpdateStrategy.Type); got != strategy["type"] {
		return fmt.Errorf("%s is updated by %s", set.Name, got)
	}
	affinity := values["affinity"]
	if of, _ := own["affinity"].(object); len(of) > 0 {
		affinity = of
	}
	if (spec.Affinity == nil) != (affinity == nil) {
		return fmt.Errorf("affinity of %s is %v", set.Name, spec.Affinity)
	}
	if spec.ServiceAccountName != accountOf(values) {
		return fmt.Errorf("%s is of %s", set.Name, spec.ServiceAccountName)
	}
	more := values["extraEnv"].([]interface{})
	if env := spec.Containers[0].Env; len(env) != len(more) {
		return fmt.Errorf("variables of %s are %v", set.Name, env)
	}
	if mounts := len(spec.Containers[0].VolumeMounts); mounts != 1+len(more) {
		return fmt.Errorf("%s has %d volumes", set.Name, mounts)
	}
	return nil
}

// checkClass: pods of the class go where MPU is, or is ready.
func checkClass(class *node.RuntimeClass, values object) error {
	label := ""
	if class.Scheduling != nil {
		label = class.Scheduling.NodeSelector["feature.node.kubernetes.io/mpu.ready"]
	}
	if (label == "true") != has(values, "runtimeClass", "readyNodes") {
		return fmt.Errorf("its pods go to nodes with mpu.ready=%q", label)
	}
	return nil
}

func checkPod(set *apps.DaemonSet, c *chart, values object) error {
	if err := checkPlace(set, values); err != nil {
		return err
	}
	if err := checkImage(set, c, values["image"].(object)); err != nil {
		return err
	}
	if err := checkMounts(set); err != nil {
		return err
	}
	if isMetrics(set) {
		if err := checkRights(set); err != nil {
			return err
		}
		return checkProbes(set)
	}
	return checkNode(set, values)
}

func tryValues(c *chart, values object) error {
	objects, err := objectsOf(c, values)
	if err != nil {
		return err
	}
	if err := checkAll(objects); err != nil {
		return err
	}
	all := merge(c.values, values)
	var got []string
	for _, one := range objects {
		got = append(got, kindOf(one)+" "+one.(meta.Object).GetName())
		if set, is := one.(*apps.DaemonSet); is {
			if err := checkPod(set, c, all); err != nil {
				return err
			}
		}
		if class, is := one.(*node.RuntimeClass); is {
			if err := checkClass(class, all); err != nil {
				return err
			}
		}
	}
	sort.Strings(got)
	if want := wanted(all); strings.Join(got, ", ") != strings.Join(want, ", ") {
		return fmt.Errorf("objects are %v, not %v", got, want)
	}
	return nil
}

func (t *tests) combinations(c *chart) {
	tried := 0
	combine(choices, object{}, "", func(name string, values object) {
		tried++
		if err := tryValues(c, restore(values)); err != nil {
			t.result("values "+name, err)
		}
	})
	var err error
	if tried < 1000 {
		err = fmt.Errorf("only %d", tried)
	}
	t.result(fmt.Sprint(tried, " combinations of values"), err)
}

func (t *tests) refusals(c *chart) {
	for _, one := range refused {
		_, err := c.render(parse(one[0]), "mpu", "mpu", "Helm")
		switch {
		case err == nil:
			err = fmt.Errorf("it is taken")
		case strings.Contains(strings.ReplaceAll(err.Error(), "Additional property ", ""),
			one[1]):
			err = nil
		}
		t.result("refuses "+one[0], err)
	}
}

// paths lists the keys of an object, and of those in it, but not of what is handed on
// to Kubernetes as it is.
func paths(values object, prefix string, handedOn func(string) bool) []string {
	var list []string
	for key, value := range values {
		inner, is := value.(object)
		if is && !handedOn(prefix+key) {
			list = append(list, paths(inner, prefix+key+".", handedOn)...)
		} else {
			list = append(list, prefix+key)
		}
	}
	sort.Strings(list)
	return list
}

// schemaPaths lists the properties that the schema names.
func schemaPaths(schema object, prefix string) []string {
	var list []string
	for key, value := range schema["properties"].(object) {
		inner := value.(object)
		if _, is := inner["properties"].(object); is && prefix+key != "seLinuxOptions" {
			list = append(list, schemaPaths(inner, prefix+key+".")...)
		} else {
			list = append(list, prefix+key)
		}
	}
	sort.Strings(list)
	return list
}

// Helm gives every chart the values of all.
const global = "global"

func (t *tests) schema(c *chart, folder string) {
	text, err := os.ReadFile(filepath.Join(folder, "values.schema.json"))
	var schema object
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if err != nil {
		t.result("the schema can be read", err)
		return
	}
	handedOn := func(path string) bool {
		return regexp.MustCompile(
			`nodeSelector$|affinity$|podSecurityContext$|^(seLinuxOptions|pod.*)$|resources$|labels$|(tlsConfig|Monitor.basicAuth)$`).MatchString(path)
	}
	known := schemaPaths(schema, "")
	given := append(paths(c.values, "", handedOn), global)
	sort.Strings(given)
	if strings.Join(known, " ") != strings.Join(given, " ") {
		err = fmt.Errorf("the schema has %v, values.yaml %v", known, given)
	}
	t.result("the schema knows the values there are, and no others", err)
}

var keyLine = regexp.MustCompile(`^( *)(- )?([a-zA-Z]+):(.*)$`)

// Each value is documented, or part of one that is.
func (t *tests) documented(folder string) {
	text, err := os.ReadFile(filepath.Join(folder, "values.yaml"))
	if err != nil {
		t.result("values.yaml can be read", err)
		return
	}
	lines := strings.Split(string(text), "\n")
	covered := -1 // the indentation of a documented value whose parts these are
	for i, line := range lines {
		match := keyLine.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		depth := len(match[1])
		if depth > covered && covered >= 0 {
			continue
		}
		covered = -1
		isComment := func(at int) bool {
			return at >= 0 && at < len(lines) &&
				strings.HasPrefix(strings.TrimSpace(lines[at]), "#")
		}
		isGroup := match[4] == "" && isComment(i+1)
		switch {
		case isGroup: // what is in it is documented one by one
		case isComment(i - 1):
			covered = depth
		case match[4] == "" && keyLine.MatchString(lines[i+1]) && !isComment(i-1):
			// a group whose values have to be
		default:
			err = fmt.Errorf("line %d: %s", i+1, line)
		}
	}
	t.result("each value is documented", err)
}

func testChart(c *chart, folder string) bool {
	var t tests
	t.combinations(c)
	t.refusals(c)
	t.schema(c, folder)
	t.documented(folder)
	return !t.failed
}
