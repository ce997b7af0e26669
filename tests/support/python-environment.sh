# Virtual environments of the tests, to be sourced: each lives under target/ and is made again when its requirements change.

python=/usr/bin/python3
[ -x "$python" ] || python=python3

# Makes an environment of these requirements, unless it is there: environment REQUIREMENTS FOLDER
environment() {
  local requirements="$1" venv="$2"
  cmp -s "$requirements" "$venv/installed.txt" && return
  rm -rf "$venv"
  "$python" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
  cp "$requirements" "$venv/installed.txt"
}
