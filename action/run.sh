#!/usr/bin/env bash
# What the action does: check the pages, write the sweep's table, keep it in one comment of the pull request.
# Everything it needs stands in its environment; action.yml says what, docs/action.md explains it.
set -euo pipefail

: "${PAGES:?the folder of the published pages}"
sweepdoc=${SWEEPDOC:-sweepdoc}
mark='<!-- sweepdoc:comment -->'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the same for every command; arrays of nothing are nothing
shared=()
if [ -n "${CONFIG:-}" ]; then shared+=(--config "$CONFIG"); fi
of_release=()
if [ -n "${RELEASE:-}" ]; then of_release+=(--release "$RELEASE"); fi

say() { printf '::%s title=sweepdoc::%s\n' "$1" "$2"; }

# Prints annotations; 0 nothing wrong, 1 findings, 2 could not check.
check_pages() {
  local strict=()
  if [ "${STRICT:-false}" = true ]; then strict+=(--strict); fi
  "$sweepdoc" check "$PAGES" --format github ${strict[@]+"${strict[@]}"} ${shared[@]+"${shared[@]}"}
}

# The table in a text read from standard input; in a text that has none, at its end.
with_table() {
  local full=${GITHUB_SERVER_URL:-https://github.com}/${GITHUB_REPOSITORY:-}/actions/runs/${GITHUB_RUN_ID:-}
  "$sweepdoc" summary "$PAGES" --update - --full-table "$full" \
    ${of_release[@]+"${of_release[@]}"} ${shared[@]+"${shared[@]}"}
}

step_summary() {
  if [ -z "${GITHUB_STEP_SUMMARY:-}" ]; then return 0; fi
  "$sweepdoc" summary "$PAGES" ${of_release[@]+"${of_release[@]}"} ${shared[@]+"${shared[@]}"} >>"$GITHUB_STEP_SUMMARY"
}

# Ids of this action's comments, oldest first.
known_comments() {
  export COMMENT_AUTHOR=${COMMENT_AUTHOR:-github-actions[bot]} COMMENT_MARK=$mark
  gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$PR_NUMBER/comments" \
    --jq '.[] | select(.user.login == env.COMMENT_AUTHOR and (.body | startswith(env.COMMENT_MARK))) | .id'
}

# A comment's text without the line end gh adds to it.
text_of() {
  local text
  text=$(gh api "repos/$GITHUB_REPOSITORY/issues/comments/$1" --jq .body && printf x) || return 1
  text=${text%x}
  printf '%s' "${text%$'\n'}"
}

not_written() {
  say warning "the comment with the table was not written: $1. The token of a fork's pull request may only read; the table stands in the summary of this job."
}

# Updates the one comment, or adds it. What cannot be written is said and fails nothing.
comment() {
  local ids id
  if [ -z "${PR_NUMBER:-}" ]; then
    say notice "no pull request, so no comment; the table stands in the summary of this job"
    return 0
  fi
  if ! ids=$(known_comments); then not_written "its comments cannot be read"; return 0; fi
  id=${ids%%$'\n'*}
  if [ -z "$id" ]; then
    printf '%s\n' "$mark" | with_table >"$work/new"
    gh api -X POST "repos/$GITHUB_REPOSITORY/issues/$PR_NUMBER/comments" -F "body=@$work/new" --silent \
      || not_written "it cannot be added"
    return 0
  fi
  if ! text_of "$id" >"$work/old"; then not_written "comment $id cannot be read"; return 0; fi
  with_table <"$work/old" >"$work/new"
  if cmp -s "$work/old" "$work/new"; then return 0; fi
  gh api -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$work/new" --silent \
    || not_written "comment $id cannot be changed"
}

found=0
check_pages || found=$?
if [ "$found" -gt 1 ]; then exit "$found"; fi
step_summary
if [ "${COMMENT:-true}" = true ]; then comment; fi
if [ "${FAIL_ON_FINDINGS:-true}" = true ]; then exit "$found"; fi
