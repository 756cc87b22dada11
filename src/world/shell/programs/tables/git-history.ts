const diff = `-p,--patch -s,--no-patch -u -U,--unified[=text] -W,--function-context --raw --patch-with-raw
    --patch-with-stat --numstat --shortstat -X,--dirstat[=text] --cumulative --dirstat-by-file[=text]
    --check --summary --name-only --name-status --stat[=text] --stat-width=text --stat-name-width=text
    --stat-graph-width=text --stat-count=text --compact-summary --binary --full-index --color[=text]
    --ws-error-highlight=text -z --abbrev[=text] --src-prefix=text --dst-prefix=text --line-prefix=text
    --no-prefix --inter-hunk-context=text --output-indicator-new=text --output-indicator-old=text
    --output-indicator-context=text -B,--break-rewrites[=text] -M,--find-renames[=text]
    -D,--irreversible-delete -C,--find-copies[=text] --find-copies-harder --no-renames --rename-empty
    --follow -l=text --minimal -w,--ignore-all-space -b,--ignore-space-change --ignore-space-at-eol
    --ignore-cr-at-eol --ignore-blank-lines -I,--ignore-matching-lines=text --indent-heuristic --patience
    --histogram --diff-algorithm=text --anchored=text --word-diff[=text] --word-diff-regex=text
    --color-words[=text] --color-moved[=text] --color-moved-ws=text --relative[=text] -a,--text -R
    --exit-code --quiet --ext-diff! --textconv --ignore-submodules[=text] --submodule[=text]
    --ita-invisible-in-index --ita-visible-in-index -S=text -G=text --pickaxe-all --pickaxe-regex -O=named
    --rotate-to=text --skip-to=text --find-object=text --diff-filter=text --output=write`

const revisions = `-n,--max-count=text -NUM --skip=text --since=text --after=text --until=text --before=text
    --since-as-filter=text --max-age=text --min-age=text --min-parents=text --max-parents=text
    --no-min-parents --no-max-parents --author=text --committer=text --grep=text --grep-reflog=text
    --all-match --invert-grep -i,--regexp-ignore-case -E,--extended-regexp -F,--fixed-strings
    -P,--perl-regexp --basic-regexp --remove-empty --merges --no-merges --first-parent
    --exclude-first-parent-only --not --all --branches[=text] --tags[=text] --remotes[=text] --glob=text
    --exclude=text --exclude-hidden=text --alternate-refs --single-worktree --reflog --indexed-objects
    --ignore-missing --bisect --stdin! --cherry-mark --cherry-pick --left-only --right-only --cherry
    -g,--walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense
    --sparse --simplify-merges --ancestry-path[=text] --date-order --author-date-order --topo-order
    --reverse --no-walk[=text] --do-walk --pretty[=text] --format=text --abbrev-commit --no-abbrev-commit
    --oneline --encoding=text --expand-tabs[=text] --no-expand-tabs --notes[=text] --no-notes
    --show-notes[=text] --standard-notes --no-standard-notes --show-signature --no-show-signature
    --relative-date --date=text --parents --children --left-right --graph --no-graph
    --show-linear-break[=text] --count --timestamp --header --combined-all-paths -c --cc -m --no-diff-merges
    --diff-merges=text --remerge-diff -r -t -v --full-diff --log-size --source --use-mailmap --mailmap
    --no-mailmap --no-use-mailmap --clear-decorations --decorate-refs=text --decorate-refs-exclude=text
    --decorate[=text] --no-decorate -L=judged --root --always --no-commit-id`

/** Where an option has several meanings, the first one counts. */
const log = `${revisions} ${diff}`

const patches = `-n,--numbered -N,--no-numbered -s,--signoff --stdout --cover-letter --numbered-files --suffix=text
    --start-number=text -v,--reroll-count=text --filename-max-length=text --rfc
    --cover-from-description=text --subject-prefix=text -o,--output-directory=judged -k,--keep-subject
    --no-binary --zero-commit --ignore-if-in-upstream -p,--no-stat --add-header=text --to=text --cc=text
    --from[=text] --in-reply-to=text --attach[=text] --inline[=text] --thread[=text] --signature=text
    --base=text --signature-file=read -q,--quiet --progress --interdiff=text --range-diff=text
    --creation-factor=text --force-in-body-from --binary[=text]`

const push = `-k,--keep-index -S,--staged -p,--patch -q,--quiet -u,--include-untracked -a,--all -m,--message=text
    --pathspec-from-file=names --pathspec-file-nul`

/** The options by verb, from `git VERB -h` and git's manual. */
export const gitHistoryOptions: Readonly<Record<string, string>> = {
  diff: `${diff} --cached --staged --merge-base --no-index -0,--base -1,--ours -2 -3,--theirs -c --cc -m --diff-merges=text --no-diff-merges --combined-all-paths`,
  "diff-files": `${diff} -0,--base -1,--ours -2 -3,--theirs -c --cc -q`,
  "diff-index": `${diff} --cached --merge-base -m -r -c --cc`,
  "diff-tree": `${log} --merge-base`,
  "format-patch": `${patches} ${revisions} ${diff}`,
  log,
  "range-diff": `${diff} --creation-factor=text --no-dual-color --dual-color --notes[=text] --left-only --right-only`,
  reflog: log,
  "reflog show": log,
  "rev-list": `${log} --objects --objects-edge --objects-edge-aggressive --unpacked --object-names --no-object-names --filter=text --filter-print-omitted --missing=text --use-bitmap-index --progress=text --disk-usage[=text] --bisect-vars --bisect-all --commit-header --no-commit-header --in-commit-order`,
  shortlog: `-c,--committer -n,--numbered -s,--summary -e,--email -w[=text] --group=text ${revisions}`,
  show: log,
  stash: push,
  "stash list": log,
  "stash save": push,
  "stash show": `-u,--include-untracked --only-untracked ${diff}`,
  whatchanged: log,
}
