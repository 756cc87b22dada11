import { hasFlag, readOptions, valuesOf } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { change, type Program, type Scene, touch } from "../scene.ts"
import { unchanged } from "../state.ts"
import { builtins } from "./builtins.ts"

/** Programs that run what a file or an option of theirs says. */
export const runners: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(["npm", "pnpm", "yarn", "bun"].map((name) => [name, packages(name)] as const)),
  ...Object.fromEntries(
    ["npx", "bunx", "pnpx", "uvx", "pipx"].map(
      (name) => [name, says(`${name} runs a package that it may have to download`)] as const,
    ),
  ),
  ...Object.fromEntries(["make", "gmake"].map((name) => [name, make] as const)),
  ...Object.fromEntries(
    `bsdtar just rake parallel entr script expect gdb crontab at batch systemd-run run-parts sqlite3 toybox fakeroot proot firejail unshare
      nsenter chroot setpriv runuser rlwrap xvfb-run prlimit numactl valgrind ltrace perf caffeinate torsocks proxychains
      pkexec sg cpulimit ld-linux-x86-64.so ld-linux-aarch64.so ld-linux.so ld-musl-x86_64.so ld-musl-aarch64.so ld.so`
      .split(/\s+/)
      .map((name) => [name, says(`${name} runs other commands`)] as const),
  ),
  tar: (scene, words, state) => {
    const first = words[0]?.value ?? ""
    const table = {
      short: "fCTXIFbgHKLNV",
      long: ["file", "directory", "use-compress-program", "to-command", "exclude", "files-from"],
    }
    // The old way: the first word is a bundle of letters, whose values follow in their order.
    const bundle = first !== "" && !first.startsWith("-")
    const options = readOptions(bundle ? words.slice(1) : words, table)
    const letters = bundle ? first : options.flags.map(({ name }) => name.slice(1)).join("")
    const runs =
      hasFlag(
        options,
        "-I",
        "-F",
        "--use-compress-program",
        "--to-command",
        "--checkpoint-action",
        "--info-script",
        "--new-volume-script",
        "--rsh-command",
        "--rmt-command",
      ) ||
      (bundle && /[IF]/.test(first))
    if (runs) scene.found.unclear("tar runs a program given with an option")
    if (words.some((word) => word.pattern !== undefined && !/[^*?[]/.test(word.pattern)))
      scene.found.unclear("a file's name may be an option of tar")
    const archives =
      bundle && first.includes("f") ? options.operands.slice(0, 1) : valuesOf(options, "-f", "--file")
    const writes =
      /[cru]/.test(letters.replaceAll(/-[a-z-]{2,}/g, "")) ||
      hasFlag(options, "--create", "--append", "--update")
    for (const archive of archives) {
      touch(scene, writes ? "write" : "read", archive, state)
      if (/^[^/]+:/.test(archive.value ?? "")) scene.found.unclear("the archive is on another machine")
    }
    const behind = options.operands.slice(bundle && first.includes("f") ? 1 : 0)
    if (writes) {
      const from = valuesOf(options, "-C", "--directory")
      for (const file of [...from, ...behind]) touch(scene, "read", file, state, "below")
    }
    for (const list of valuesOf(options, "-T", "--files-from")) touch(scene, "read", list, state)
    if (letters.includes("x") || hasFlag(options, "--extract", "--get")) {
      if (letters.includes("P") || hasFlag(options, "--absolute-names"))
        scene.found.unclear("tar writes wherever the archive says")
      const [folder] = valuesOf(options, "-C", "--directory")
      touch(scene, "write", folder ?? { written: ".", value: "." }, state, "below")
    }
    return undefined
  },
}

function says(reason: string): Program {
  return ({ found }: Scene) => {
    found.unclear(reason)
    return undefined
  }
}

const scripts = new Set(
  "run run-script test t tst start stop restart exec x dlx create init explore rum urn".split(" "),
)

const changing =
  /^(?:install|i|ci|add|uninstall|remove|update|dedupe|prune|link|version|pack|publish|audit|config|cache)$/

function packages(name: string): Program {
  return (scene, words, state) => {
    const { operands } = readOptions(words, { long: ["prefix", "workspace", "dir"], short: "wC" })
    const [verb] = operands
    const known =
      /^(?:install|i|ci|add|ls|list|view|info|outdated|audit|why|pack|version|help|root|prefix|bin|config|uninstall|remove|update|login|logout|publish|search|whoami|ping|fund|dedupe|prune|link|cache)$/
    if (verb?.value !== undefined && (scripts.has(verb.value) || !known.test(verb.value)))
      scene.found.unclear(`${name} ${verb.value} runs what package.json or a package says`)
    else if (verb && verb.value === undefined) scene.found.unclear(`what ${name} is to do is not plain`)
    else if (!verb || changing.test(verb.value!)) {
      // Packages bring scripts of their own.
      scene.unknown()
      change(scene, plainArgument("."), state, "below")
    }
    return undefined
  }
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
