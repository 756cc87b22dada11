import type { Tables } from "../../table.ts"

const list: Tables[string] = {
  options: `-a,--all -b,--escape -d,--directory -D,--dired --full-time --group-directories-first -h,--human-readable
    -i,--inode -k,--kibibytes -n,--numeric-uid-gid -G,--no-group -q,--hide-control-chars -r,--reverse
    -s,--size -w,--width=text -A,--almost-all -B,--ignore-backups --classify[=text] --file-type --si
    -H,--dereference-command-line --dereference-command-line-symlink-to-dir --hide=text -I,--ignore=text
    --indicator-style=text -L,--dereference -N,--literal -Q,--quote-name --quoting-style=text -R,--recursive
    --format=text --show-control-chars --sort=text -T,--tabsize=text --time=text --time-style=text --zero
    --color[=text] --hyperlink[=text] --block-size=text -Z,--context --author -c -f -g -l -m -o -p -t -u -v
    -x -C -F -S -U -X -1 --help --version`,
  operands: "judged*",
}

/** Programs of coreutils 9.1 that create, move, remove and list files. */
export const coreutilsFiles: Tables = {
  chgrp: {
    options: `-R,--recursive -c,--changes --dereference -h,--no-dereference --no-preserve-root --preserve-root --quiet
      -f,--silent --reference=read -v,--verbose -H -L -P --help --version`,
    operands: "judged*",
  },
  chmod: {
    options: `-c,--changes -R,--recursive --no-preserve-root --preserve-root --quiet --reference=read -f,--silent
      -v,--verbose -a[=text] -g[=text] -o[=text] -r[=text] -s[=text] -t[=text] -u[=text] -w[=text] -x[=text]
      -X[=text] -NUM --help --version`,
    operands: "judged*",
  },
  chown: {
    options: `-R,--recursive -c,--changes --dereference --from=text -h,--no-dereference --no-preserve-root
      --preserve-root --quiet -f,--silent --reference=read -v,--verbose -H -L -P --help --version`,
    operands: "judged*",
  },
  cp: {
    options: `-a,--archive --attributes-only --backup[=text] --copy-contents -L,--dereference -f,--force
      -i,--interactive -l,--link -n,--no-clobber -P,--no-dereference --no-preserve=text
      -T,--no-target-directory -x,--one-file-system --parents --path --preserve[=text] -r,--recursive
      --remove-destination --sparse=text --reflink[=text] --strip-trailing-slashes -S,--suffix=text
      -s,--symbolic-link -t,--target-directory=text -u,--update -v,--verbose --context[=text] -b -d -p -H -R
      -Z --help --version`,
    operands: "judged*",
  },
  df: {
    options: `-a,--all -B,--block-size=text -i,--inodes -h,--human-readable -H,--si -l,--local --output[=text]
      -P,--portability -T,--print-type --sync --no-sync --total -t,--type=text -x,--exclude-type=text -k -m -v
      -F=text --help --version`,
    operands: "named*",
  },
  dir: list,
  ls: list,
  vdir: list,
  du: {
    options: `-a,--all --apparent-size -B,--block-size=text -b,--bytes -l,--count-links -L,--dereference
      -D,--dereference-args --exclude=text -X,--exclude-from=read --files0-from=names -h,--human-readable
      --inodes --si -d,--max-depth=text -0,--null -P,--no-dereference -x,--one-file-system -S,--separate-dirs
      -s,--summarize -c,--total -t,--threshold=text --time[=text] --time-style=text -k -m -H --help --version`,
    operands: "judged*",
  },
  install: {
    options: `--backup[=text] -C,--compare --context[=text] -d,--directory -g,--group=text -m,--mode=text
      -T,--no-target-directory -o,--owner=text -p,--preserve-timestamps --preserve-context -s,--strip!
      --strip-program=run -S,--suffix=text -t,--target-directory=text -v,--verbose -b -c -D -Z --help
      --version`,
    operands: "judged*",
  },
  link: {
    options: "--help --version",
    operands: "judged*",
  },
  ln: {
    options: `--backup[=text] -F,--directory -n,--no-dereference -T,--no-target-directory -f,--force -i,--interactive
      -S,--suffix=text -t,--target-directory=text -L,--logical -P,--physical -r,--relative -s,--symbolic
      -v,--verbose -b -d --help --version`,
    operands: "judged*",
  },
  mkdir: {
    options: "--context[=text] -m,--mode=text -p,--parents -v,--verbose -Z --help --version",
    operands: "write*",
  },
  mkfifo: {
    options: "--context[=text] -m,--mode=text -Z --help --version",
    operands: "write*",
  },
  mknod: {
    options: "--context[=text] -m,--mode=text -Z --help --version",
    operands: "write text text text",
  },
  mktemp: {
    options:
      "-d,--directory -q,--quiet -u,--dry-run --suffix=text --tmpdir[=text] -p=text -t -V --help --version",
    operands: "judged",
  },
  mv: {
    options: `--backup[=text] -Z,--context -f,--force -i,--interactive -n,--no-clobber -T,--no-target-directory
      --strip-trailing-slashes -S,--suffix=text -t,--target-directory=text -u,--update -v,--verbose -b --help
      --version`,
    operands: "judged*",
  },
  pathchk: {
    stops: true,
    options: "--portability -p -P --help --version",
    operands: "named*",
  },
  readlink: {
    options: `-f,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -n,--no-newline -q,--quiet
      -s,--silent -v,--verbose -z,--zero --help --version`,
    operands: "named*",
  },
  realpath: {
    options: `-e,--canonicalize-existing -m,--canonicalize-missing --relative-to=read --relative-base=read -q,--quiet
      -s,--strip --no-symlinks -z,--zero -L,--logical -P,--physical --help --version`,
    operands: "named*",
  },
  rm: {
    options: `-f,--force --interactive[=text] --one-file-system --no-preserve-root --preserve-root[=text]
      ---presume-input-tty -R,--recursive -d,--dir -v,--verbose -i -r -I --help --version`,
    operands: "judged*",
  },
  rmdir: {
    options: "--ignore-fail-on-non-empty --path -p,--parents -v,--verbose --help --version",
    operands: "judged*",
  },
  shred: {
    options: `-x,--exact -f,--force -n,--iterations=text -s,--size=text --random-source=named --remove[=text]
      -v,--verbose -z,--zero -u --help --version`,
    operands: "write*",
  },
  stat: {
    options: `-L,--dereference -f,--file-system --format=text --printf=text -t,--terse --cached=text -c=text --help
      --version`,
    operands: "read*",
  },
  sync: {
    options: "-d,--data -f,--file-system --help --version",
    operands: "named*",
  },
  tee: {
    options: "-a,--append -i,--ignore-interrupts --output-error[=text] -p --help --version",
    operands: "write*",
  },
  touch: {
    options: `--time=text -c,--no-create -d,--date=text -r,--reference=read -h,--no-dereference -a -f -m -t=text
      --help --version`,
    operands: "write*",
  },
  truncate: {
    options: "-c,--no-create -o,--io-blocks -r,--reference=read -s,--size=text --help --version",
    operands: "write*",
  },
  unlink: {
    options: "--help --version",
    operands: "write",
  },
}
