import { readOptions, valuesOf } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { change, type Program, type Scene, touch, touchIfThere } from "../scene.ts"
import { type State, unchanged } from "../state.ts"
import { builtins } from "./builtins.ts"

/** Programs that run what a file or an option of theirs says. */
export const runners: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(
    ["npx", "bunx", "pnpx", "uvx", "pipx"].map(
      (name) => [name, says(`${name} runs a package that it may have to download`)] as const,
    ),
  ),
  ...Object.fromEntries(["make", "gmake"].map((name) => [name, make] as const)),
  ...Object.fromEntries(
    "vi vim nvim view ex ed emacs nano pico"
      .split(" ")
      .map((name) => [name, says("an editor can run commands and write files")] as const),
  ),
  ...Object.fromEntries(
    "cpio pax ar jar 7z 7za 7zz 7zr unrar rar".split(" ").map((name) => [name, unpacks] as const),
  ),
  ...Object.fromEntries(
    `bsdtar just rake parallel entr script expect gdb crontab at batch systemd-run run-parts sqlite3 toybox fakeroot proot firejail unshare
      nsenter chroot setpriv runuser rlwrap xvfb-run prlimit numactl valgrind ltrace perf caffeinate torsocks proxychains
      pkexec sg cpulimit ld-linux-x86-64.so ld-linux-aarch64.so ld-linux.so ld-musl-x86_64.so ld-musl-aarch64.so ld.so`
      .split(/\s+/)
      .map((name) => [name, says(`${name} runs other commands`)] as const),
  ),
}

function says(reason: string): Program {
  return (scene, words, state) => {
    scene.found.unclear(reason)
    for (const word of words.slice(0, 500)) touchIfThere(scene, "change", word, state)
    return undefined
  }
}

function unpacks(scene: Scene, words: readonly Argument[], state: State): undefined {
  change(scene, plainArgument("."), state, "below")
  says("where it writes is for the archive to say")(scene, words, state)
}

function make(scene: Scene, words: readonly Argument[], state: Parameters<Program>[2]) {
  const options = readOptions(words, { short: "Cfjlo", long: ["directory", "file", "makefile"] })
  let inside = state
  for (const folder of valuesOf(options, "-C", "--directory"))
    inside = builtins.cd!(scene, [folder], inside)!.success
  const named = valuesOf(options, "-f", "--file", "--makefile")
  for (const file of named) touch(scene, "read", file, inside)
  if (named.length === 0) touch(scene, "read", { written: "Makefile", value: "Makefile" }, inside)
  scene.found.unclear("make runs what a Makefile says")
  return unchanged(state)
}
