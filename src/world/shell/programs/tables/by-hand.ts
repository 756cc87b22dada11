import type { Tables } from "../../table.ts"

const awk: Tables[string] = {
  stops: true,
  whole: true,
  options: "-F=text -v=text -f=settings",
  operands: "judged*",
}

const bzip2: Tables[string] = {
  whole: true,
  options: `-c,--stdout -d,--decompress -z,--compress -k,--keep -f,--force -t,--test -q,--quiet -v,--verbose -L,--license
    -V,--version -s,--small -h,--help -1,--fast -9,--best -2 -3 -4 -5 -6 -7 -8 --repetitive-fast --repetitive-best
    --exponential`,
  operands: "judged*",
}

/**
 * Programs whose options follow no common rule, by package and version. The options come from their manual
 * pages.
 */
export const byHandTables: Readonly<Record<string, Tables>> = {
  "mawk 1.3|gawk 5.2": { awk },
  "mawk 1.3": { mawk: awk },
  "gawk 5.2": { gawk: awk },
  "bzip2 1.0": { bzip2, bunzip2: bzip2, bzcat: bzip2 },
  "debianutils 5.7": { which: { stops: true, options: "-a", operands: "text*" } },
  "util-linux 2.38": {
    more: {
      options:
        "-d,--silent -f,--logical -l,--no-pause -c,--print-over -p,--clean-print -e,--exit-on-eof -s,--squeeze -u,--plain -n,--lines=text -NUM -h,--help -V,--version",
      operands: "named*",
    },
  },
  "hostname 3.23": {
    hostname: {
      options:
        "-a,--alias -A,--all-fqdns -d,--domain -f,--fqdn,--long -F,--file=unclear -i,--ip-address -I,--all-ip-addresses -s,--short -y,--yp,--nis -b,--boot! -? -h,--help -V,--version",
      operands: "unclear*",
    },
  },
  "libc-bin 2.36": {
    locale: {
      options:
        "-a,--all-locales -m,--charmaps -c,--category-name -k,--keyword-name -v,--verbose -V,--version -?,--help --usage --program-name=text --HANG=text",
      operands: "text*",
    },
    getconf: { stops: true, whole: true, options: "-a -v=text --help --version", operands: "text text" },
  },
  "ncurses-bin 6.4": {
    clear: { options: "-T=text -V -x", operands: "" },
    tput: { options: "-T=text -S! -V -x", operands: "text*" },
  },
  "ripgrep 13.0": {
    rg: {
      whole: true,
      options: `-A,--after-context=text --auto-hybrid-regex --no-auto-hybrid-regex -B,--before-context=text --binary --no-binary
        --block-buffered --no-block-buffered -b,--byte-offset -s,--case-sensitive --color=text --colors=text --column
        --no-column -C,--context=text --context-separator=text --no-context-separator -c,--count --count-matches --crlf
        --no-crlf --debug --trace --dfa-size-limit=text -E,--encoding=text --no-encoding --engine=text
        --field-context-separator=text --field-match-separator=text -f,--file=read --files -l,--files-with-matches
        --files-without-match -F,--fixed-strings --no-fixed-strings -L,--follow --no-follow -g,--glob=text
        --glob-case-insensitive --no-glob-case-insensitive -h,--help --heading --no-heading -.,--hidden --no-hidden
        --iglob=text -i,--ignore-case --ignore --ignore-dot --ignore-exclude --ignore-files --ignore-global
        --ignore-messages --ignore-parent --ignore-vcs --ignore-file=named --ignore-file-case-insensitive
        --no-ignore-file-case-insensitive --include-zero -v,--invert-match --json --no-json --line-buffered
        --no-line-buffered -n,--line-number -x,--line-regexp -M,--max-columns=text --max-columns-preview
        --no-max-columns-preview -m,--max-count=text --max-depth=text --maxdepth=text --max-filesize=text --messages
        --mmap --no-mmap -U,--multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-config
        -I,--no-filename --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global
        --no-ignore-messages --no-ignore-parent --no-ignore-vcs -N,--no-line-number --no-messages
        --no-pcre2-unicode --pcre2-unicode --no-require-git --require-git --no-unicode --unicode -0,--null --null-data
        --one-file-system --no-one-file-system -o,--only-matching --passthru --passthrough --path-separator=text
        -P,--pcre2 --no-pcre2 --pcre2-version --pre=run --no-pre --pre-glob=text -p,--pretty -q,--quiet
        --regex-size-limit=text -e,--regexp=text -r,--replace=text -z,--search-zip --no-search-zip -S,--smart-case
        --sort=text --sortr=text --sort-files --no-sort-files --stats --no-stats -a,--text --no-text -j,--threads=text
        --trim --no-trim -t,--type=text --type-add=text --type-clear=text --type-list -T,--type-not=text
        -u,--unrestricted -V,--version --vimgrep -H,--with-filename -w,--word-regexp`,
      operands: "judged*",
    },
  },
  "tree 2.1": {
    tree: {
      whole: true,
      detached: true,
      options: `-a -d -l -f -x -L=text -R! -P=text -I=text --gitignore --gitfile=unclear --ignore-case --matchdirs --metafirst
        --prune --info --infofile=unclear --noreport --charset=text --filelimit=text -o=write -q -N -Q -p -u -g -s -h --si
        --du -D --timefmt=text -F --inodes --device -v -t -c -U -r --dirsfirst --filesfirst --sort=text -i -A -S -n -C
        -X -J -H=text -T=text --nolinks --hintro=read --houtro=read --fromfile! --fflinks --version --help`,
      operands: "judged*",
    },
  },
  "unzip 6.0": {
    unzip: {
      whole: true,
      options: `-l -t -p -v -z -Z -c -f -u -a -b -B -C -D -h -j -K -L -M -n -o -q -s -U -V -W -X -T! -:! -^! -x! -P=text
        -O=text -I=text -d=judged`,
      operands: "judged*",
    },
  },
  "less 590": {
    less: {
      whole: true,
      options: `-a -A -B -c -C -d -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u -U -V -w -W -X -?
        --help --version --quit-at-eof --QUIT-AT-EOF --force --quit-if-one-screen --ignore-case --IGNORE-CASE
        --line-numbers --LINE-NUMBERS --raw-control-chars --RAW-CONTROL-CHARS --squeeze-blank-lines
        --chop-long-lines --no-init -k=settings -o=unclear -O=unclear -p=judged -P=judged -t=unclear -T=read -x=judged -z=judged
        -b=judged -h=judged -j=judged -y=judged -D=unclear`,
      operands: "judged*",
    },
  },
}

const lookUp: Tables[string] = {
  whole: true,
  options: "-4 -6 -t=text -x=text -p=text -q=text",
  operands: "judged*",
}

/** Programs that reach other machines, by package and version, with the options that are in daily use. */
export const networkQueryTables: Readonly<Record<string, Tables>> = {
  "netcat-openbsd 1.219": {
    nc: {
      options: `-4 -6 -b -C -D -d -h -k -l -N -n -r -S -t -u -v -Z -z -I=text -i=text -M=text -m=text -O=text -P=text -p=text
        -q=text -s=text -T=text -V=text -W=text -w=text -X=text -x=host -F! -U!`,
      operands: "judged*",
    },
  },
  "iputils-ping 3": {
    ping: {
      options: "-4 -6 -n -q -v -V -c=text -i=text -I=text -s=text -t=text -w=text -W=text",
      operands: "judged*",
    },
  },
  "bind9-dnsutils 9": { dig: lookUp, nslookup: lookUp },
  "bind9-host 9": { host: lookUp },
}
