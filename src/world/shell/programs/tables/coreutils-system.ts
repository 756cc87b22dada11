import type { Tables } from "../../table.ts"

/** Programs of coreutils 9.1 that describe the machine, calculate, and run other programs. */
export const coreutilsSystem: Tables = {
  arch: {
    options: "--help --version",
    operands: "",
  },
  basename: {
    stops: true,
    options: "-a,--multiple -s,--suffix=text -z,--zero --help --version",
    operands: "text*",
  },
  date: {
    options: `-d,--date=text --debug -f,--file=read -I,--iso-8601[=text] -r,--reference=read --resolution
      -R,--rfc-email --rfc-822 --rfc-2822 --rfc-3339=text -s,--set=unclear --uct -u,--utc --universal --help
      --version`,
    operands: "judged",
  },
  dirname: {
    options: "-z,--zero --help --version",
    operands: "text*",
  },
  factor: {
    options: "---debug --help --version",
    operands: "text*",
  },
  groups: {
    options: "--help --version",
    operands: "text*",
  },
  hostid: {
    options: "--help --version",
    operands: "",
  },
  id: {
    options:
      "-Z,--context -g,--group -G,--groups -n,--name -r,--real -u,--user -z,--zero -a --help --version",
    operands: "text*",
  },
  logname: {
    options: "--help --version",
    operands: "",
  },
  nproc: {
    options: "--all --ignore=text --help --version",
    operands: "",
  },
  numfmt: {
    options: `--from=text --from-unit=text --to=text --to-unit=text --round=text --padding=text --suffix=text
      --grouping -d,--delimiter=text --field=text --debug ---debug --header[=text] --format=text
      --invalid=text -z,--zero-terminated --help --version`,
    operands: "text*",
  },
  printenv: {
    stops: true,
    options: "-0,--null --help --version",
    operands: "text*",
  },
  pwd: {
    options: "-L,--logical -P,--physical --help --version",
    operands: "",
  },
  seq: {
    stops: true,
    options: "-w,--equal-width -f,--format=text -s,--separator=text -NUM --help --version",
    operands: "text text text",
  },
  sleep: {
    options: "--help --version",
    operands: "text*",
  },
  tty: {
    options: "-s,--silent --help --version",
    operands: "",
  },
  uname: {
    options: `-a,--all -s,--kernel-name --sysname -n,--nodename -r,--kernel-release --release -v,--kernel-version
      -m,--machine -p,--processor -i,--hardware-platform -o,--operating-system --help --version`,
    operands: "",
  },
  users: {
    options: "--help --version",
    operands: "named",
  },
  who: {
    options: `-a,--all -b,--boot -q,--count -d,--dead -H,--heading --ips -l,--login --lookup --message -w,--mesg
      -p,--process -r,--runlevel -s,--short -t,--time -u,--users --writable -m -T --help --version`,
    operands: "named text text",
  },
  whoami: {
    options: "--help --version",
    operands: "",
  },
  yes: {
    options: "--help --version",
    operands: "text*",
  },
  env: {
    stops: true,
    options: `-i,--ignore-environment -0,--null -u,--unset=text -C,--chdir=text --default-signal[=text]
      --ignore-signal[=text] --block-signal[=text] --list-signal-handling -v,--debug --split-string[=unclear]
      -S=unclear --help --version`,
    operands: "judged*",
  },
  nice: {
    stops: true,
    options: "-n,--adjustment=text -NUM --help --version",
    operands: "judged*",
  },
  nohup: {
    stops: true,
    options: "--help --version",
    operands: "judged*",
  },
  stdbuf: {
    stops: true,
    options: "-i,--input=text -o,--output=text -e,--error=text --help --version",
    operands: "judged*",
  },
  timeout: {
    stops: true,
    options:
      "-k,--kill-after=text -s,--signal=text -v,--verbose --foreground --preserve-status --help --version",
    operands: "judged*",
  },
}
