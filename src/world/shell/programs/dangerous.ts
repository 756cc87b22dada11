import type { Program } from "../scene.ts"

const always =
  (reason: string): Program =>
  ({ found }) => {
    found.dangerous(reason)
    return undefined
  }

/** Programs that nobody runs by the way. */
export const dangerousPrograms: Readonly<Record<string, Program>> = {
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
    ].map((name) => [name, always(`${name} makes a disk new`)] as const),
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
      scene.found.dangerous("it stops the machine")
    return undefined
  },
  kill: (scene, words) => {
    if (words.slice(1).some((word) => word.value === "-1"))
      scene.found.dangerous("it ends every process there is")
    return undefined
  },
}
