#!/usr/bin/env bash
# The step of action.yml: installs keng into an environment of its own, checks, and ends as `keng check` ends.
set -eu

python=${KENG_PYTHON:-python}
home=$RUNNER_TEMP/keng
if [ -z "${KENG_COMMAND:-}" ]; then
    "$python" -m venv "$home"
    bin=$home/bin
    [ -d "$bin" ] || bin=$home/Scripts # Windows
    "$bin/python" -m pip install --quiet --disable-pip-version-check "$KENG_FROM"
    KENG_COMMAND=$bin/keng
fi

# The arguments are words, as on a command line; patterns in them are keng's.
set -f
# shellcheck disable=SC2086
set -- ${KENG_ARGS:-.}
code=0
"$KENG_COMMAND" check --output-format github "$@" || code=$?

if [ -n "${KENG_SARIF:-}" ]; then
    "$KENG_COMMAND" check --exit-zero --output-format sarif -o "$KENG_SARIF" "$@" || true
fi
if [ "${KENG_SUMMARY:-true}" = true ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    {
        echo "### keng check"
        echo
        echo '~~~text'
        "$KENG_COMMAND" check --exit-zero --output-format concise --color never "$@" 2>&1 || true
        echo '~~~'
    } >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    echo "exit-code=$code" >>"$GITHUB_OUTPUT"
fi
exit "$code"
