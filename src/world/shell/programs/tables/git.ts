/**
 * All options of git 2.39, by verb, or by verb and subcommand. They come from `git VERB -h` and `git VERB
 * --git-completion-helper-all`. Options of revisions, which git reads by hand, come from its manual.
 */
export const gitOptions: Readonly<Record<string, string>> = {
  add: `-n,--dry-run -v,--verbose -i,--interactive! -p,--patch -e,--edit! -f,--force -u,--update --renormalize
    -N,--intent-to-add -A,--all --ignore-removal --refresh --ignore-errors --ignore-missing --sparse
    --chmod=text --pathspec-from-file=names --pathspec-file-nul --warn-embedded-repo[=text]`,
  am: `-i,--interactive -3,--3way -q,--quiet -s,--signoff -u,--utf8 -k,--keep --keep-non-patch -m,--message-id
    --keep-cr --no-keep-cr -c,--scissors --quoted-cr=text --whitespace=text --ignore-space-change
    --ignore-whitespace --directory=text --exclude=text --include=text -C=text -p=text --patch-format=text
    --reject --resolvemsg=text --continue -r,--resolved --skip --abort --quit --show-current-patch[=text]
    --allow-empty --committer-date-is-author-date --ignore-date --rerere-autoupdate -S,--gpg-sign[=text]
    --empty=text --binary[=text] --rebasing[=text]`,
  annotate: `--incremental -b --root --show-stats --progress --score-debug -f,--show-name -n,--show-number
    -p,--porcelain --line-porcelain -c -t -l -s -e,--show-email -w --ignore-rev=text --ignore-revs-file=named
    --color-lines --color-by-age --minimal -S=named --contents=read -C[=text] -M[=text] -L=text
    --abbrev[=text] --reverse --first-parent --since=text --date=text --encoding=text --not -h`,
  apply: `--exclude=text --include=text -p=text --no-add --stat --numstat --summary --check --index
    -N,--intent-to-add --cached --unsafe-paths! --apply -3,--3way --build-fake-ancestor=write -z -C=text
    --whitespace=text --ignore-space-change --ignore-whitespace -R,--reverse --unidiff-zero --reject
    --allow-overlap -v,--verbose -q,--quiet --inaccurate-eof --recount --directory=text --allow-empty
    --allow-binary-replacement[=text] --binary[=text] --add[=text]`,
  archive: `--format=text --prefix=text --add-file=read --add-virtual-file=text -o,--output=write
    --worktree-attributes -v,--verbose -N -l,--list --remote=unclear --exec=run`,
  bisect: "",
  "bisect bad": "",
  "bisect good": "",
  "bisect log": "",
  "bisect new": "",
  "bisect old": "",
  "bisect replay": "",
  "bisect reset": "",
  "bisect run": "",
  "bisect skip": "",
  "bisect start":
    "--term-old=text --term-good=text --term-new=text --term-bad=text --no-checkout --first-parent",
  "bisect terms": "--term-good --term-old --term-bad --term-new",
  blame: `--incremental -b --root --show-stats --progress --score-debug -f,--show-name -n,--show-number
    -p,--porcelain --line-porcelain -c -t -l -s -e,--show-email -w --ignore-rev=text --ignore-revs-file=named
    --color-lines --color-by-age --minimal -S=named --contents=read -C[=text] -M[=text] -L=text
    --abbrev[=text] --reverse --first-parent --since=text --date=text --encoding=text --not -h`,
  branch: `-v,--verbose -q,--quiet -t,--track[=text] -u,--set-upstream-to=text --unset-upstream --color[=text]
    -r,--remotes --contains=text --no-contains=text --abbrev[=text] -a,--all -d,--delete -D -m,--move -M
    -c,--copy -C -l,--list --show-current --create-reflog --edit-description! -f,--force --merged=text
    --no-merged=text --column[=text] --sort=text --points-at=text -i,--ignore-case --recurse-submodules
    --format=text --set-upstream[=text] --with[=text] --without[=text]`,
  "bundle create": "-q,--quiet --progress --all-progress --all-progress-implied --version=text",
  "bundle list-heads": "",
  "bundle unbundle": "--progress",
  "bundle verify": "-q,--quiet",
  "cat-file": `-e -p -t -s --allow-unknown-type --use-mailmap --mailmap --batch[=text] --batch-check[=text] -z
    --batch-command[=text] --batch-all-objects --buffer --follow-symlinks --unordered --textconv --filters
    --path=text`,
  "check-attr": "-a,--all --cached --stdin -z",
  "check-ignore": "-q,--quiet -v,--verbose --stdin -z -n,--non-matching --no-index --index[=text]",
  "check-mailmap": "--stdin",
  "check-ref-format": "--normalize --print --allow-onelevel --no-allow-onelevel --refspec-pattern --branch",
  checkout: `-b=text -B=text -l --guess --overlay -q,--quiet --recurse-submodules[=text] --progress -m,--merge
    --conflict=text -d,--detach -t,--track[=text] -f,--force --orphan=text --overwrite-ignore
    --ignore-other-worktrees -2,--ours -3,--theirs -p,--patch --ignore-skip-worktree-bits
    --pathspec-from-file=names --pathspec-file-nul`,
  "checkout-index": `-a,--all --ignore-skip-worktree-bits -f,--force -q,--quiet -n,--no-create -u,--index -z --stdin --temp
    --prefix=text --stage=text --create[=text]`,
  cherry: "--abbrev[=text] -v,--verbose",
  "cherry-pick": `--quit --continue --abort --skip --cleanup=text -n,--no-commit -e,--edit -s,--signoff -m,--mainline=text
    --rerere-autoupdate --strategy=judged -X,--strategy-option=text -S,--gpg-sign[=text] -x --ff
    --allow-empty --allow-empty-message --keep-redundant-commits --commit[=text]`,
  clean: "-q,--quiet -n,--dry-run -f,--force -i,--interactive! -d -e,--exclude=text -x -X",
  clone: `-v,--verbose -q,--quiet --progress --reject-shallow -n,--no-checkout --bare --mirror -l,--local
    --no-hardlinks -s,--shared --recurse-submodules[=text] --recursive[=text] -j,--jobs=text
    --template=unclear --reference=read-below --reference-if-able=read-below --dissociate -o,--origin=text
    -b,--branch=text -u,--upload-pack=run --depth=text --shallow-since=text --shallow-exclude=text
    --single-branch --no-tags --shallow-submodules --separate-git-dir=unclear -c,--config=unclear
    --server-option=text -4,--ipv4 -6,--ipv6 --filter=text --also-filter-submodules --remote-submodules
    --sparse --bundle-uri=unclear --naked[=text] --checkout[=text] --hardlinks[=text] --tags[=text]`,
  commit: `-q,--quiet -v,--verbose -F,--file=read --author=text --date=text -m,--message=text
    -c,--reedit-message=text -C,--reuse-message=text --fixup=text --squash=text --reset-author
    --trailer=text -s,--signoff -t,--template=read -e,--edit --cleanup=text --status -S,--gpg-sign[=text]
    -a,--all -i,--include --interactive -p,--patch -o,--only -n,--no-verify --dry-run --short --branch
    --ahead-behind --porcelain --long -z,--null --amend --no-post-rewrite -u,--untracked-files[=text]
    --pathspec-from-file=names --pathspec-file-nul --allow-empty[=text] --allow-empty-message[=text]
    --verify[=text] --post-rewrite[=text]`,
  "commit-tree": "-p=text -m=text -F=read -S,--gpg-sign[=text]",
  config: `--global --system --local --worktree -f,--file=read --blob=unclear --get --get-all --get-regexp
    --get-urlmatch --replace-all --add --unset --unset-all --rename-section --remove-section -l,--list
    --fixed-value -e,--edit! --get-color --get-colorbool -t,--type=text --bool --int --bool-or-int
    --bool-or-str --path --expiry-date -z,--null --name-only --includes --show-origin --show-scope
    --default=text`,
  "count-objects": "-v,--verbose -H,--human-readable",
  describe: `--contains --debug --all --tags --long --first-parent --abbrev[=text] --exact-match --candidates=text
    --match=text --exclude=text --always --dirty[=text] --broken[=text]`,
  fetch: `-v,--verbose -q,--quiet --all --set-upstream -a,--append --atomic --upload-pack=run -f,--force
    -m,--multiple -t,--tags -n -j,--jobs=text --prefetch -p,--prune -P,--prune-tags
    --recurse-submodules[=text] --dry-run --write-fetch-head -k,--keep -u,--update-head-ok --progress
    --depth=text --shallow-since=text --shallow-exclude=text --deepen=text --unshallow --refetch
    --update-shallow --refmap=text -o,--server-option=text -4,--ipv4 -6,--ipv6 --negotiation-tip=text
    --negotiate-only --filter=text --auto-maintenance --auto-gc --show-forced-updates --write-commit-graph
    --stdin --submodule-prefix=text --recurse-submodules-default=text`,
  "for-each-ref": `-s,--shell -p,--perl --python --tcl --count=text --format=text --color[=text] --sort=text
    --points-at=text --merged=text --no-merged=text --contains=text --no-contains=text --ignore-case`,
  fsck: `-v,--verbose --unreachable --dangling --tags --root --cache --reflogs --full --connectivity-only
    --strict --lost-found! --progress --name-objects`,
  gc: "-q,--quiet --prune[=text] --cruft --aggressive --auto --force --keep-largest-pack",
  grep: `--cached --no-index --untracked --exclude-standard --recurse-submodules -v,--invert-match
    -i,--ignore-case -w,--word-regexp -a,--text -I --textconv -r,--recursive --max-depth=text
    -E,--extended-regexp -G,--basic-regexp -F,--fixed-strings -P,--perl-regexp -n,--line-number --column -h
    -H --full-name -l,--files-with-matches --name-only -L,--files-without-match -z,--null -o,--only-matching
    -c,--count --color[=text] --break --heading -C,--context=text -B,--before-context=text
    -A,--after-context=text --threads=text -N -p,--show-function -W,--function-context -f=read -e=text --and
    --or --not -q,--quiet --all-match -O,--open-files-in-pager[=run] --ext-grep! -m,--max-count=text
    --index[=text] -NUM`,
  "hash-object": "-t=text -w --stdin --stdin-paths! --no-filters --literally --path=text --filters[=text]",
  init: `--template=unclear --bare --shared[=text] -q,--quiet --separate-git-dir=unclear
    -b,--initial-branch=text --object-format=text`,
  "interpret-trailers": `--in-place --trim-empty --where=text --if-exists=text --if-missing=text --only-trailers --only-input
    --unfold --parse --no-divider --trailer=text --divider[=text]`,
  "ls-files": `-z -t -v -f -c,--cached -d,--deleted -m,--modified -o,--others -i,--ignored -s,--stage -k,--killed
    --directory --eol! --empty-directory -u,--unmerged --resolve-undo -x,--exclude=text
    -X,--exclude-from=named --exclude-per-directory=unclear --exclude-standard --full-name --recurse-submodules
    --error-unmatch --with-tree=text --abbrev[=text] --debug --deduplicate --sparse --format=text`,
  "ls-remote": `-q,--quiet --upload-pack=run -t,--tags -h,--heads --refs --get-url --sort=text --exit-code --symref
    -o,--server-option=text --exec=run`,
  "ls-tree": `-d -r -t -z -l,--long --name-only --name-status --object-only --full-name --full-tree --format=text
    --abbrev[=text]`,
  merge: `-n --stat --summary --log[=text] --squash --commit -e,--edit --cleanup=text --ff --ff-only
    --rerere-autoupdate --verify-signatures -s,--strategy=judged -X,--strategy-option=text -m,--message=text
    -F,--file=read --into-name=text -v,--verbose -q,--quiet --abort --quit --continue
    --allow-unrelated-histories --progress -S,--gpg-sign[=text] --autostash --overwrite-ignore --signoff
    --no-verify --verify[=text]`,
  "merge-base": "-a,--all --octopus --independent --is-ancestor --fork-point",
  "merge-file": "-p,--stdout --diff3 --zdiff3 --ours --theirs --union --marker-size=text -q,--quiet -L=text",
  "merge-tree": "--write-tree --trivial-merge --messages -z --name-only --allow-unrelated-histories --stdin",
  mktree: "-z --missing --batch",
  mv: "-v,--verbose -n,--dry-run -f,--force -k --sparse",
  "name-rev": `--name-only --tags --refs=text --exclude=text --all --stdin --annotate-stdin --undefined --always
    --peel-tag[=text]`,
  notes: "--ref=text",
  "notes add": `-m,--message=text -F,--file=read -c,--reedit-message=text -C,--reuse-message=text --allow-empty
    -f,--force`,
  "notes append":
    "-m,--message=text -F,--file=read -c,--reedit-message=text -C,--reuse-message=text --allow-empty",
  "notes copy": "-f,--force --stdin --for-rewrite=text",
  "notes get-ref": "",
  "notes list": "",
  "notes remove": "--ignore-missing --stdin",
  "notes show": "",
  prune: "-n,--dry-run -v,--verbose --progress --expire=text --exclude-promisor-objects",
  pull: `-v,--verbose -q,--quiet --progress --recurse-submodules[=text] -r,--rebase[=text] -n --stat --log[=text]
    --signoff[=text] --squash --commit --edit --cleanup=text --ff --ff-only --verify --verify-signatures
    --autostash -s,--strategy=judged -X,--strategy-option=text -S,--gpg-sign[=text]
    --allow-unrelated-histories --all -a,--append --upload-pack=run -f,--force -t,--tags -p,--prune
    -j,--jobs[=text] --dry-run -k,--keep --depth=text --shallow-since=text --shallow-exclude=text
    --deepen=text --unshallow --update-shallow --refmap=text -o,--server-option=text -4,--ipv4 -6,--ipv6
    --negotiation-tip=text --show-forced-updates --set-upstream --summary[=text]`,
  push: `-v,--verbose -q,--quiet --repo=text --all --mirror -d,--delete --tags -n,--dry-run --porcelain
    -f,--force --force-with-lease[=text] --force-if-includes --recurse-submodules=text --thin
    --receive-pack=run --exec=run -u,--set-upstream --progress --prune --no-verify --follow-tags
    --signed[=text] --atomic -o,--push-option=text -4,--ipv4 -6,--ipv6 --verify[=text]`,
  "read-tree": `--index-output=write --empty -v,--verbose -m --trivial --aggressive --reset --prefix=text -u
    --exclude-per-directory=unclear -i -n,--dry-run --no-sparse-checkout --debug-unpack
    --recurse-submodules[=text] -q,--quiet --sparse-checkout[=text]`,
  rebase: `--onto=text --keep-base --no-verify -q,--quiet -v,--verbose -n,--no-stat --signoff
    --committer-date-is-author-date --reset-author-date -C=text --ignore-whitespace --whitespace=text
    -f,--force-rebase --no-ff --continue --skip --abort --quit --edit-todo! --show-current-patch --apply
    -m,--merge -i,--interactive! --rerere-autoupdate --empty=text --autosquash --update-refs
    -S,--gpg-sign[=text] --autostash -x,--exec=unclear -r,--rebase-merges[=text] --fork-point
    -s,--strategy=judged -X,--strategy-option=text --root --reschedule-failed-exec --reapply-cherry-picks
    --ignore-date[=text] --preserve-merges[=text] --keep-empty[=text] --allow-empty-message[=text]
    --verify[=text] --stat[=text] --ff[=text]`,
  "reflog delete": "--dry-run --rewrite --updateref --verbose",
  "reflog exists": "",
  "reflog expire": `--dry-run --rewrite --updateref --verbose --expire=text --expire-unreachable=text --stale-fix --all
    -,--single-worktree`,
  remote: "-v,--verbose",
  "remote add": "-f,--fetch --tags -t,--track=text -m,--master=text --mirror[=text]",
  "remote get-url": "--push --all",
  "remote prune": "-n,--dry-run",
  "remote remove": "",
  "remote rename": "--progress",
  "remote rm": "",
  "remote set-branches": "--add",
  "remote set-head": "-a,--auto -d,--delete",
  "remote set-url": "--push --add --delete",
  "remote show": "-n",
  "remote update": "-p,--prune",
  reset: `-q,--quiet --no-refresh --mixed --soft --hard --merge --keep --recurse-submodules[=text] -p,--patch
    -N,--intent-to-add --pathspec-from-file=names --pathspec-file-nul --refresh[=text]`,
  restore: `-s,--source=text -S,--staged -W,--worktree --ignore-unmerged --overlay -q,--quiet
    --recurse-submodules[=text] --progress -m,--merge --conflict=text -2,--ours -3,--theirs -p,--patch
    --ignore-skip-worktree-bits --pathspec-from-file=names --pathspec-file-nul`,
  "rev-parse": `--parseopt --sq-quote --keep-dashdash --stop-at-non-option --stuck-long --revs-only --no-revs --flags
    --no-flags --default=text --prefix=text --verify -q,--quiet --sq --short[=text] --not
    --abbrev-ref[=text] --symbolic --symbolic-full-name --all --branches[=text] --tags[=text]
    --remotes[=text] --glob=text --exclude=text --exclude-hidden=text --disambiguate=text --local-env-vars
    --path-format=text --git-dir --git-common-dir --absolute-git-dir --resolve-git-dir=read --git-path=text
    --show-toplevel --show-superproject-working-tree --shared-index-path --show-cdup --show-prefix
    --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository
    --show-object-format[=text] --since=text --after=text --until=text --before=text -h --help!`,
  revert: `--quit --continue --abort --skip --cleanup=text -n,--no-commit -e,--edit -s,--signoff -m,--mainline=text
    --rerere-autoupdate --strategy=judged -X,--strategy-option=text -S,--gpg-sign[=text] --reference
    --commit[=text]`,
  rm: `-n,--dry-run -q,--quiet --cached -f,--force -r --ignore-unmatch --sparse --pathspec-from-file=names
    --pathspec-file-nul`,
  "show-branch": `-a,--all -r,--remotes --color[=text] --more[=text] --list --no-name --current --sha1-name --merge-base
    --independent --topo-order --topics --sparse --date-order -g,--reflog[=text] --name[=text]`,
  "show-ref": `--tags --heads --verify --head -d,--dereference -s,--hash[=text] --abbrev[=text] -q,--quiet
    --exclude-existing[=text]`,
  "sparse-checkout": "",
  "sparse-checkout add": "",
  "sparse-checkout disable": "",
  "sparse-checkout init": "--cone --sparse-index",
  "sparse-checkout list": "",
  "sparse-checkout reapply": "",
  "sparse-checkout set": "--cone --sparse-index --skip-checks --stdin",
  "stash apply": "-q,--quiet --index",
  "stash branch": "",
  "stash clear": "",
  "stash create": "",
  "stash drop": "-q,--quiet",
  "stash pop": "-q,--quiet --index",
  "stash push": `-k,--keep-index -S,--staged -p,--patch -q,--quiet -u,--include-untracked -a,--all -m,--message=text
    --pathspec-from-file=names --pathspec-file-nul`,
  "stash store": "-q,--quiet -m,--message=text",
  status: `-v,--verbose -s,--short -b,--branch --show-stash --ahead-behind --porcelain[=text] --long -z,--null
    -u,--untracked-files[=text] --ignored[=text] --ignore-submodules[=text] --column[=text] --no-renames
    -M,--find-renames[=text] --renames[=text]`,
  stripspace: "-s,--strip-comments -c,--comment-lines",
  submodule: "-q,--quiet --cached",
  "submodule absorbgitdirs": "-q,--quiet",
  "submodule add": `-q,--quiet -b,--branch=text -f,--force --name=text --reference=read-below --dissociate --progress
    --depth=text`,
  "submodule deinit": "-q,--quiet -f,--force --all",
  "submodule foreach": "-q,--quiet --recursive",
  "submodule init": "-q,--quiet --all",
  "submodule set-branch": "-q,--quiet -b,--branch=text -d,--default",
  "submodule set-url": "-q,--quiet",
  "submodule status": "-q,--quiet --cached --recursive",
  "submodule summary": "--cached --files -n,--summary-limit=text",
  "submodule sync": "-q,--quiet --recursive",
  "submodule update": `-q,--quiet -v --init -r,--remote -N,--no-fetch --no-recommend-shallow --recommend-shallow -f,--force
    --checkout --merge --rebase --reference=read-below --dissociate --recursive --single-branch
    --no-single-branch --jobs=text -j=text --depth=text --progress --filter=text`,
  switch: `-c,--create=text -C,--force-create=text --guess --discard-changes -q,--quiet --recurse-submodules[=text]
    --progress -m,--merge --conflict=text -d,--detach -t,--track[=text] -f,--force --orphan=text
    --overwrite-ignore --ignore-other-worktrees`,
  "symbolic-ref": "-q,--quiet -d,--delete --short --recurse -m=text",
  tag: `-l,--list -n[=text] -d,--delete -v,--verify -a,--annotate -m,--message=text -F,--file=read -e,--edit
    -s,--sign --cleanup=text -u,--local-user=text -f,--force --create-reflog --column[=text] --contains=text
    --no-contains=text --merged=text --no-merged=text --sort=text --points-at=text --format=text
    --color[=text] -i,--ignore-case --with[=text] --without[=text]`,
  "update-index": `-q --ignore-submodules --add --replace --remove --unmerged --refresh --really-refresh
    --cacheinfo=unclear --chmod=text --assume-unchanged --no-assume-unchanged --skip-worktree
    --no-skip-worktree --ignore-skip-worktree-entries --info-only --force-remove -z --stdin! --index-info!
    --unresolve -g,--again --ignore-missing --verbose --clear-resolve-undo --index-version=text
    --split-index --untracked-cache --test-untracked-cache! --force-untracked-cache --force-write-index
    --fsmonitor --fsmonitor-valid --no-fsmonitor-valid`,
  "update-ref": "-m=text -d --no-deref -z --stdin! --create-reflog --deref[=text]",
  var: "-l",
  "verify-commit": "-v,--verbose --raw",
  "verify-tag": "-v,--verbose --raw --format=text",
  version: "--build-options",
  "worktree add":
    "-f,--force -b=text -B=text -d,--detach --checkout --lock --reason=text -q,--quiet --track --guess-remote",
  "worktree list": "--porcelain -v,--verbose --expire=text -z",
  "worktree lock": "--reason=text",
  "worktree move": "-f,--force",
  "worktree prune": "-n,--dry-run -v,--verbose --expire=text",
  "worktree remove": "-f,--force",
  "worktree repair": "",
  "worktree unlock": "",
  "write-tree": "--missing-ok --prefix=text --ignore-cache-tree[=text]",
}
