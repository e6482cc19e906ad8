// SPDX-License-Identifier: GPL-2.0-only

// Renders the chart without Helm, and tests it.
//
//	render objects CHART VALUES	what `kubectl apply` is given: values of a file
//	render arguments CHART VALUES	words of each container, a line each
//	render pod CHART VALUES		the DaemonSet's pod, in JSON
//	render test CHART		tests, as "ok NAME" or "not ok NAME"
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	apps "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

func objectsOf(c *chart, values object) ([]runtime.Object, error) {
	decoder, err := newDecoder()
	if err != nil {
		return nil, err
	}
	documents, err := c.render(values, "mpu", "mpu", "Helm")
	if err != nil {
		return nil, err
	}
	return decode(decoder, documents)
}

func printArguments(objects []runtime.Object) {
	for _, one := range objects {
		if set, is := one.(*apps.DaemonSet); is {
			for _, container := range set.Spec.Template.Spec.Containers {
				fmt.Println(strings.Join(container.Args, " "))
			}
		}
	}
}

func printPod(objects []runtime.Object) error {
	for _, one := range objects {
		if set, is := one.(*apps.DaemonSet); is && set.Name == "mpu" {
			text, err := json.MarshalIndent(set.Spec.Template.Spec, "", "\t")
			fmt.Println(string(text))
			return err
		}
	}
	return fmt.Errorf("there is no DaemonSet mpu")
}

func main() {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: render objects|arguments|pod|test CHART [VALUES]"))
	}
	c, err := readChart(os.Args[2])
	fail(err)
	if os.Args[1] == "test" {
		if !testChart(c, os.Args[2]) {
			os.Exit(1)
		}
		return
	}
	values, err := readYAML(os.Args[3])
	fail(err)
	if os.Args[1] == "objects" {
		// Not of Helm: kubectl manages what these say.
		documents, err := c.render(values, "mpu", "mpu", "kubectl")
		fail(err)
		fmt.Println(strings.Join(documents, "\n---\n"))
		return
	}
	objects, err := objectsOf(c, values)
	fail(err)
	if os.Args[1] == "pod" {
		fail(printPod(objects))
	} else {
		printArguments(objects)
	}
}
