{{/* SPDX-License-Identifier: GPL-2.0-only */ -}}
{{/* What several objects say. */ -}}

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

{{/* Where pods are, and what they may not do, whatever is in them. */ -}}
{{- define "mpu.placement" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
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
