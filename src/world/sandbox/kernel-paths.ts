import fs from "node:fs"

/**
 * Arguments of bubblewrap that keep the files of the kernel from commands, as container runtimes do. For root that is needed:
 * most of these files belong to root, and writing to them takes no capability.
 */
export function kernelArguments(): readonly string[] {
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

/** Everything in /proc that is no process's and that could be written. */
function fixedPaths(): readonly string[] {
  // By name alone: asked for types, Node looks at every process, and fails where one has just ended.
  return fs
    .readdirSync("/proc")
    .filter((name) => !/^[0-9]+$/.test(name))
    .map((name) => `/proc/${name}`)
    .filter((place) => {
      const status = fs.lstatSync(place, { throwIfNoEntry: false })
      return status?.isDirectory() || (status?.isFile() && (status.mode & 0o222) !== 0)
    })
}

/** Those that Docker, Podman and containerd hide, and what else tells of the kernel's memory and keys. */
const hiddenPaths = [
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
