{{- /* A pod for commands of the owner of the tables, and its containers. NOTES.txt has one, too. Takes the component prepare. */ -}}
{{- define "gateway.commandPod" -}}
restartPolicy: Never
{{ include "gateway.podSettings" . }}
{{- with .values.initContainers }}
initContainers: {{- toYaml . | nindent 2 }}
{{- end }}
volumes: {{- include "gateway.commonVolumes" . | nindent 2 }}
{{- end }}

{{- define "gateway.command" -}}
{{- $prepare := .prepare }}
{{- $root := $prepare.root }}
{{- $image := include "gateway.image" (dict "root" $root "name" "api") }}
- name: {{ .name }}
  image: {{ $image }}
  imagePullPolicy: {{ include "gateway.pullPolicy" (dict "root" $root "image" $image) }}
  command: [{{ .name }}]
  securityContext: {{- include "gateway.containerSecurity" . | nindent 4 }}
  {{- with include "gateway.environment" (dict "root" $root "chart" (dict) "own" (dict) "shared" $root.Values.config "env" $prepare.values.env "path" "prepare" "process" "") | trim }}
  env: {{- . | nindent 4 }}
  {{- end }}
  {{- include "gateway.envFrom" $prepare | trim | nindent 2 }}
  resources: {{- toYaml $prepare.values.resources | nindent 4 }}
  volumeMounts: {{- include "gateway.commonMounts" $prepare | nindent 4 }}
{{- end }}
