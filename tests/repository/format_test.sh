#!/bin/bash
# Every C++ file of the repository is as clang-format 14 writes it, with comment lines of at most 100
# columns. Usage: format_test.sh ROOT
set -euo pipefail
cd "$1"
formatter=$(command -v clang-format-14) || {
  echo "clang-format-14 is not installed; run tools/setup" >&2
  exit 1
}
# Outside a git checkout (an unpacked archive) every file of the source folders is checked.
if [ -e .git ]; then
  list=$(git -c safe.directory='*' ls-files --cached '*.h' '*.cpp')
else
  list=$(find bench constraint examples include model protocol server tests -name '*.h' -o -name '*.cpp')
fi
mapfile -t files <<<"$list"
[ -n "$list" ] || {
  echo "no C++ file found below $1" >&2
  exit 1
}
"$formatter" --dry-run -Werror "${files[@]}" || {
  echo "run: clang-format-14 -i FILE…" >&2
  exit 1
}
# clang-format leaves comments as they are (ReflowComments).
if long=$(LC_ALL=C.UTF-8 grep -nHP '^(?=\s*//).{101}' "${files[@]}"); then
  echo "$long" >&2
  echo "break these comment lines before column 100" >&2
  exit 1
elif [ $? != 1 ]; then
  echo "grep could not search the files; its words stand above" >&2
  exit 1
fi
