import fs from "node:fs"
import { expect, test } from "vitest"
import { buildKernelArguments, hiddenPaths } from "./kernel-paths.ts"

test("every path that Docker, Podman and containerd hide is hidden", () => {
  // `MaskedPaths` of moby (oci/defaults.go), containerd and Podman, 2026-11.
  const masked = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/interrupts",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/sys/devices/virtual/powercap",
    "/sys/firmware",
    "/sys/fs/selinux",
  ]
  expect(masked.filter((place) => !hiddenPaths.includes(place))).toEqual([])
})

test.runIf(process.platform === "linux")(
  "what exists of them is empty, and the rest of /proc cannot be written",
  () => {
    const rest = [...buildKernelArguments()]
    /** Each option with its values, on one line. */
    const mounts: string[] = []
    while (rest.length > 0) mounts.push(rest.splice(0, rest[0] === "--ro-bind" ? 3 : 2).join(" "))
    for (const place of hiddenPaths) {
      const status = fs.statSync(place, { throwIfNoEntry: false })
      const own = mounts.filter((mount) => mount.split(" ").at(-1) === place)
      const empty = status?.isDirectory()
        ? [`--tmpfs ${place}`, `--remount-ro ${place}`]
        : [`--ro-bind /dev/null ${place}`]
      expect(own).toEqual(status === undefined ? [] : empty)
    }
    expect(mounts).toContain("--ro-bind /proc/sys /proc/sys")
    expect(mounts.filter((mount) => /^--ro-bind \/proc\/(?:[0-9]+|self|uptime) /.test(mount))).toEqual([])
  },
)
