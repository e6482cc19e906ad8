{{/* SPDX-License-Identifier: GPL-2.0-only */ -}}
{{/* What several objects say. */ -}}

{{- define "mpu.name" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- $all := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{/* With what stands behind it ("-metrics-proxy") it is a name of 63 letters at most. */ -}}
{{ .Values.fullnameOverride | default $all | trunc 49 | trimSuffix "-" }}
{{- end }}

{{- define "mpu.namespace" -}}
{{ .Values.namespaceOverride | default .Release.Namespace }}
{{- end }}

{{- define "mpu.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (.Values.serviceAccount.create | ternary (include "mpu.name" .) "default") }}
{{- end }}

{{/* The dict has: part ("node", "metrics"), and the root as "root". */ -}}
{{- define "mpu.selector" -}}
app.kubernetes.io/name: {{ .root.Values.nameOverride | default .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "mpu.labels" -}}
{{ include "mpu.selector" . }}
{{- if eq .root.Release.Service "Helm" }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- end }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "mpu.image" -}}
{{- $which := printf ":%s" (.Values.image.tag | default .Chart.AppVersion) -}}
{{- with .Values.image.digest }}{{ $which = printf "@%s" . }}{{ end -}}
image: {{ print .Values.image.repository $which | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* Where pods are, and what they may not do, whatever is in them: of that dict. */ -}}
{{- define "mpu.placement" -}}
{{- $values := .root.Values -}}
{{- $own := eq .part "metrics" | ternary $values.metrics dict -}}
serviceAccountName: {{ include "mpu.serviceAccount" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $own.nodeSelector | default $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations | default $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.affinity | default $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* How pods are exchanged: of the values of one DaemonSet. */ -}}
{{- define "mpu.rollout" -}}
revisionHistoryLimit: {{ .revisionHistoryLimit }}
minReadySeconds: {{ .minReadySeconds }}
updateStrategy:
  {{- $type := .updateStrategy.type }}
  {{- eq $type "OnDelete" | ternary (dict "type" $type) .updateStrategy | toYaml | nindent 2 }}
{{- end }}

{{- define "mpu.podMetadata" -}}
labels:
  {{- include "mpu.labels" . | nindent 2 }}
{{- with .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Of what needs no right at all. */ -}}
{{- define "mpu.unprivileged" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- with .Values.seLinuxOptions }}
seLinuxOptions:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "mpu.probes" -}}
# 503 while the driver or the engine hangs.
readinessProbe:
  httpGet:
    path: /healthz
    port: metrics
    scheme: {{ .Values.metrics.tlsServerConfig.enabled | ternary "HTTPS" "HTTP" }}
  periodSeconds: 10
  timeoutSeconds: 10
# 200 meanwhile: to start this again ends no hang of the driver.
livenessProbe:
  httpGet:
    path: /livez
    port: metrics
    scheme: {{ .Values.metrics.tlsServerConfig.enabled | ternary "HTTPS" "HTTP" }}
  periodSeconds: 60
  # Clients that are served before this one have 30 seconds.
  timeoutSeconds: 35
{{- end }}
