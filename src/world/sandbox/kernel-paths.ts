import fs from "node:fs"

/**
 * Arguments of bubblewrap that keep commands from the kernel's files, as container runtimes do. Root needs
 * them: most of these files belong to root, and writing to them takes no capability.
 */
export function buildKernelArguments(): readonly string[] {
  const hidden = hiddenPaths.filter((place) => fs.existsSync(place))
  return [
    ...fixedPaths()
      .filter((place) => !hidden.includes(place))
      .flatMap((place) => ["--ro-bind", place, place]),
    ...hidden.flatMap((place) =>
      fs.statSync(place).isDirectory()
        ? ["--tmpfs", place, "--remount-ro", place]
        : ["--ro-bind", "/dev/null", place],
    ),
  ]
}

/** Everything in /proc that belongs to no process and could be written. */
function fixedPaths(): readonly string[] {
  // Reads names only: asked for types, Node looks at every process, and fails if one has just ended.
  return fs
    .readdirSync("/proc")
    .filter((name) => !/^[0-9]+$/.test(name))
    .map((name) => `/proc/${name}`)
    .filter((place) => {
      const status = fs.lstatSync(place, { throwIfNoEntry: false })
      return status?.isDirectory() || (status?.isFile() && (status.mode & 0o222) !== 0)
    })
}

/** The paths that Docker, Podman and containerd hide, and others that reveal the kernel's memory and keys. */
export const hiddenPaths: readonly string[] = [
  "/proc/acpi",
  "/proc/asound",
  "/proc/interrupts",
  "/proc/kcore",
  "/proc/key-users",
  "/proc/keys",
  "/proc/kmsg",
  "/proc/kpagecgroup",
  "/proc/kpagecount",
  "/proc/kpageflags",
  "/proc/latency_stats",
  "/proc/sched_debug",
  "/proc/scsi",
  "/proc/slabinfo",
  "/proc/sysrq-trigger",
  "/proc/timer_list",
  "/proc/timer_stats",
  "/proc/vmallocinfo",
  "/sys/devices/virtual/powercap",
  "/sys/firmware",
  "/sys/fs/bpf",
  "/sys/fs/selinux",
  "/sys/kernel/debug",
  "/sys/kernel/security",
  "/sys/kernel/tracing",
]
