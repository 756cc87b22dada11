import { listFlagValues, readOptions } from "../options.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { type ProgramJudge, reportAccess, reportChange, reportIfExists, type Scene } from "../scene.ts"
import { leaveUnchanged, type ShellState } from "../state.ts"
import { builtins } from "./builtins.ts"

/** Programs that run commands from a file or from an option. */
export const runners: Readonly<Record<string, ProgramJudge>> = {
  ...Object.fromEntries(
    ["npx", "bunx", "pnpx", "uvx", "pipx"].map(
      (name) => [name, alwaysUnclear(`${name} runs a package that it may have to download`)] as const,
    ),
  ),
  ...Object.fromEntries(["make", "gmake"].map((name) => [name, make] as const)),
  ...Object.fromEntries(
    "vi vim nvim view ex ed emacs nano pico"
      .split(" ")
      .map((name) => [name, alwaysUnclear("an editor can run commands and write files")] as const),
  ),
  ...Object.fromEntries(
    "cpio pax ar jar 7z 7za 7zz 7zr unrar rar".split(" ").map((name) => [name, judgeUnpacking] as const),
  ),
  ...Object.fromEntries(
    `bsdtar just rake parallel entr script expect gdb crontab at batch systemd-run run-parts sqlite3 toybox fakeroot proot firejail unshare
      nsenter chroot setpriv runuser rlwrap xvfb-run prlimit numactl valgrind ltrace perf caffeinate torsocks proxychains
      pkexec sg cpulimit ld-linux-x86-64.so ld-linux-aarch64.so ld-linux.so ld-musl-x86_64.so ld-musl-aarch64.so ld.so`
      .split(/\s+/)
      .map((name) => [name, alwaysUnclear(`${name} runs other commands`)] as const),
  ),
}

function alwaysUnclear(reason: string): ProgramJudge {
  return (scene, words, state) => {
    scene.findings.addUnclear(reason)
    for (const word of words.slice(0, 500)) reportIfExists(scene, "change", word, state)
    return undefined
  }
}

function judgeUnpacking(scene: Scene, words: readonly ShellArgument[], state: ShellState): undefined {
  reportChange(scene, makePlainArgument("."), state, "below")
  alwaysUnclear("the archive decides where files are written")(scene, words, state)
}

function make(scene: Scene, words: readonly ShellArgument[], state: Parameters<ProgramJudge>[2]) {
  const options = readOptions(words, { short: "Cfjlo", long: ["directory", "file", "makefile"] })
  let inside = state
  for (const folder of listFlagValues(options, "-C", "--directory"))
    inside = builtins.cd!(scene, [folder], inside)!.success
  const named = listFlagValues(options, "-f", "--file", "--makefile")
  for (const file of named) reportAccess(scene, "read", file, inside)
  if (named.length === 0) reportAccess(scene, "read", { written: "Makefile", value: "Makefile" }, inside)
  scene.findings.addUnclear("make runs the commands of a Makefile")
  return leaveUnchanged(state)
}
