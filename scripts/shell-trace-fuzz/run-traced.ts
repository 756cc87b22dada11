import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

export interface TracedCommand {
  readonly folder: string
  readonly line: string
  /** The world that it gets a copy of. */
  readonly pattern: string
}

/** Kernel calls that open, make or change files, start programs, reach other machines or change the folder. */
const calls = [
  ..."execve execveat chdir fchdir clone clone3 fork vfork open openat openat2 creat".split(" "),
  ..."unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat".split(" "),
  ..."mknod mknodat truncate chmod fchmod fchmodat chown lchown fchown fchownat".split(" "),
  ..."utime utimes utimensat futimesat setxattr lsetxattr fsetxattr removexattr lremovexattr".split(" "),
  ..."connect bind sendto sendmsg sendmmsg".split(" "),
]

export interface TracedPlaces {
  /** A folder for lists and traces. */
  readonly base: string
  /** The worlds that commands get copies of. */
  readonly patterns: readonly string[]
  /** Where the copies are, in the sandbox only. */
  readonly cases: string
  readonly home: string
}

/**
 * Runs commands with bash under strace, in a sandbox without a network in which nothing of this machine can be written:
 * the worlds of the commands are in memory. Returns the trace.
 */
export async function runTraced(
  commands: readonly TracedCommand[],
  { base, patterns, cases, home }: TracedPlaces,
): Promise<string> {
  const name = `${process.pid}-${counter++}`
  const [list, log] = [path.join(base, `list-${name}`), path.join(base, `trace-${name}`)]
  fs.writeFileSync(
    list,
    commands.map(({ folder, line, pattern }) => `${folder}\0${line}\0${pattern}\0`).join(""),
  )
  const out = fs.openSync(log, "w")
  try {
    const driver = path.join(import.meta.dirname, "drive.pl")
    const words = [
      ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"],
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run"],
      ...[
        "--tmpfs",
        cases,
        ...patterns.flatMap((one) => ["--ro-bind", one, one]),
        "--ro-bind",
        home,
        home,
        "--ro-bind",
        list,
        list,
      ],
      ...["--ro-bind", driver, "/tmp/drive.pl", "--setenv", "PATH", searched, "--setenv", "HOME", home],
      ...["--setenv", "LANG", "C.UTF-8", "--chdir", cases],
      ...["bash", "-o", "pipefail", "-c", makeAndRun, list],
      ...["strace", "-f", "-qq", "-y", "-s", "4096", "--seccomp-bpf", "-o", "/proc/self/fd/3"],
      ...["-e", `trace=${calls.join(",")}`, "-e", "signal=none"],
      ...["bash", "-c", 'ulimit -c 0 -f 4096 -t 2 -v 8000000 && exec perl /tmp/drive.pl run "$0"', list],
    ]
    const child = spawn("bwrap", words, { stdio: ["ignore", "ignore", "pipe", out] })
    let errors = ""
    child.stderr!.on("data", (data) => {
      errors += data
    })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject)
      child.once("close", resolve)
    })
    if (code !== 0) throw new Error(`The commands were not run to their end (${code}): ${errors}`)
    return fs.readFileSync(log, "latin1")
  } finally {
    fs.closeSync(out)
    for (const file of [list, log]) fs.rmSync(file, { force: true })
  }
}

/** What the commands print goes into a pipe: some do not read their files where it goes nowhere. */
const makeAndRun = 'perl /tmp/drive.pl make "$0" && "$@" 2>&1 | cat >/dev/null'

let counter = 0

/** Where programs are looked for. */
export const searched = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
