// SPDX-License-Identifier: GPL-2.0-only

// Objects, as the API server reads them: strictly into its own types, and some of what
// it would refuse of them besides.
package main

import (
	"fmt"
	"reflect"
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

// A ServiceMonitor is no type of Kubernetes' own: what of its definition we use.
type serviceMonitor struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		Selector  meta.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port        string `json:"port"`
			Interval    string `json:"interval"`
			HonorLabels bool   `json:"honorLabels"`
			Relabelings []struct {
				SourceLabels []string `json:"sourceLabels"`
				TargetLabel  string   `json:"targetLabel"`
			} `json:"relabelings"`
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
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{
		Group: "monitoring.coreos.com", Version: "v1", Kind: "ServiceMonitor",
	}, &serviceMonitor{})
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

func checkDaemonSet(set *apps.DaemonSet) error {
	spec := &set.Spec.Template.Spec
	selector, err := meta.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil {
		return err
	}
	if !selector.Matches(labels.Set(set.Spec.Template.Labels)) {
		return fmt.Errorf("its selector does not select its pods")
	}
	if rolling := set.Spec.UpdateStrategy.RollingUpdate; rolling != nil {
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
		if relabelings := fmt.Sprint(endpoint.Relabelings); relabelings !=
			"[{[__meta_kubernetes_pod_node_name] instance}]" {
			return fmt.Errorf("relabelings are %s", relabelings)
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
