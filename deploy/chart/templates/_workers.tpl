{{- /*
The size of the spool in MiB: SPOOL_MAX_BYTES of all concurrent reports, and 1 GiB for folders, blocks and a late check by the kubelet. It evicts the
pod of a volume that is larger. A process gets no error before.
*/ -}}
{{- define "gateway.spoolMi" -}}
{{- $concurrency := int .values.concurrency }}
{{- $written := lower (include "gateway.variable" (dict "root" .root "values" .values "variable" "SPOOL_MAX_BYTES") | default "2GiB") }}
{{- $units := dict "" 1 "b" 1 "kib" 1024 "mib" 1048576 "gib" 1073741824 "tib" 1099511627776 }}
{{- $parts := regexFindAll "[0-9]+|[a-z]+" $written 2 }}
{{- $unit := get $units (rest $parts | first | default "") | int64 }}
{{- if not (and (regexMatch "^[0-9]{1,15} ?([kmgt]i)?b?$" $written) $unit (le (first $parts | float64) (divf 1099511627776 $unit))) }}
{{- fail (printf "SPOOL_MAX_BYTES is %s, and must be a size of up to 1TiB, such as 536870912, 512MiB or 2GiB." $written) }}
{{- end }}
{{- $bytes := mul (first $parts | float64 | int64) $unit $concurrency }}
{{- $neededMi := add (div (add $bytes 1048575) 1048576) 1024 }}
{{- with .values.spool.sizeLimit }}
{{- $factors := dict "M" 1000000 "Mi" 1048576 "G" 1000000000 "Gi" 1073741824 "T" 1000000000000 "Ti" 1099511627776 }}
{{- $setMi := div (mul (regexFind "^[0-9]+" .) (get $factors (regexFind "[A-Za-z]+$" .) | int64)) 1048576 }}
{{- if lt $setMi $neededMi }}
{{- $size := ternary (printf "%dGi" (div $neededMi 1024)) (printf "%dMi" $neededMi) (eq (mod $neededMi 1024) 0) }}
{{- fail (printf "%s.spool.sizeLimit is %s, less than the %s that %d concurrent reports may need (SPOOL_MAX_BYTES for each, and 1Gi): Kubernetes evicts a worker that needs more, and all of its reports lose an attempt. Leave it empty, or lower concurrency or SPOOL_MAX_BYTES." $.path . $size $concurrency) }}
{{- end }}
{{- $neededMi = $setMi }}
{{- end }}
{{- $neededMi }}
{{- end }}

{{- /* The lanes of a worker, sorted. */ -}}
{{- define "gateway.lanes" -}}
{{- $lanes := list }}
{{- range splitList "," (include "gateway.variable" (dict "root" .root "values" .values "variable" "WORKER_LANES") | default "quick,bulk,suspect") }}
{{- $lane := trim . }}
{{- if not (has $lane (list "quick" "bulk" "suspect")) }}
{{- fail (printf "WORKER_LANES of %s names the lane %q. The lanes are quick, bulk and suspect." $.path $lane) }}
{{- end }}
{{- $lanes = append $lanes $lane }}
{{- end }}
{{- uniq $lanes | sortAlpha | toJson }}
{{- end }}

{{- /* The query of KEDA. Running reports count, so that busy workers are not removed. */ -}}
{{- define "gateway.scalerQuery" -}}
{{- $lanes := include "gateway.lanes" . | fromJsonArray }}
{{- if .keda.query }}{{ .keda.query }}
{{- else -}}
SELECT count(*) FROM reports WHERE status IN ('QUEUED', 'RUNNING')
{{- if lt (len $lanes) 3 }} AND lane IN ('{{ join "', '" $lanes }}'){{ end }}
{{- end }}
{{- end }}
