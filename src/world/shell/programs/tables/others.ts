import type { Tables } from "../../table.ts"

/** Programs that look at files, pages and processes, or run other programs, by package and version. */
export const otherTables: Readonly<Record<string, Tables>> = {
  "bsdextrautils 2.38": {
    column: {
      options: `--columns=text -x,--fillrows -J,--json -L,--keep-empty-lines -o,--output-separator=text
        -s,--separator=text -t,--table -N,--table-columns=text -l,--table-columns-limit=text
        -H,--table-hide=text -n,--table-name=text -E,--table-noextreme=text -d,--table-noheadings
        -O,--table-order=text -R,--table-right=text -T,--table-truncate=text -W,--table-wrap=text
        --table-empty-lines -e,--table-header-repeat -r,--tree=text -i,--tree-id=text -p,--tree-parent=text
        -c=text -V=text -h --help --version`,
      operands: "named*",
    },
    hexdump: {
      options: `-b,--one-byte-octal -c,--one-byte-char -C,--canonical -d,--two-bytes-decimal -o,--two-bytes-octal
        -x,--two-bytes-hex -e,--format=text -f,--format-file=named -L,--color[=text] -n,--length=text
        -s,--skip=text -v,--no-squeezing -V=text -h --help --version`,
      operands: "named*",
    },
  },
  "util-linux 2.38": {
    rev: {
      options: "-h -V --help --version",
      operands: "named*",
    },
    flock: {
      stops: true,
      options: `-s,--shared -x,--exclusive -u,--unlock --nonblocking --nb -w,--timeout=text --wait=text
        -E,--conflict-exit-code=text -o,--close -F,--no-fork --verbose -e -n -V=text -h --help --version`,
      operands: "judged*",
    },
    setsid: {
      stops: true,
      options: "-c,--ctty -f,--fork -w,--wait -V=text -h --help --version",
      operands: "judged*",
    },
    ionice: {
      stops: true,
      options: `-n,--classdata=text -c,--class=text -t,--ignore -p,--pid=text -P,--pgid=text -u,--uid=text -V=text
        -h --help --version`,
      operands: "judged*",
    },
    taskset: {
      stops: true,
      options: "-a,--all-tasks --pid -c,--cpu-list -p=text -V=text -h --help --version",
      operands: "judged*",
    },
  },
  "file 5.44": {
    file: {
      options: `-m,--magic-file=unclear -z,--uncompress -Z,--uncompress-noreport -b,--brief -c,--checking-printout
        -e,--exclude=text --exclude-quiet=text -f,--files-from=names -F,--separator=text -i,--mime --apple
        --extension --mime-type --mime-encoding -k,--keep-going -l,--list -L,--dereference -h,--no-dereference
        -n,--no-buffer -N,--no-pad -0,--print0 -p,--preserve-date! -P,--parameter=text -r,--raw
        -s,--special-files -S,--no-sandbox -C,--compile! -d,--debug -v=text -E --help --version`,
      operands: "read*",
    },
  },
  "man-db 2.11": {
    man: {
      options: `-C,--config-file=settings -d,--debug -D,--default --warnings[=text] -f,--whatis -k,--apropos
        -K,--global-apropos -w,--where --path --location -W,--where-cat --location-cat -l,--local-file
        -c,--catman! -R,--recode=unclear -L,--locale=unclear -m,--systems=unclear -M,--manpath=unclear
        -s,--sections=text -e,--extension=text -i,--ignore-case -I,--match-case --regex --wildcard --names-only
        -a,--all -u,--update! --no-subpages -P,--pager=run -r,--prompt=text -7,--ascii -E,--encoding=unclear
        --no-hyphenation --nh --no-justification --nj -p,--preprocessor=unclear -t,--troff!
        -T,--troff-device[=unclear] -H,--html[=unclear] -X,--gxditview[=unclear] -Z,--ditroff --usage
        --program-name=text --HANG=text -h -S=text -V -? --help --version`,
      operands: "judged*",
    },
  },
  "procps 4.0": {
    pgrep: {
      options: `--signal=text -A,--ignore-ancestors -c,--count --cgroup=text -d,--delimiter=text -l,--list-name
        -a,--list-full -f,--full -g,--pgroup=text -G,--group=text -i,--ignore-case -n,--newest -o,--oldest
        -O,--older=text -P,--parent=text -s,--session=text -t,--terminal=text -u,--euid=text -U,--uid=text
        -v,--inverse -w,--lightweight -x,--exact -F,--pidfile=named -L,--logpidfile --echo --ns=text
        --nslist=text --queue=text -r,--runstates=text -V=text -? -h --help --version`,
      operands: "text*",
    },
    pkill: {
      options: `--signal=text -A,--ignore-ancestors -c,--count --cgroup=text --delimiter=text --list-name --list-full
        -f,--full -g,--pgroup=text -G,--group=text -i,--ignore-case -n,--newest -o,--oldest -O,--older=text
        -P,--parent=text -s,--session=text -t,--terminal=text -u,--euid=text -U,--uid=text --inverse
        --lightweight -x,--exact -F,--pidfile=named -L,--logpidfile -e,--echo --ns=text --nslist=text
        -q,--queue=text -r,--runstates=text -V=text -? -NUM -h --help --version`,
      operands: "text*",
    },
    free: {
      options: `-b,--bytes --kilo --mega --giga --tera --peta -k,--kibi -m,--mebi -g,--gibi --tebi --pebi -h,--human
        --si -l,--lohi -t,--total -v,--committed -s,--seconds=text -c,--count=text -w,--wide -V=text --help
        --version`,
      operands: "",
    },
    uptime: {
      options: "-p,--pretty --since -s=text -V=text -h --help --version",
      operands: "",
    },
    w: {
      options:
        "-h,--no-header -u,--no-current -s,--short -f,--from -o,--old-style -i,--ip-addr -V=text --help --version",
      operands: "text",
    },
    watch: {
      stops: true,
      options: `-c,--color -d,--differences[=text] -n,--interval=text -b,--beep -e,--errexit -g,--chgexit
        -q,--equexit=text -x,--exec -p,--precise -t,--no-title -w,--no-wrap -v=text -h --help --version`,
      operands: "judged*",
    },
  },
  "binutils 2.40": {
    strings: {
      options: `--all --bytes=text --data --encoding=text --include-all-whitespace --output-separator=text
        --print-file-name --radix=text --target=text --unicode=text -a -d -e=text -f -h -n=text -o -s=text
        -t=text -v -w -H -T=text -U=text -V -NUM --help --version`,
      operands: "judged*",
    },
  },
  "strace 6.1": {
    strace: {
      stops: true,
      options: `-a,--columns=text -A,--output-append-mode --detach-on=text -c,--summary-only -C,--summary -d,--debug
        --daemonize[=text] --daemonised[=text] --daemonized[=text] -E,--env=unclear -f,--follow-forks
        --output-separately -i,--instruction-pointer -I,--interruptible=text -k,--stack-traces
        -n,--syscall-number -o,--output=judged -O,--summary-syscall-overhead=text -p,--attach=text
        -P,--trace-path=read --relative-timestamps[=text] -s,--string-limit=text -S,--summary-sort-by=text
        --absolute-timestamps[=text] --timestamps[=text] --syscall-times[=text] -u,--user=unclear
        -U,--summary-columns=text -v,--no-abbrev -w,--summary-wall-clock --strings-in-hex[=text]
        -X,--const-print-style=text --pidns-translation -z,--successful-only -Z,--failed-only --failing-only
        --seccomp-bpf --tips[=text] --trace=text --abbrev=text --verbose=text --raw=text --signals=text
        --status=text --read=text --write=text --fault=text --inject=text --kvm=text --quiet[=text]
        --silent[=text] --silence[=text] --decode-fds[=text] --decode-pids=text --secontext=text -b=text -e=text
        -q -r -t -x -y -D -F -T -Y -h -V --help --version`,
      operands: "judged*",
    },
  },
}
