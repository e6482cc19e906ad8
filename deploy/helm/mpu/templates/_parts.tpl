{{/* SPDX-License-Identifier: GPL-2.0-only */ -}}
{{/* What several objects say. */ -}}

{{- define "mpu.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{- define "mpu.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (.Values.serviceAccount.create | ternary (include "mpu.name" .) "default") }}
{{- end }}

{{/* The dict has: part ("node", "metrics"), and the root as "root". */ -}}
{{- define "mpu.selector" -}}
app.kubernetes.io/name: mpu
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "mpu.labels" -}}
{{ include "mpu.selector" . }}
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
{{- with $values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
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
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
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
