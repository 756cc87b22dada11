import { hasFlag, readOptions, valuesOf } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { type Program, type Scene, touch } from "../scene.ts"
import type { State } from "../state.ts"

/** Programs that search and change texts. Some have a language of their own, in which other programs can be run. */
export const textPrograms: Readonly<Record<string, Program>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rg: (scene, words, state) => {
    if (words.some((word) => /^--(?:pre|hostname-bin)(?:=|$)/.test(word.value ?? word.pattern ?? "")))
      scene.found.unclear("rg runs a program on each file")
    return search(scene, words, state, { short: "efgtTABCmMjrEd", below: true })
  },
  ...Object.fromEntries(
    ["ag", "ack", "ugrep"].map((name) => [
      name,
      (scene: Scene, words: readonly Argument[], state: State) =>
        search(scene, words, state, { short: "ABCGm", below: true }),
    ]),
  ),
  sed: (scene, words, state) => {
    const suffixes = words.flatMap(({ value }) => /^-[nrEsuz]*i(.+)$/s.exec(value ?? "")?.[1] ?? [])
    const options = readOptions(words.map(withoutSuffix), {
      short: "efl",
      long: ["expression", "file", "line-length"],
    })
    const given = valuesOf(options, "-e", "--expression")
    const scripts = given.length > 0 ? given : options.operands.slice(0, 1)
    const [files, named] = [
      hasFlag(options, "-f", "--file"),
      options.operands.slice(given.length > 0 ? 0 : 1),
    ]
    if (files || scripts.some(({ value }) => value === undefined || !isHarmlessSed(value)))
      scene.found.unclear("a sed script can run commands and write files")
    const kept = [...suffixes, ...valuesOf(options, "--in-place").map(({ value }) => value ?? "/")]
    if (kept.some((suffix) => /[/*]/.test(suffix)))
      scene.found.unclear("sed keeps what was there wherever an option says")
    const writes = hasFlag(options, "-i", "--in-place")
    for (const word of named) {
      touch(scene, writes ? "write" : "read", word, state)
      for (const suffix of kept)
        if (word.value !== undefined) touch(scene, "write", plainArgument(word.value + suffix), state)
    }
    return undefined
  },
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sort: (scene, words, state) => {
    const options = readOptions(words, {
      short: "koStT",
      long: [
        "key",
        "output",
        "buffer-size",
        "field-separator",
        "temporary-directory",
        "compress-program",
        "files0-from",
      ],
    })
    for (const program of valuesOf(options, "--compress-program")) {
      scene.found.unclear("sort runs a program to compress")
      scene.run([program], state)
    }
    if (hasFlag(options, "--files0-from")) scene.found.unclear("sort takes names of files from a file")
    for (const file of valuesOf(options, "-o", "--output")) touch(scene, "write", file, state)
    for (const file of options.operands) touch(scene, "read", file, state)
    return undefined
  },
  uniq: (scene, words, state) => {
    const { operands } = readOptions(words, { short: "fsw" })
    if (operands[0]) touch(scene, "read", operands[0], state)
    if (operands[1]) touch(scene, "write", operands[1], state)
    return undefined
  },
  jq: (scene, words, state) => {
    const options = readOptions(words, { short: "fL" })
    for (const file of options.operands.slice(1)) touch(scene, "read", file, state)
    return undefined
  },
  less: (scene, words, state) => {
    if (words.some((word) => /^\+|^-(?:k|o|O|T|-lesskey)/.test(word.value ?? "")))
      scene.found.unclear("less can run commands")
    for (const file of readOptions(words).operands) touch(scene, "read", file, state)
    return undefined
  },
  man: (scene, words) => {
    if (hasFlag(readOptions(words), "-P", "-H", "-C", "--pager", "--html", "--config-file"))
      scene.found.unclear("man runs a program to show a page")
    return undefined
  },
  ...Object.fromEntries(
    ["vi", "vim", "nvim", "view", "ex", "ed", "emacs", "nano", "pico"].map((name) => [name, editor] as const),
  ),
}

function grep(scene: Scene, words: Parameters<Program>[1], state: State): undefined {
  const recursive = hasFlag(
    readOptions(words, { short: "efmABCdD" }),
    "-r",
    "-R",
    "--recursive",
    "--dereference-recursive",
  )
  return search(scene, words, state, { short: "efmABCdD", below: recursive })
}

/** A pattern, then files; with none of them what lies here. */
function search(
  scene: Scene,
  words: Parameters<Program>[1],
  state: State,
  { short, below }: { short: string; below: boolean },
): undefined {
  const options = readOptions(words, {
    short,
    long: [
      "regexp",
      "file",
      "max-count",
      "after-context",
      "before-context",
      "context",
      "glob",
      "type",
      "type-not",
      "max-depth",
    ],
  })
  const given = hasFlag(options, "-e", "-f", "--regexp", "--file", "--files")
  for (const file of valuesOf(options, "-f", "--file")) touch(scene, "read", file, state)
  const named = options.operands.slice(given ? 0 : 1)
  if (named.length === 0 && below) touch(scene, "read", plainArgument("."), state, "below")
  for (const file of named) touch(scene, "read", file, state, below ? "below" : "itself")
}

function awk(scene: Scene, words: Parameters<Program>[1], state: State): undefined {
  const options = readOptions(words, { short: "Fv", stops: true })
  const [program, ...named] = options.operands
  const others = options.flags.some(({ name }) => name !== "-F" && name !== "-v")
  if (others || program?.value === undefined || /system|getline|close|ARG[VC]|[|>@]/.test(program.value))
    scene.found.unclear("an awk program can run commands and write files")
  for (const file of named) if (!/^[A-Za-z_]\w*=/.test(file.value ?? "")) touch(scene, "read", file, state)
}

/** `-i.bak`: whatever stands behind the letter is no option. */
const withoutSuffix = (word: Argument): Argument => {
  const letters = /^-[nrEsuz]*i(?=.)/.exec(word.value ?? "")?.[0]
  return letters === undefined ? word : plainArgument(letters)
}

/** Only what is seen to be: substitutions, printing, deleting. */
function isHarmlessSed(script: string): boolean {
  const address = "(?:\\d+|\\$|/(?:[^/\\\\\\n]|\\\\.)*/)"
  const substitution =
    "s([/|#,:@!])(?:(?!\\1)[^\\\\\\n]|\\\\[^\\n])*\\1(?:(?!\\1)[^\\\\\\n]|\\\\[^\\n])*\\1[gpiI0-9]*"
  const one = new RegExp(
    `^\\s*(?:${address}(?:,${address})?\\s*)?(?:!\\s*)?(?:[pdqQ=nNhHgGxPD]|${substitution})\\s*(?:$|[;\\n])`,
  )
  let rest = script
  while (rest.trim() !== "") {
    const found = one.exec(rest)
    if (!found || found[0] === "") return false
    rest = rest.slice(found[0].length)
  }
  return true
}

function editor({ found }: Scene): undefined {
  found.unclear("an editor can run commands and write files")
}
