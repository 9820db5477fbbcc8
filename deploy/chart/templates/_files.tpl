{{- /* Files of a component from Secrets and ConfigMaps. Volumes are named by the position in the list: first those of all, then its own. */ -}}
{{- define "gateway.files" -}}
{{- concat (default list .root.Values.files) (default list .values.files) | toJson }}
{{- end }}

{{- define "gateway.fileMounts" -}}
{{- $files := include "gateway.files" . | fromJsonArray }}
{{- range $at, $from := $files }}
{{- /* The schema would only say "'not' failed". */}}
{{- if regexMatch "^/((app|bin|boot|dev|lib(32|64|x32)?|proc|root|run|sbin|spool|store|sys|tmp|types|usr|var/run)(/|$)|(etc|home|opt|var)$)" $from.path }}
{{- fail (printf "The files of %s would hide a folder of the container. Give them a folder of their own, such as /etc/reports." $from.path) }}
{{- end }}
{{- if eq (hasKey $from "secret") (hasKey $from "configMap") }}
{{- fail (printf "The files of %s need either secret or configMap." $from.path) }}
{{- end }}
{{- range $place, $other := $files }}
{{- if and (ne $at $place) (hasPrefix (printf "%s/" $other.path) (printf "%s/" $from.path)) }}
{{- fail (printf "The files of %s would lie in those of %s, which are read-only. Give each a folder of its own." $from.path $other.path) }}
{{- end }}
{{- end }}
- { name: files-{{ $at }}, mountPath: {{ $from.path }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "gateway.fileVolumes" -}}
{{- range $at, $from := include "gateway.files" . | fromJsonArray }}
- name: files-{{ $at }}
  {{- if $from.secret }}
  # Readable only by the group of the process.
  secret: { secretName: {{ $from.secret }}, defaultMode: 0440 }
  {{- else }}
  configMap: { name: {{ $from.configMap }} }
  {{- end }}
{{- end }}
{{- end }}

{{- /* Checksums of the Secrets and ConfigMaps of a component, so that a change of their data restarts it. Empty where helm has no cluster. */ -}}
{{- define "gateway.checksums" -}}
{{- if .root.Values.restartOnSecretChange }}
{{- $secrets := list .secret }}
{{- $maps := list }}
{{- range include "gateway.files" . | fromJsonArray }}
{{- $secrets = append $secrets (default "" .secret) }}
{{- $maps = append $maps (default "" .configMap) }}
{{- end }}
{{- range default list .values.envFrom }}
{{- $secrets = append $secrets (dig "secretRef" "name" "" .) }}
{{- $maps = append $maps (dig "configMapRef" "name" "" .) }}
{{- end }}
{{- range default list .values.env }}
{{- $secrets = append $secrets (dig "valueFrom" "secretKeyRef" "name" "" .) }}
{{- $maps = append $maps (dig "valueFrom" "configMapKeyRef" "name" "" .) }}
{{- end }}
{{- range default list .values.extraVolumes }}
{{- $secrets = append $secrets (dig "secret" "secretName" "" .) }}
{{- $maps = append $maps (dig "configMap" "name" "" .) }}
{{- end }}
{{- include "gateway.checksum" (dict "root" .root "kind" "Secret" "names" $secrets "annotation" "checksum/secrets") }}
{{- include "gateway.checksum" (dict "root" .root "kind" "ConfigMap" "names" $maps "annotation" "checksum/config-maps") }}
{{- end }}
{{- end }}

{{- define "gateway.checksum" -}}
{{- $content := dict }}
{{- range uniq (compact .names) }}
{{- with lookup "v1" $.kind $.root.Release.Namespace . }}
{{- $_ := set $content .metadata.name (list .data .binaryData) }}
{{- end }}
{{- end }}
{{- if $content }}
{{ .annotation }}: {{ toJson $content | sha256sum }}
{{- end }}
{{- end }}
