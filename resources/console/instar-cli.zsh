#compdef instar-cli
_instar_packs() {
    local -a packs
    packs=(${(f)"$(%1)"})
    _alternative 'packs:built-in pack:compadd -a packs' 'files:file:_files'
}
_instar_cli() {
    local -a commands
    commands=(
%2    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
%3    esac
}
_instar_cli "$@"
