/** A call that met something read-only, or that changes what no mount protects. */
export interface Outside {
  /** As strace shows it, without its process. */
  readonly call: string
  readonly times: number
}

export interface Trace {
  readonly outside: readonly Outside[]
  readonly processes: number
  readonly calls: number
}

/**
 * What of a trace would have changed something outside of what may be written. Everything else was read-only, so that such a
 * call failed with EROFS, whatever links it went through. In a sandbox that is nothing special: there it is enough that
 * whatever the sandbox lets be written lies where we may write too.
 */
export async function readTrace(
  lines: AsyncIterable<string> | Iterable<string>,
  isAllowed: (path: string) => boolean,
): Promise<Trace> {
  const processes = new Map<string, Process>()
  const found: { readonly by: Process; readonly call: string }[] = []
  const mounts: string[] = []
  let calls = 0
  for await (const line of lines) {
    const [, pid, said] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (pid === undefined || said === undefined) continue
    const by = processes.get(pid) ?? remember(processes, pid, {})
    const call = wholeCall(by, said)
    if (call === undefined) continue
    calls++
    const child = childOf(call)
    if (child !== undefined) adopt(processes, child, by)
    const mounted = mountedBy(call)
    if (mounted !== undefined) mounts.push(mounted)
    if (isSandboxStart(call)) {
      const wrong = boundBy(call).filter((place) => !isAllowed(place))
      found.push(...wrong.map((place) => ({ by: { ...by }, call: `bwrap --bind ${place}` })))
      by.isSandbox = true
    } else if (changesOutside(call) && !mounts.some((place) => call.includes(`"${place}/`)))
      found.push({ by, call })
  }
  const times = new Map<string, number>()
  for (const { call } of found.filter(({ by }) => !isSandboxed(by)))
    times.set(call, (times.get(call) ?? 0) + 1)
  const outside = [...times].map(([call, times]) => ({ call, times }))
  return { outside, processes: processes.size, calls }
}

interface Process {
  parent?: Process
  isSandbox?: boolean
  /** The beginning of a call that another process interrupted. */
  begun?: string
}

function remember(processes: Map<string, Process>, pid: string, process: Process): Process {
  processes.set(pid, process)
  return process
}

/** A child may be seen before the call that made it ends. One that has a parent already had the same number before. */
function adopt(processes: Map<string, Process>, pid: string, parent: Process): void {
  const child = processes.get(pid)
  if (child && !child.parent) child.parent = parent
  else remember(processes, pid, { parent })
}

const isSandboxed = ({ isSandbox = false, parent }: Process): boolean =>
  isSandbox || (parent !== undefined && isSandboxed(parent))

function wholeCall(by: Process, said: string): string | undefined {
  const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(said)?.[1]
  if (unfinished !== undefined) {
    by.begun = unfinished
    return undefined
  }
  const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(said)?.[1]
  return resumed === undefined ? said : `${by.begun ?? ""}${resumed}`
}

function childOf(call: string): string | undefined {
  if (!/^(?:clone3?|v?fork)\(/.test(call)) return undefined
  return (/ = \d+ \/\* (\d+) in strace's PID NS \*\/$/.exec(call) ?? / = (\d+)$/.exec(call))?.[1]
}

/** A test may make a disk of its own that is read-only. */
const mountedBy = (call: string): string | undefined =>
  (/^mount\("[^"]*", "([^"]+)", "tmpfs", .* = 0$/.exec(call) ??
    /^move_mount\(.*, "([^"]+)", MOVE_MOUNT_F_EMPTY_PATH\) = 0$/.exec(call))?.[1]

const isSandboxStart = (call: string): boolean => /^execve\("[^"]*\/bwrap", .* = 0$/.test(call)

/** The places that bubblewrap was told to let be written. */
const boundBy = (call: string): readonly string[] =>
  [...call.matchAll(/"--(?:dev-)?bind(?:-try)?", "((?:[^"\\]|\\.)*)"/g)].map(([, place]) => place!)

const changesOutside = (call: string): boolean => / = -1 EROFS /.test(call) || isOfTheKernel(call)

/**
 * Whether a call changed something of the kernel, whose files stay writable: a sandbox cannot be made without /proc, where what
 * a process says of itself is no matter, and as root a command gets a control group of its own.
 */
function isOfTheKernel(call: string): boolean {
  if (/ = -1 /.test(call)) return false
  if (/^open/.test(call) && !/O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(call)) return false
  return [...call.matchAll(/"(\/(?:proc|sys\/fs\/cgroup)\/(?:[^"\\]|\\.)*)"/g)].some(
    ([, place]) =>
      !/^\/proc\/(?:self|thread-self|\d+)\//.test(place!) &&
      !/^\/sys\/fs\/cgroup\/(?:pids\/)?cadre-\d+-[\da-f-]{36}(?:\/|$)/.test(place!),
  )
}
