/** The completion script of each shell. It passes the line up to the cursor to `reports __complete`, which prints one candidate per line. */
export const completionScriptByShell = {
  bash: `# reports: completion for bash. Try it: source <(reports completion bash)
_reports() {
  local line current typed candidate
  line=\${COMP_LINE:0:COMP_POINT}
  current=\${line##*[[:space:]]}
  # Readline treats the text after the last = as a separate word.
  typed=
  if [[ $COMP_WORDBREAKS == *=* ]]; then typed=\${current%"\${current##*=}"}; fi
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    case $candidate in
      *=) compopt -o nospace 2>/dev/null ;;
    esac
    COMPREPLY+=("\${candidate#"$typed"}")
  done < <(reports __complete "$line" 2>/dev/null)
}
complete -o default -F _reports reports
`,
  zsh: `#compdef reports
# reports: completion for zsh. Try it: source <(reports completion zsh)
_reports() {
  local line candidate value
  local -a finished open
  line="\${(j: :)words[1,CURRENT-1]} $PREFIX"
  for candidate in "\${(@f)$(reports __complete "$line" 2>/dev/null)}"; do
    value=\${candidate%%$'\\t'*}
    [[ -z $value ]] && continue
    if [[ $value == *= ]]; then open+=("$value"); else finished+=("$value"); fi
  done
  if (( \${#finished} + \${#open} == 0 )); then _files; return; fi
  compadd -- $finished
  compadd -S '' -- $open
}
if [[ $funcstack[1] == _reports ]]; then _reports "$@"; else compdef _reports reports; fi
`,
  fish: `# reports: completion for fish. Try it: reports completion fish | source
complete -c reports -e
complete -c reports -n 'test -z (reports __complete (commandline -cp) 2>/dev/null | string collect)' -F
complete -c reports -f -a '(reports __complete (commandline -cp) 2>/dev/null)'
`,
} as const;
