import type { Tables } from "../../table.ts"

/** Programs that search, edit, compare and pack files, by package and version. `WordUse` explains the words after `=`. */
export const everydayTables: Readonly<Record<string, Tables>> = {
  "grep 3.8": {
    grep: {
      options: `-G,--basic-regexp -E,--extended-regexp --fixed-regexp -F,--fixed-strings -P,--perl-regexp
        -A,--after-context=text -B,--before-context=text --binary-files=text -b,--byte-offset -C,--context=text
        --color[=text] --colour[=text] -c,--count -D,--devices=text -d,--directories=text --exclude=text
        --exclude-from=read --exclude-dir=text -f,--file=read -l,--files-with-matches -L,--files-without-match
        --group-separator=text --include=text -i,--ignore-case --no-ignore-case -T,--initial-tab --label=text
        --line-buffered -n,--line-number -x,--line-regexp -m,--max-count=text -h,--no-filename
        --no-group-separator -s,--no-messages -Z,--null -z,--null-data -o,--only-matching -q,--quiet
        -r,--recursive -R,--dereference-recursive -e,--regexp=text -v,--invert-match --silent -a,--text
        -U,--binary --unix-byte-offsets -H,--with-filename -w,--word-regexp -u -y -I -X=text -NUM -V --help
        --version`,
      operands: "judged*",
    },
  },
  "sed 4.9": {
    sed: {
      options: `--binary -r,--regexp-extended --debug -e,--expression=text --file=settings -i,--in-place[=text]
        -l,--line-length=text -z,--null-data --zero-terminated -n,--quiet --posix --silent --sandbox
        -s,--separate -u,--unbuffered --follow-symlinks -b -f=settings -E --help --version`,
      operands: "judged*",
    },
  },
  "findutils 4.9": {
    xargs: {
      stops: true,
      options: `-0,--null -a,--arg-file=names -d,--delimiter=text -e,--eof[=text] -i,--replace[=text] --max-lines[=text]
        -n,--max-args=text -o,--open-tty -p,--interactive -r,--no-run-if-empty -s,--max-chars=text -t,--verbose
        --show-limits -x,--exit -P,--max-procs=text --process-slot-var=text -l[=text] -E=text -I=text -L=text
        --help --version`,
      operands: "judged*",
    },
  },
  "diffutils 3.8": {
    diff: {
      options: `--binary -q,--brief --changed-group-format=text --color[=text] --context[=text] -e,--ed
        -x,--exclude=text -X,--exclude-from=read -t,--expand-tabs --forward-ed --from-file=read-below
        --horizon-lines=text -D,--ifdef=text -w,--ignore-all-space -B,--ignore-blank-lines -i,--ignore-case
        --ignore-file-name-case -I,--ignore-matching-lines=text -b,--ignore-space-change
        -E,--ignore-tab-expansion -Z,--ignore-trailing-space --inhibit-hunk-merge -T,--initial-tab --label=text
        --left-column --line-format=text -d,--minimal -N,--new-file --new-group-format=text
        --new-line-format=text --no-dereference --no-ignore-file-name-case --normal --old-group-format=text
        --old-line-format=text -l,--paginate! --palette=text -n,--rcs -r,--recursive -s,--report-identical-files
        --sdiff-merge-assist -p,--show-c-function -F,--show-function-line=text -y,--side-by-side
        --speed-large-files -S,--starting-file=text --strip-trailing-cr --suppress-blank-empty
        --suppress-common-lines --tabsize=text -a,--text --to-file=read-below --unchanged-group-format=text
        --unchanged-line-format=text --unidirectional-new-file --unified[=text] -W,--width=text
        ---presume-output-tty -c -f -h -u -C=text -H -L=text -P -U=text -NUM -v --help --version`,
      operands: "read-below*",
    },
    cmp: {
      options: `-b,--print-bytes --print-chars -i,--ignore-initial=text -l,--verbose -n,--bytes=text --silent -s,--quiet
        -c -v --help --version`,
      operands: "read read text text",
    },
    diff3: {
      options: `--diff-program=run -3,--easy-only -e,--ed -T,--initial-tab -L,--label=text -m,--merge -x,--overlap-only
        -A,--show-all -E,--show-overlap --strip-trailing-cr -a,--text -i -X -v --help --version`,
      operands: "named named named",
    },
    sdiff: {
      options: `--diff-program=run -t,--expand-tabs -W,--ignore-all-space -B,--ignore-blank-lines -i,--ignore-case
        -I,--ignore-matching-lines=text -b,--ignore-space-change -E,--ignore-tab-expansion
        -Z,--ignore-trailing-space -l,--left-column -d,--minimal -o,--output=unclear -H,--speed-large-files
        --strip-trailing-cr -s,--suppress-common-lines --tabsize=text -a,--text -w,--width=text -v --help --version`,
      operands: "read-below read-below",
    },
  },
  "tar 1.34": {
    tar: {
      options: `-t,--list -x,--extract --get -c,--create -d,--diff --compare -r,--append -u,--update -A,--catenate
        --concatenate --delete --test-label -S,--sparse --hole-detection=text --sparse-version=text
        -G,--incremental -g,--listed-incremental=write --level=text --ignore-failed-read --occurrence[=text]
        -n,--seek --no-seek --no-check-device --check-device -W,--verify --remove-files -k,--keep-old-files
        --skip-old-files --keep-newer-files --overwrite! -U,--unlink-first --recursive-unlink --no-overwrite-dir
        --overwrite-dir --keep-directory-symlink! --one-top-level[=unclear] -O,--to-stdout --to-command=unclear
        --ignore-command-error --no-ignore-command-error --owner=text --group=text --owner-map=named
        --group-map=named --mtime=unclear --clamp-mtime --mode=text --atime-preserve[=text] -m,--touch
        --same-owner --no-same-owner --numeric-owner -p,--preserve-permissions --same-permissions
        --no-same-permissions -s,--preserve-order --same-order --delay-directory-restore
        --no-delay-directory-restore --sort=text --xattrs --no-xattrs --xattrs-include=text
        --xattrs-exclude=text --selinux --no-selinux --acls --no-acls -f,--file=judged --force-local
        --rmt-command=run --rsh-command=run -M,--multi-volume! -L,--tape-length=text -F,--info-script=run
        --new-volume-script=run --volno-file=unclear -b,--blocking-factor=text --record-size=text
        -i,--ignore-zeros -B,--read-full-records -H,--format=text --old-archive --portability --posix
        --pax-option=unclear -V,--label=text -a,--auto-compress --no-auto-compress -I,--use-compress-program=run
        -j,--bzip2 -z,--gzip --gunzip --ungzip -Z,--compress --uncompress --lzip --lzma --lzop -J,--xz --zstd
        --one-file-system -P,--absolute-names! -h,--dereference --hard-dereference -K,--starting-file=text
        -N,--newer=unclear --after-date=unclear --newer-mtime=unclear --backup[=unclear] --suffix=unclear
        --strip-components=text --transform=unclear --xform=unclear --checkpoint[=text]
        --checkpoint-action=unclear -l,--check-links --totals[=text] --utc --full-time --index-file=write
        -R,--block-number --show-defaults --show-snapshot-field-ranges --show-omitted-dirs
        --show-transformed-names --show-stored-names --quoting-style=text --quote-chars=text
        --no-quote-chars=text -w,--interactive --confirmation -v,--verbose --warning=text --restrict
        --add-file=judged -C,--directory=judged -T,--files-from=names --null --no-null --unquote --no-unquote
        --verbatim-files-from --no-verbatim-files-from --exclude=text -X,--exclude-from=read --exclude-caches
        --exclude-caches-under --exclude-caches-all --exclude-tag=text --exclude-ignore=text
        --exclude-ignore-recursive=text --exclude-tag-under=text --exclude-tag-all=text --exclude-vcs
        --exclude-vcs-ignores --exclude-backups --recursion --no-recursion --anchored --no-anchored
        --ignore-case --no-ignore-case --wildcards --no-wildcards --wildcards-match-slash
        --no-wildcards-match-slash --usage --program-name=text --HANG=text -o -NUM -? --help --version`,
      operands: "judged*",
    },
  },
  "gzip 1.12": {
    gzip: {
      options: `--ascii --to-stdout -c,--stdout -d,--decompress --uncompress -f,--force -k,--keep -l,--list -L,--license
        -n,--no-name -N,--name ---presume-input-tty -q,--quiet --silent --synchronous -r,--recursive!
        -S,--suffix=text -t,--test -v,--verbose -1,--fast -9,--best --lzw --bits=text --rsyncable -a -b=text -m
        -H -M -Z -2 -3 -4 -5 -6 -7 -8 -h -V --help --version`,
      operands: "judged*",
    },
  },
  "xz-utils 5.4": {
    xz: {
      options: `-z,--compress -d,--decompress --uncompress -t,--test -l,--list -k,--keep -f,--force -c,--stdout
        --to-stdout --single-stream --no-sparse --suffix=text --files[=names] --files0[=names] --format=text
        --check=text --ignore-check --block-size=text --block-list=text --memlimit-compress=text
        --memlimit-decompress=text --memlimit-mt-decompress=text --memlimit=text --memory=text --no-adjust
        -T,--threads=text --flush-timeout=text -e,--extreme --fast --best --lzma1[=text] --lzma2[=text]
        --x86[=text] --powerpc[=text] --ia64[=text] --arm[=text] --armthumb[=text] --arm64[=text] --sparc[=text]
        --delta[=text] -q,--quiet -v,--verbose --no-warn --robot --info-memory -H,--long-help -r=text -C=text
        -F=text -M=text -Q -S=text -V=text -NUM -h --help --version`,
      operands: "judged*",
    },
  },
  "patch 2.7": {
    patch: {
      options: `--backup --prefix=unclear --context --directory=judged --ifdef=text --ed! --remove-empty-files --force
        --fuzz=text --get=unclear --input=judged --ignore-whitespace --merge[=text] --normal --forward
        --output=judged --strip=text --reject-file=judged --reverse --quiet --silent --batch --set-time
        --unified --version-control=text --debug=text --basename-prefix=unclear --suffix=unclear --set-utc
        --dry-run --verbose --binary --backup-if-mismatch --no-backup-if-mismatch --posix --quoting-style=text
        --reject-format=text --read-only=text --follow-symlinks -b -c -d=judged -e! -f -g=unclear -i=judged -l -m -n
        -o=judged -p=text -r=judged -s -t -u -v -x=text -z=unclear -B=unclear -D=text -E -F=text -N -R -T
        -V=text -Y=unclear -Z --help --version`,
      operands: "judged judged",
    },
  },
}
