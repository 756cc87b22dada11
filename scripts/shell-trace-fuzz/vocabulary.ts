import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { grammars } from "./grammars.ts"
import { phrases } from "./phrases.ts"
import { searched } from "./run-traced.ts"
import { tables } from "./tables.ts"

export interface FuzzOption {
  readonly names: readonly string[]
  readonly takes: "none" | "required" | "optional"
  /** What its value is, as the table says; `unknown` for options that are not in it. */
  readonly use: string
}

/** What commands of one program, or of one verb of git, are made of. */
export interface Vocabulary {
  /** The words that commands begin with: `sort`, or `git` and `log`. */
  readonly words: readonly string[]
  /** Options in the judge's table. */
  readonly options: readonly FuzzOption[]
  /** Options that the program tells of itself, in the table or not. */
  readonly beside: () => readonly FuzzOption[]
  readonly operands: readonly { readonly use: string; readonly many: "one" | "rest" }[]
  /** Words of a language of its own. */
  readonly grammar: readonly string[]
  /** Whole commands, without the words that they begin with. */
  readonly phrases: readonly string[]
}

export interface Vocabularies {
  readonly all: readonly Vocabulary[]
  /** Known programs that this machine does not have. */
  readonly missing: readonly string[]
}

/** Everything that commands are made of, for those known programs that are installed. */
export function readVocabularies(): Vocabularies {
  const all: Vocabulary[] = []
  const missing: string[] = []
  for (const { words, options, operands } of tables()) {
    if (signalling.has(words[0]!)) continue
    if (!isInstalled(words[0]!)) {
      missing.push(words.join(" "))
      continue
    }
    const grammar = grammarOf(words)
    all.push({
      words,
      options,
      operands,
      grammar,
      phrases: phrases[words.join(" ")] ?? [],
      beside: once(() => optionsOfItself(words)),
    })
  }
  return { all, missing }
}

function grammarOf(words: readonly string[]): readonly string[] {
  const ofVerb = words[0] === "git" && words.length > 1 ? grammars["git VERB"] : undefined
  return grammars[words.join(" ")] ?? ofVerb ?? grammars[words[0]!] ?? []
}

/** They would end the tracer, which runs beside the commands. They use no file but those of the kernel. */
const signalling = new Set(["kill", "pkill", "killall", "skill", "fuser"])

const builtins = new Set(
  ": . [ alias bg bind break builtin cd command continue declare dirs echo enable eval exec exit export false getopts hash jobs kill let local popd printf pushd pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
)

const isInstalled = (program: string): boolean =>
  builtins.has(program) || searched.split(":").some((folder) => fs.existsSync(path.join(folder, program)))

/** Asking a program takes a while, so it is done when its answer is needed first. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The options in a program's own help. It runs without a network and can write nothing. */
function optionsOfItself(words: readonly string[]): readonly FuzzOption[] {
  if (builtins.has(words[0]!)) return []
  const sandbox = [
    "--unshare-all",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
  ]
  const { stdout = "", stderr = "" } = spawnSync(
    "bwrap",
    [
      ...sandbox,
      "--tmpfs",
      "/run",
      "--clearenv",
      "--setenv",
      "PATH",
      searched,
      ...words,
      words[0] === "git" ? "-h" : "--help",
    ],
    { encoding: "utf8", timeout: 3_000, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 20 },
  )
  const found = new Map<string, FuzzOption>()
  for (const [, name, value] of `${stdout}\n${stderr}`.matchAll(
    /(?<=^|[\s,([|])(--?[A-Za-z0-9][\w-]*)(\[?=?[<[]?[A-Za-z][\w-]*| <[\w-]+>)?/g,
  ))
    if (/^--../.test(name!) || /^-[A-Za-z0-9]$/.test(name!))
      found.set(name!, {
        names: [name!],
        takes: value && /[=<[]/.test(value) ? "required" : "none",
        use: "unknown",
      })
  return [...found.values()]
}
