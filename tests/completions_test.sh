#!/usr/bin/env bash
# What bash offers behind the words of a command line, by the script that the command prints: completions_test.sh UNSHADE
set -euo pipefail

script=$("$1" completions bash)
eval "$script"
compopt() { :; }  # works only while bash completes
failed=0
# offers EXPECTED WORD...: the last word is the one to complete; EXPECTED has to be among the words offered, and is alone where it ends with `.`
offers() {
  local expected=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _unshade || true
  local got=" ${COMPREPLY[*]-} "
  if [[ $expected == *. ]]; then
    [[ $got == " ${expected%.} " ]] || { echo "$*: '$got', expected '${expected%.}' alone"; failed=1; }
  else
    [[ $got == *" $expected "* ]] || { echo "$*: '$got', expected '$expected' among them"; failed=1; }
  fi
}
offers reflect unshade ''
offers version. unshade ver
offers 'show make check propose attach detach.' unshade rootsig ''
offers 'info split join make.' unshade pdb ''
offers 'list extract add replace remove.' unshade part ''
offers 'list extract embed.' unshade source ''
offers 'bash zsh fish powershell.' unshade completions ''
offers reflect. unshade help ref
offers info unshade schema in
offers 'tree yaml json llvm.' unshade dump --format ''
offers --version unshade rootsig --v

cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
mkdir folder
touch file.cso
offers 'folder.' unshade strip --output-dir ''
offers file.cso unshade rootsig show ''
offers file.cso unshade info ''
exit "$failed"
