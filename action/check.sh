#!/usr/bin/env bash
# Runs `slowpath check` as a step of a workflow: annotations to the log, a table to the job summary, SARIF, JUnit and the findings to files.
# Ends with the code of the check, which is also the output `code`.
set -uo pipefail

config=${SLOWPATH_CONFIG:-slowpath.toml}
# Words, as on a command line; quotes have no meaning here.
read -r -a arguments <<<"${SLOWPATH_ARGUMENTS:-}"

slowpath check --config "$config" --quiet --format github \
    --sarif slowpath.sarif --junit slowpath-junit.xml --out slowpath-findings \
    --summary "${GITHUB_STEP_SUMMARY:-slowpath-summary.md}" ${arguments[@]+"${arguments[@]}"}
code=$?

if [[ -n ${GITHUB_OUTPUT:-} ]]; then
    echo "code=$code" >>"$GITHUB_OUTPUT"
fi
# A page for each target, and one that leads to them.
if compgen -G 'slowpath-findings/*.json' >/dev/null; then
    slowpath report slowpath-findings
fi
exit $code
