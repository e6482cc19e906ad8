// SPDX-License-Identifier: GPL-2.0-only

// Renders a chart as Helm does, as far as ours goes: values on top of those of the
// chart, checked by its schema, and templates with sprig's functions, include and
// toYaml. Options as Helm sets them: missing keys are empty.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/xeipuuv/gojsonschema"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

// The chart's folder, of which templates read files.
type files string

func (f files) Get(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(string(f), name))
	return string(text), err
}

type chart struct {
	files        files
	meta, values object
	schema       *gojsonschema.Schema
	templates    *template.Template
	names        []string // of templates that make objects
}

// Contents of Chart.yaml, under the names that templates have for it.
type metadata struct {
	Name, Version, AppVersion string
}

func readYAML(path string) (object, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var value object
	if err := yaml.UnmarshalStrict(text, &value); err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	return value, nil
}

func toYAML(value interface{}) (string, error) {
	text, err := yaml.Marshal(value)
	return strings.TrimSuffix(string(text), "\n"), err
}

func readTemplates(c *chart, folder string) error {
	c.templates = template.New("mpu").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["toYaml"] = toYAML
	functions["required"] = func(why string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(why)
		}
		return value, nil
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := c.templates.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	c.templates.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return err
	}
	sort.Strings(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		if _, err := c.templates.New(name).Parse(string(text)); err != nil {
			return err
		}
		if strings.HasSuffix(name, ".yaml") {
			c.names = append(c.names, name)
		}
	}
	return nil
}

func readChart(folder string) (*chart, error) {
	c := chart{files: files(folder)}
	var err error
	if c.meta, err = readYAML(filepath.Join(folder, "Chart.yaml")); err != nil {
		return nil, err
	}
	if c.values, err = readYAML(filepath.Join(folder, "values.yaml")); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(folder, "values.schema.json"))
	if err != nil {
		return nil, err
	}
	c.schema, err = gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		return nil, fmt.Errorf("values.schema.json: %v", err)
	}
	return &c, readTemplates(&c, folder)
}

// merge puts values on top of others: key by key, lists as a whole; null removes.
func merge(below, above object) object {
	result := object{}
	for key, value := range below {
		result[key] = value
	}
	for key, value := range above {
		inner, isMap := value.(object)
		old, wasMap := result[key].(object)
		switch {
		case value == nil:
			delete(result, key)
		case isMap && wasMap:
			result[key] = merge(old, inner)
		default:
			result[key] = value
		}
	}
	return result
}

// check has the schema say what is wrong with values.
func (c *chart) check(values object) error {
	text, err := json.Marshal(values)
	if err != nil {
		return err
	}
	result, err := c.schema.Validate(gojsonschema.NewBytesLoader(text))
	if err != nil || result.Valid() {
		return err
	}
	var wrong []string
	for _, one := range result.Errors() {
		wrong = append(wrong, one.String())
	}
	return fmt.Errorf("values: %s", strings.Join(wrong, "; "))
}

// text of Chart.yaml
func (c *chart) text(key string) string {
	return fmt.Sprint(c.meta[key])
}

// render makes the documents of a release, of each template those it makes.
func (c *chart) render(values object, release, namespace, service string) ([]string, error) {
	values = merge(c.values, values)
	if err := c.check(values); err != nil {
		return nil, err
	}
	data := object{
		"Values": values,
		"Files":  c.files,
		"Chart":  metadata{c.text("name"), c.text("version"), c.text("appVersion")},
		"Release": object{"Name": release, "Namespace": namespace,
			"Service": service},
	}
	var documents []string
	for _, name := range c.names {
		var out strings.Builder
		if err := c.templates.ExecuteTemplate(&out, name, data); err != nil {
			return nil, err
		}
		for _, one := range strings.Split(out.String(), "\n---\n") {
			if one = strings.TrimSpace(one); one != "" {
				documents = append(documents, one)
			}
		}
	}
	return documents, nil
}
