// SPDX-License-Identifier: GPL-2.0-only

// Objects, as the API server reads them: strictly into its own types, and some of what
// it would refuse of them besides.
package main

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	names "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Not of Kubernetes' own types: what of their definitions we use.
type prometheusRule struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		Groups []struct {
			Name  string `json:"name"`
			Rules []struct {
				Alert       string            `json:"alert"`
				Record      string            `json:"record"`
				Expr        string            `json:"expr"`
				For         string            `json:"for"`
				Labels      map[string]string `json:"labels"`
				Annotations map[string]string `json:"annotations"`
			} `json:"rules"`
		} `json:"groups"`
	} `json:"spec"`
}

func (p *prometheusRule) DeepCopyObject() runtime.Object {
	copied := *p
	return &copied
}

type strategy struct {
	Type string `json:"type"`
}

type securityContextConstraints struct {
	meta.TypeMeta            `json:",inline"`
	meta.ObjectMeta          `json:"metadata"`
	Users                    []string          `json:"users"`
	AllowHostDirVolumePlugin bool              `json:"allowHostDirVolumePlugin"`
	AllowHostPID             bool              `json:"allowHostPID"`
	AllowHostIPC             bool              `json:"allowHostIPC"`
	AllowHostNetwork         bool              `json:"allowHostNetwork"`
	AllowHostPorts           bool              `json:"allowHostPorts"`
	AllowPrivilegedContainer bool              `json:"allowPrivilegedContainer"`
	AllowPrivilegeEscalation *bool             `json:"allowPrivilegeEscalation"`
	AllowedCapabilities      []core.Capability `json:"allowedCapabilities"`
	ReadOnlyRootFilesystem   bool              `json:"readOnlyRootFilesystem"`
	RunAsUser                strategy          `json:"runAsUser"`
	SELinuxContext           strategy          `json:"seLinuxContext"`
	FSGroup                  strategy          `json:"fsGroup"`
	SupplementalGroups       strategy          `json:"supplementalGroups"`
	SeccompProfiles          []string          `json:"seccompProfiles"`
	Volumes                  []string          `json:"volumes"`
}

func (s *securityContextConstraints) DeepCopyObject() runtime.Object {
	copied := *s
	return &copied
}

type relabeling struct {
	SourceLabels []string `json:"sourceLabels"`
	TargetLabel  string   `json:"targetLabel"`
}

type serviceMonitor struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		Selector  meta.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port              string       `json:"port"`
			Interval          string       `json:"interval"`
			ScrapeTimeout     string       `json:"scrapeTimeout"`
			Scheme            string       `json:"scheme"`
			TLSConfig         object       `json:"tlsConfig"`
			BasicAuth         object       `json:"basicAuth"`
			HonorLabels       bool         `json:"honorLabels"`
			Relabelings       []relabeling `json:"relabelings"`
			MetricRelabelings []relabeling `json:"metricRelabelings"`
		} `json:"endpoints"`
	} `json:"spec"`
}

func (s *serviceMonitor) DeepCopyObject() runtime.Object {
	copied := *s
	return &copied
}

func newDecoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		apps.AddToScheme, core.AddToScheme, networking.AddToScheme, node.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	for kind, object := range map[string]runtime.Object{
		"ServiceMonitor": &serviceMonitor{}, "PrometheusRule": &prometheusRule{},
	} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{
			Group: "monitoring.coreos.com", Version: "v1", Kind: kind,
		}, object)
	}
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{
		Group: "security.openshift.io", Version: "v1", Kind: "SecurityContextConstraints",
	}, &securityContextConstraints{})
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme,
		json.SerializerOptions{Yaml: true, Strict: true}), nil
}

func decode(decoder runtime.Decoder, documents []string) ([]runtime.Object, error) {
	var objects []runtime.Object
	for _, document := range documents {
		one, _, err := decoder.Decode([]byte(document), nil, nil)
		if err != nil {
			return nil, fmt.Errorf("%v, in\n%s", err, document)
		}
		objects = append(objects, one)
	}
	return objects, nil
}

func checkMeta(object meta.Object) error {
	errors := validation.ValidateLabels(object.GetLabels(), field.NewPath("labels"))
	for _, why := range names.IsDNS1123Subdomain(object.GetName()) {
		errors = append(errors, field.Invalid(field.NewPath("name"), object.GetName(), why))
	}
	return errors.ToAggregate()
}

func checkContainer(container *core.Container, volumes map[string]bool) error {
	for _, mount := range container.VolumeMounts {
		if !volumes[mount.Name] {
			return fmt.Errorf("no volume %q", mount.Name)
		}
	}
	for _, port := range container.Ports {
		if wrong := names.IsValidPortName(port.Name); wrong != nil {
			return fmt.Errorf("port %q: %v", port.Name, wrong)
		}
	}
	for name, limit := range container.Resources.Limits {
		request, is := container.Resources.Requests[name]
		if is && request.Cmp(limit) > 0 {
			return fmt.Errorf("request of %s above its limit", name)
		}
	}
	if container.Image == "" || container.SecurityContext == nil {
		return fmt.Errorf("container %q lacks an image or a security context", container.Name)
	}
	return nil
}

func isMetrics(set *apps.DaemonSet) bool {
	return strings.HasSuffix(set.Name, "-metrics")
}

// serving says which container is asked: the proxy, where there is one.
func serving(set *apps.DaemonSet) int {
	containers := set.Spec.Template.Spec.Containers
	if len(containers) > 1 && containers[1].Name == "proxy" {
		return 1
	}
	return 0
}

func checkDaemonSet(set *apps.DaemonSet) error {
	spec := &set.Spec.Template.Spec
	selector, err := meta.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil {
		return err
	}
	if !selector.Matches(labels.Set(set.Spec.Template.Labels)) {
		return fmt.Errorf("its selector does not select its pods")
	}
	rolling := set.Spec.UpdateStrategy.RollingUpdate
	if rolling != nil && !isMetrics(set) {
		if rolling.MaxSurge.String() == "0" || rolling.MaxUnavailable.String() != "0" {
			return fmt.Errorf("the next pod does not come before the last goes")
		}
	}
	if spec.AutomountServiceAccountToken == nil || *spec.AutomountServiceAccountToken {
		return fmt.Errorf("its pods can ask the API server")
	}
	volumes := map[string]bool{}
	for _, volume := range spec.Volumes {
		sources := reflect.ValueOf(volume.VolumeSource)
		set := 0
		for i := 0; i < sources.NumField(); i++ {
			if !sources.Field(i).IsNil() {
				set++
			}
		}
		if volumes[volume.Name] || set != 1 {
			return fmt.Errorf("volume %q is there twice, or not of one kind", volume.Name)
		}
		volumes[volume.Name] = true
	}
	for i := range spec.Containers {
		if err := checkContainer(&spec.Containers[i], volumes); err != nil {
			return err
		}
	}
	return nil
}

// pods of a release: what selects them has to select those of one DaemonSet, all with
// the port that is named.
func checkSelected(objects []runtime.Object, selector map[string]string, port string) error {
	found := 0
	for _, one := range objects {
		set, is := one.(*apps.DaemonSet)
		if !is || !labels.SelectorFromSet(selector).Matches(labels.Set(set.Spec.Template.Labels)) {
			continue
		}
		found++
		for _, container := range set.Spec.Template.Spec.Containers {
			for _, has := range container.Ports {
				if has.Name == port {
					port = ""
				}
			}
		}
	}
	if found != 1 || port != "" {
		return fmt.Errorf("it selects the pods of %d DaemonSets; port %q is missing", found, port)
	}
	return nil
}

func checkMonitor(objects []runtime.Object, monitor *serviceMonitor) error {
	for _, endpoint := range monitor.Spec.Endpoints {
		if !endpoint.HonorLabels {
			return fmt.Errorf("labels pod and namespace are those of mpu's own pod")
		}
		if first := fmt.Sprint(endpoint.Relabelings[0]); first !=
			"{[__meta_kubernetes_pod_node_name] instance}" {
			return fmt.Errorf("the first relabeling is %s", first)
		}
		for _, set := range objects {
			set, is := set.(*apps.DaemonSet)
			if !is || !isMetrics(set) {
				continue
			}
			containers := set.Spec.Template.Spec.Containers
			probe := containers[serving(set)].ReadinessProbe.HTTPGet.Scheme
			if !strings.EqualFold(string(probe), endpoint.Scheme) {
				return fmt.Errorf("it speaks %s, the probe %s", endpoint.Scheme, probe)
			}
		}
	}
	for _, one := range objects {
		service, is := one.(*core.Service)
		if is && labels.SelectorFromSet(monitor.Spec.Selector.MatchLabels).Matches(
			labels.Set(service.Labels)) {
			return nil
		}
	}
	return fmt.Errorf("it selects no service")
}

var ours = regexp.MustCompile(`\bmpu_[a-z_]+`)

// checkRule looks that what alerts go by is documented.
func checkRule(rule *prometheusRule) error {
	documented, err := os.ReadFile("docs/metrics.md")
	if err != nil {
		return err
	}
	for _, group := range rule.Spec.Groups {
		for _, one := range group.Rules {
			if one.Alert != "" && !strings.HasSuffix(one.Annotations["runbook_url"], "/docs/metrics.md#alerts") {
				return fmt.Errorf("alert %s leads to %s", one.Alert, one.Annotations["runbook_url"])
			}
			if (one.Alert == "") == (one.Record == "") {
				return fmt.Errorf("%q neither alerts nor records", one.Expr)
			}
			for _, name := range ours.FindAllString(one.Expr, -1) {
				if !strings.Contains(string(documented), "`"+name+"`") {
					return fmt.Errorf("alert %s: there is no %s", one.Alert, name)
				}
			}
		}
	}
	return nil
}

// checkAllowed looks that these let in the pods of a release, and no others.
func checkAllowed(objects []runtime.Object, allowed *securityContextConstraints) error {
	for _, one := range objects {
		var spec *core.PodSpec
		switch object := one.(type) {
		case *apps.DaemonSet:
			spec = &object.Spec.Template.Spec
		case *core.Pod:
			spec = &object.Spec
		default:
			continue
		}
		namespace := one.(meta.Object).GetNamespace()
		user := "system:serviceaccount:" + namespace + ":" + spec.ServiceAccountName
		if len(allowed.Users) != 1 || allowed.Users[0] != user {
			return fmt.Errorf("they are of %v, not of %s", allowed.Users, user)
		}
		context := spec.Containers[0].SecurityContext
		if context.Privileged != nil && !allowed.AllowPrivilegedContainer {
			return fmt.Errorf("they forbid a privileged pod")
		}
		if context.Capabilities == nil {
			continue
		}
		for _, added := range context.Capabilities.Add {
			if !strings.Contains(fmt.Sprint(allowed.AllowedCapabilities), string(added)) {
				return fmt.Errorf("they forbid CAP_%s", added)
			}
		}
	}
	return nil
}

func checkObject(objects []runtime.Object, one runtime.Object) error {
	if err := checkMeta(one.(meta.Object)); err != nil {
		return err
	}
	switch object := one.(type) {
	case *core.Namespace:
		for _, mode := range []string{"enforce", "warn", "audit"} {
			if object.Labels["pod-security.kubernetes.io/"+mode] != "privileged" {
				return fmt.Errorf("pod-security, %s: it is not privileged", mode)
			}
		}
	case *apps.DaemonSet:
		return checkDaemonSet(object)
	case *core.Service:
		if !object.Spec.PublishNotReadyAddresses {
			return fmt.Errorf("a node whose driver hangs vanishes from it")
		}
		return checkSelected(objects, object.Spec.Selector,
			object.Spec.Ports[0].TargetPort.StrVal)
	case *networking.NetworkPolicy:
		port := "metrics"
		if len(object.Spec.Ingress) > 0 {
			port = object.Spec.Ingress[0].Ports[0].Port.StrVal
		}
		return checkSelected(objects, object.Spec.PodSelector.MatchLabels, port)
	case *serviceMonitor:
		return checkMonitor(objects, object)
	case *prometheusRule:
		return checkRule(object)
	case *securityContextConstraints:
		return checkAllowed(objects, object)
	case *core.Pod:
		return checkContainer(&object.Spec.Containers[0], nil)
	}
	return nil
}

// checkAll also looks that no two objects are one.
func checkAll(objects []runtime.Object) error {
	seen := map[string]bool{}
	for _, one := range objects {
		name := kindOf(one) + " " + one.(meta.Object).GetName()
		if seen[name] {
			return fmt.Errorf("%s is there twice", name)
		}
		seen[name] = true
		if err := checkObject(objects, one); err != nil {
			return fmt.Errorf("%s: %v", name, err)
		}
	}
	return nil
}

func kindOf(one runtime.Object) string {
	kind := one.GetObjectKind().GroupVersionKind().Kind
	return strings.TrimSpace(kind)
}
