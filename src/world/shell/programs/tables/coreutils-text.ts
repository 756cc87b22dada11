import type { Tables } from "../../table.ts"

/** Six checksum programs have the same options. */
const checksums: Tables[string] = {
  options: `-c,--check --ignore-missing --quiet --status -w,--warn --strict --tag -z,--zero -b,--binary -t,--text
    --help --version`,
  operands: "judged*",
}

/**
 * The tables of coreutils 9.1 for programs that read or write texts. `src/world/shell/table.ts` explains their words.
 */
export const coreutilsText: Tables = {
  b2sum: {
    options: `-l,--length=text -c,--check --ignore-missing --quiet --status -w,--warn --strict --tag -z,--zero
      -b,--binary -t,--text --help --version`,
    operands: "judged*",
  },
  cksum: {
    options: `-l,--length=text -c,--check --ignore-missing --quiet --status -w,--warn --strict --tag -z,--zero
      -a,--algorithm=text --debug --untagged --help --version`,
    operands: "judged*",
  },
  md5sum: checksums,
  sha1sum: checksums,
  sha224sum: checksums,
  sha256sum: checksums,
  sha384sum: checksums,
  sha512sum: checksums,
  base32: {
    options: "-d,--decode -w,--wrap=text -i,--ignore-garbage --help --version",
    operands: "read",
  },
  base64: {
    options: "-d,--decode -w,--wrap=text -i,--ignore-garbage --help --version",
    operands: "read",
  },
  basenc: {
    options: `-d,--decode -w,--wrap=text -i,--ignore-garbage --base64 --base64url --base32 --base32hex --base16
      --base2msbf --base2lsbf --z85 --help --version`,
    operands: "read",
  },
  cat: {
    options: `-b,--number-nonblank -n,--number -s,--squeeze-blank -v,--show-nonprinting -E,--show-ends -T,--show-tabs
      -A,--show-all -e -t -u --help --version`,
    operands: "read*",
  },
  comm: {
    options: `--check-order --nocheck-order --output-delimiter=text --total -z,--zero-terminated -1 -2 -3 --help
      --version`,
    operands: "read read",
  },
  csplit: {
    options: `-n,--digits=text -s,--quiet --silent -k,--keep-files -z,--elide-empty-files -f,--prefix=text
      -b,--suffix-format=text --suppress-matched -q --help --version`,
    operands: "judged*",
  },
  cut: {
    options: `-b,--bytes=text -c,--characters=text -f,--fields=text -d,--delimiter=text -s,--only-delimited
      --output-delimiter=text --complement -z,--zero-terminated -n --help --version`,
    operands: "read*",
  },
  dircolors: {
    options: "--bourne-shell -c,--csh --c-shell -p,--print-database --print-ls-colors -b --help --version",
    operands: "read",
  },
  expand: {
    options: "-t,--tabs=text -i,--initial -NUM --help --version",
    operands: "read*",
  },
  fmt: {
    options: `-c,--crown-margin -p,--prefix=text -s,--split-only -t,--tagged-paragraph -u,--uniform-spacing
      -w,--width=text -g,--goal=text -NUM --help --version`,
    operands: "read*",
  },
  fold: {
    options: "-b,--bytes -s,--spaces -w,--width=text -NUM --help --version",
    operands: "read*",
  },
  head: {
    options: `-c,--bytes=text -n,--lines=text ---presume-input-pipe -q,--quiet --silent -v,--verbose
      -z,--zero-terminated -NUM --help --version`,
    operands: "read*",
  },
  join: {
    options: `-i,--ignore-case --check-order --nocheck-order -z,--zero-terminated --header -a=text -e=text -j=text
      -o=text -t=text -v=text -NUM --help --version`,
    operands: "read read",
  },
  nl: {
    options: `-h,--header-numbering=text -b,--body-numbering=text -f,--footer-numbering=text
      -v,--starting-line-number=text -i,--line-increment=text -p,--no-renumber -l,--join-blank-lines=text
      -s,--number-separator=text -w,--number-width=text -n,--number-format=text -d,--section-delimiter=text
      --help --version`,
    operands: "read*",
  },
  od: {
    options: `-j,--skip-bytes=text -A,--address-radix=text -N,--read-bytes=text -t,--format=text
      -v,--output-duplicates --strings[=text] --traditional -w,--width[=text] --endian=text -a -b -c -d -e -f
      -h -i -l -o -s -x -B -D -F -H -I -L -O -S=text -X --help --version`,
    operands: "read*",
  },
  paste: {
    options: "-s,--serial -d,--delimiters=text -z,--zero-terminated --help --version",
    operands: "read*",
  },
  pr: {
    options: `--pages=text --columns=text -a,--across -c,--show-control-chars -d,--double-space -D,--date-format=text
      -e,--expand-tabs[=text] -f,--form-feed -h,--header=text -i,--output-tabs[=text] -J,--join-lines
      -l,--length=text -m,--merge -n,--number-lines[=text] -N,--first-line-number=text -o,--indent=text
      -r,--no-file-warnings -s,--separator[=text] -S,--sep-string[=text] -t,--omit-header -T,--omit-pagination
      -v,--show-nonprinting -w,--width=text -W,--page-width=text -b -F -NUM --help --version`,
    operands: "read*",
  },
  ptx: {
    options: `-A,--auto-reference -b,--break-file=read -F,--flag-truncation=text -f,--ignore-case -g,--gap-size=text
      -i,--ignore-file=read -M,--macro-name=text -o,--only-file=read -r,--references -R,--right-side-refs
      --format=text -S,--sentence-regexp=text -G,--traditional! -t,--typeset-mode -w,--width=text
      -W,--word-regexp=text -O -T --help --version`,
    operands: "read*",
  },
  shuf: {
    options: `-e,--echo -i,--input-range=text -n,--head-count=text -o,--output=write --random-source=named -r,--repeat
      -z,--zero-terminated --help --version`,
    operands: "judged*",
  },
  sort: {
    options: `-b,--ignore-leading-blanks --check[=text] --compress-program=run --debug -d,--dictionary-order
      -f,--ignore-case --files0-from=names -g,--general-numeric-sort -i,--ignore-nonprinting -k,--key=text
      -m,--merge -M,--month-sort -n,--numeric-sort -h,--human-numeric-sort -V,--version-sort -R,--random-sort
      --random-source=named --sort=text -o,--output=write -r,--reverse -s,--stable --batch-size=text
      -S,--buffer-size=text -t,--field-separator=text -T,--temporary-directory=write-below -u,--unique
      -z,--zero-terminated --parallel=text -c -y=unclear -C --help --version`,
    operands: "read*",
  },
  split: {
    options: `-b,--bytes=text -l,--lines=text -C,--line-bytes=text -n,--number=text -e,--elide-empty-files
      -u,--unbuffered -a,--suffix-length=text --additional-suffix=text --numeric-suffixes[=text]
      --hex-suffixes[=text] --filter=unclear --verbose -t,--separator=text ---io-blksize=text -d -x -NUM
      --help --version`,
    operands: "judged*",
  },
  sum: {
    options: "-s,--sysv -r --help --version",
    operands: "read*",
  },
  tac: {
    options: "-b,--before -r,--regex -s,--separator=text --help --version",
    operands: "read*",
  },
  tail: {
    options: `-c,--bytes=text --follow[=text] -n,--lines=text --max-unchanged-stats=text ---disable-inotify --pid=text
      ---presume-input-pipe -q,--quiet --retry --silent -s,--sleep-interval=text -v,--verbose
      -z,--zero-terminated -f -F -NUM --help --version`,
    operands: "read*",
  },
  tr: {
    stops: true,
    options: "-C,--complement -d,--delete -s,--squeeze-repeats -t,--truncate-set1 -c -A --help --version",
    operands: "text text",
  },
  tsort: {
    options: "--help --version",
    operands: "read",
  },
  unexpand: {
    options: "-t,--tabs=text -a,--all --first-only -, -NUM --help --version",
    operands: "read*",
  },
  uniq: {
    options: `-c,--count -d,--repeated --all-repeated[=text] --group[=text] -i,--ignore-case -u,--unique
      -f,--skip-fields=text -s,--skip-chars=text -w,--check-chars=text -z,--zero-terminated -D -NUM --help
      --version`,
    operands: "read output",
  },
  wc: {
    options: `-c,--bytes -m,--chars -l,--lines -w,--words --debug --files0-from=names -L,--max-line-length --help
      --version`,
    operands: "read*",
  },
}
