# bash completion for instar-cli
_instar_cli() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W %1 -- "$cur"))
        return
    fi
    case "$command $prev" in
%2    esac
    if [[ $cur == -* ]]; then
        case $command in
%3        esac
        return
    fi
    COMPREPLY=($(compgen -f -- "$cur"))
    case $command in
        %4) COMPREPLY+=($(compgen -W "$(%5)" -- "$cur")) ;;
    esac
}
complete -o filenames -F _instar_cli instar-cli
