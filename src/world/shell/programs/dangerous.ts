import type { ProgramJudge } from "../scene.ts"

const always =
  (reason: string): ProgramJudge =>
  ({ findings }) => {
    findings.addDangerous(reason)
    return undefined
  }

/** Programs that can erase disks, stop the machine or end all its processes. */
export const dangerousPrograms: Readonly<Record<string, ProgramJudge>> = {
  ...Object.fromEntries(
    [
      "mkfs",
      "mke2fs",
      "wipefs",
      "fdisk",
      "sfdisk",
      "cfdisk",
      "parted",
      "mkswap",
      "blkdiscard",
      "hdparm",
      ...["ext2", "ext3", "ext4", "xfs", "btrfs", "vfat", "fat", "ntfs"].map((kind) => `mkfs.${kind}`),
    ].map((name) => [name, always(`${name} can erase a disk`)] as const),
  ),
  ...Object.fromEntries(
    ["shutdown", "reboot", "halt", "poweroff", "init", "telinit"].map(
      (name) => [name, always(`${name} stops the machine`)] as const,
    ),
  ),
  systemctl: (scene, words) => {
    if (
      words.some((word) =>
        /^(?:poweroff|reboot|halt|suspend|hibernate|kexec|isolate|rescue|emergency)$/.test(word.value ?? ""),
      )
    )
      scene.findings.addDangerous("the command stops the machine")
    return undefined
  },
  kill: (scene, words) => {
    if (words.slice(1).some((word) => word.value === "-1"))
      scene.findings.addDangerous("the command ends every process")
    return undefined
  },
}
