import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import readline from "node:readline"
import { setTimeout } from "node:timers/promises"
import { readTrace, type Trace } from "./read-trace.ts"

export interface Traced extends Trace {
  readonly code: number
  readonly output: string
  /** Processes that were still there when the command had ended. */
  readonly running: readonly string[]
  /** The files that the command left in its temporary folder. */
  readonly left: readonly string[]
}

/** The reason why nothing can be traced here. */
export function tracingProblem(): string | undefined {
  if (process.platform !== "linux") return `this is ${process.platform}, and mounts and strace are for Linux`
  if (process.getuid?.() !== 0) return "it takes root to make everything else read-only"
  if (
    spawnSync("strace", ["-f", "--seccomp-bpf", "-qq", "-e", "trace=execve", "-o", "/dev/null", "true"])
      .status !== 0
  )
    return "strace is not installed or does not work, as under another strace"
  if (spawnSync("unshare", ["--mount", "true"]).status !== 0) return "mount namespaces cannot be made"
  return undefined
}

export interface Tracing {
  readonly cwd: string
  /** For its temporary files and the trace. */
  readonly folder: string
  /** What it may write besides. */
  readonly writable: readonly string[]
  /** `confine`: for what traces by itself. What it tries elsewhere fails, and is not listed. */
  readonly way: "trace" | "confine"
  readonly shown: "live" | "kept"
  /** Milliseconds for what it started to end after it. */
  readonly patience?: number
}

/** Runs a command where only some folders can be written, and says what it tried elsewhere. */
export async function runTraced(words: readonly string[], tracing: Tracing): Promise<Traced> {
  const { cwd, folder, writable, way, shown, patience = 10_000 } = tracing
  const [temporary, trace, ended] = ["tmp", "trace", "ended"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  const places = [folder, ...writable]
  for (const place of [temporary, ...places]) fs.mkdirSync(place, { recursive: true })
  const tracer = way === "trace" ? ["strace", ...flags, "-o", trace] : []
  const child = spawn("unshare", [...apart, ...places, "--", ...tracer, "sh", "-c", toEnd, ended, ...words], {
    cwd,
    env: {
      ...process.env,
      TMPDIR: temporary,
      // No call of the kernel that strace does not see; and whoever traces by itself cannot under another strace.
      UV_USE_IO_URING: "0",
      ...(way === "trace" && { CADRE_NO_STRACE: "1" }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
      if (shown === "live") process.stderr.write(text)
    })
  const closed = once(child, "close")
  const running = await leftRunning(child.pid!, ended, closed, patience)
  await closed
  const code = fs.existsSync(ended) ? Number(fs.readFileSync(ended, "utf8")) : (child.exitCode ?? 1)
  const lines = way === "trace" ? readline.createInterface({ input: fs.createReadStream(trace) }) : []
  const isAllowed = (place: string) => places.some((allowed) => `${place}/`.startsWith(`${allowed}/`))
  return { code, output, running, left: fs.readdirSync(temporary), ...(await readTrace(lines, isAllowed)) }
}

/** Every mount but those of the kernel becomes read-only, without those places; then what stands behind `--` runs. */
const confine = `
while [ "$1" != -- ]; do mount --bind "$1" "$1"; writable="\${writable-}$1
"; shift; done
shift
while read -r _ _ _ _ place _; do
  case "$place" in /proc | /proc/* | /sys/fs/cgroup | /sys/fs/cgroup/*) continue ;; esac
  printf '%s' "$writable" | grep -qxF -- "$place" || mount -o remount,bind,ro "$place"
done < /proc/self/mountinfo
exec "$@"`

const apart = ["--mount", "--propagation", "private", "sh", "-ceu", confine, "sh"]

/** strace ends with the last of the processes; this tells when the first did. */
const toEnd = '"$@"; code=$?; echo $code > "$0"; exit $code'

const changing = [
  ...["open", "openat", "openat2", "creat", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat"],
  ...[
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "mknod",
    "mknodat",
    "bind",
  ],
  ...["truncate", "chmod", "fchmod", "fchmodat", "chown", "lchown", "fchown", "fchownat"],
  ...["utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr"],
  ...["removexattr", "lremovexattr", "fremovexattr", "mount", "move_mount"],
]

const flags = [
  ...["-f", "--seccomp-bpf", "-qq", "-y", "-s", "4096", "--decode-pids=pidns", "-e", "abbrev=!execve"],
  ...[
    "-e",
    "signal=none",
    "-e",
    `trace=${[...changing, "execve", "clone", "clone3", "fork", "vfork"].map((call) => `?${call}`).join(",")}`,
  ],
]

/** Waits for the command, and a little for what it started; what is still there then is named and ended. */
async function leftRunning(
  strace: number,
  ended: string,
  closed: Promise<unknown>,
  patience: number,
): Promise<readonly string[]> {
  let isClosed = false
  closed.then(() => (isClosed = true))
  while (!fs.existsSync(ended) && !isClosed) await setTimeout(200)
  const end = performance.now() + patience
  while (performance.now() < end && !isClosed) await setTimeout(100)
  if (isClosed) return []
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isTracedBy(name, strace))
  const said = pids.map((pid) => read(`/proc/${pid}/cmdline`).split("\0").join(" ").trim())
  for (const pid of pids) process.kill(Number(pid), "SIGKILL")
  return said
}

const isTracedBy = (pid: string, strace: number): boolean =>
  /^TracerPid:\t(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] === String(strace)

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
