import { hasFlag, type Options, type OptionTable, readOptions, valuesOf } from "../options.ts"
import { isDevice } from "../redirect.ts"
import { judgeRemoval } from "../removal.ts"
import type { Argument } from "../resolve-word.ts"
import { type Program, placesOf, type Scene, touch, touchIfThere } from "../scene.ts"
import type { State } from "../state.ts"

/** Programs that are about files: what they read and what they write. */
export const files: Readonly<Record<string, Program>> = {
  ...each(
    `cat tac nl wc od xxd hexdump strings file stat md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum
    base32 base64 cmp comm join paste cut fold fmt column rev expand unexpand zcat bzcat xzcat zless zmore more readlink realpath
    bat ls dir vdir pr shuf`,
    { short: "", reads: "all" },
  ),
  ...each("head tail", { short: "ncs", long: ["lines", "bytes", "sleep-interval", "pid"], reads: "all" }),
  ...each("du tree", { short: "dLPIo", long: ["max-depth", "exclude"], reads: "below" }),
  diff: reader({ short: "UCIxX", long: ["exclude", "label"], reads: "below" }),
  ...each("touch mkdir rmdir unlink mkfifo truncate shred", {
    short: "mdrtsn",
    long: ["mode", "date", "reference", "size"],
    writes: "all",
  }),
  tee: reader({ writes: "all" }),
  ...each("chmod chown chgrp", { skips: 1, writes: "below", long: ["reference"] }),
  rm: (scene, words, state) => remove(scene, readOptions(words), state),
  cp: transfer("read"),
  mv: transfer("write"),
  install: transfer("read"),
  ln: transfer("write"),
  ...Object.fromEntries(
    `: true false echo pwd exit return break continue shift times umask ulimit jobs type which date id whoami groups logname users who
    w uptime uname hostname arch nproc tty sleep seq basename dirname yes printenv df free ps pgrep expr factor tr cal numfmt tsort
    getconf locale clear tput`
      .split(/\s+/)
      .map((name) => [name, tells] as const),
  ),
  dd: (scene, words, state) => {
    for (const word of words) {
      const [, name, value] = /^(if|of)=(.*)$/s.exec(word.value ?? "") ?? []
      if (value === undefined) continue
      const file = { written: value, value }
      touch(scene, name === "if" ? "read" : "write", file, state)
      if (name === "of" && placesOf(scene, file, state).some(({ path }) => isDevice(path)))
        scene.found.dangerous(`dd writes to the device ${value}`)
    }
    return undefined
  },
}

/** Programs that print what they know, or their words. */
function tells(scene: Scene, words: readonly Argument[], state: State): undefined {
  for (const word of words.slice(0, 500)) touchIfThere(scene, "read", word, state)
}

interface FileTable extends OptionTable {
  readonly reads?: "all" | "below"
  readonly writes?: "all" | "below"
  /** Operands in front that are no files. */
  readonly skips?: number
}

function each(names: string, table: FileTable): Record<string, Program> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, reader(table)]))
}

function reader(table: FileTable): Program {
  return (scene, words, state) => {
    const options = readOptions(words, table)
    const named = options.operands.slice(table.skips ?? 0)
    const recursive = table.reads === "below" || hasFlag(options, "-R", "--recursive")
    for (const word of named) {
      if (table.reads) touch(scene, "read", word, state, recursive ? "below" : "itself")
      if (table.writes) touch(scene, "write", word, state, recursive ? "below" : "itself")
      if (table.writes === "below" && recursive)
        for (const { path } of placesOf(scene, word, state))
          if (path === "/" || path === scene.home) judgeRemovalOfRights(scene, path)
    }
    for (const value of valuesOf(options, "--reference")) touch(scene, "read", value, state)
    return undefined
  }
}

function judgeRemovalOfRights({ found }: Scene, path: string): void {
  found.dangerous(`it changes the rights of everything below ${path}`)
}

function remove(scene: Scene, options: Options, state: State): undefined {
  const recursive = hasFlag(options, "-r", "-R", "--recursive")
  for (const word of options.operands) {
    touch(scene, "write", word, state, recursive ? "below" : "itself")
    if (!recursive) continue
    if (word.reason) scene.found.dangerous(`it removes ${word.written}, which may be empty or anything`)
    for (const { path, reach } of placesOf(scene, word, state))
      judgeRemoval(scene, path, word.below ? "found" : reach === "below" ? "all in it" : "named")
  }
}

/** From all operands but the last to the last, or to the folder that an option names. */
function transfer(source: "read" | "write"): Program {
  return (scene, words, state) => {
    const options = readOptions(words, {
      short: "tSmog",
      long: ["target-directory", "suffix", "mode", "owner", "group"],
    })
    const [folder] = valuesOf(options, "-t", "--target-directory")
    const sources = folder ? options.operands : options.operands.slice(0, -1)
    const target = folder ?? options.operands.at(-1)
    const reach =
      source === "write" || hasFlag(options, "-r", "-R", "-a", "--recursive", "--archive")
        ? "below"
        : "itself"
    for (const word of sources) {
      touch(scene, "read", word, state, reach)
      if (source === "write") touch(scene, "write", word, state, reach)
    }
    if (target && (folder || options.operands.length > 1)) into(scene, target, state)
    return undefined
  }
}

/** Into a folder or in place of a file; which of them it will be then is seen only for a file that is there. */
function into(scene: Scene, target: Argument, state: State): void {
  for (const { path } of placesOf(scene, target, state)) {
    scene.found.path("write", path, scene.paths.isFile(path) ? "itself" : "below")
    if (isDevice(path)) scene.found.dangerous(`it writes to the device ${path}`)
  }
}
