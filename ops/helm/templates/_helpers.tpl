{{- define "pillwatch.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "pillwatch.labels" -}}
app.kubernetes.io/name: pillwatch
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{/* Settings as env: a list of [settings], required and optional keys of the Secret. */}}
{{- define "pillwatch.env" -}}
{{- range $name, $value := .settings }}
- name: {{ $name }}
  {{- /* Helm reads whole numbers of a values file as floats: 2000000 would be 2e+06 */}}
  value: {{ if and (kindIs "float64" $value) (eq (floor $value) $value) }}{{ int64 $value | quote }}{{ else }}{{ $value | quote }}{{ end }}
{{- end }}
{{- range .secrets }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.secretName }}, key: {{ . }} } }
{{- end }}
{{- range .optionalSecrets }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.secretName }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end }}

{{/* No container can write to its own files, gain privileges or use capabilities of root. */}}
{{- define "pillwatch.confined" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end }}
