import { hasFlag, type OptionTable, readOptions, valuesOf } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { change, type Program, type Scene, touch } from "../scene.ts"
import type { State } from "../state.ts"

/** Programs that change files which nobody names to them, or in place: what a patch or an archive says. */
export const unpackers: Readonly<Record<string, Program>> = {
  patch: (scene, words, state) => {
    const options = readOptions(words, {
      short: "pdioFDrBVxYzg",
      long: `strip directory input output fuzz ifdef reject-file prefix version-control debug basename-prefix suffix get
        quoting-style read-only`.split(/\s+/),
    })
    const [file, patch] = options.operands
    const [folder = here] = valuesOf(options, "-d", "--directory")
    for (const read of [...valuesOf(options, "-i", "--input"), ...(patch ? [patch] : [])])
      touch(scene, "read", read, state)
    if (hasFlag(options, "--dry-run")) return undefined
    for (const name of ["-o", "--output", "-r", "--reject-file"])
      for (const written of valuesOf(options, name)) change(scene, written, state)
    if (hasFlag(options, "-B", "-Y", "--prefix", "--basename-prefix"))
      scene.found.unclear("patch keeps what was there wherever an option says")
    // It may also be told of other files by the patch, whatever is named.
    if (file) change(scene, file, state)
    change(scene, folder, state, "below")
    return undefined
  },
  unzip: extracts({ short: "dxP", folder: ["-d"], looks: ["-l", "-t", "-p", "-v", "-z", "-Z", "-c"] }),
  ...Object.fromEntries(["7z", "7za", "7zz", "7zr", "unrar", "rar"].map((name) => [name, archiver] as const)),
  ...Object.fromEntries(
    ["cpio", "pax", "ar", "jar"].map((name) => [name, extracts({ folder: [], looks: [] })] as const),
  ),
  zip: (scene, words, state) => {
    const options = readOptions(words, { short: "bntPsO", long: ["temp-path", "suffixes", "out"] })
    const [archive, ...files] = options.operands
    if (hasFlag(options, "-T", "--test", "-TT", "--unzip-command", "-@"))
      scene.found.unclear("zip runs a program, or takes names from its input")
    for (const file of [archive, ...valuesOf(options, "-O", "--out")]) if (file) change(scene, file, state)
    for (const file of files) {
      touch(scene, "read", file, state, "below")
      if (hasFlag(options, "-m", "--move")) change(scene, file, state, "below")
    }
    return undefined
  },
  ...inPlace("gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 compress uncompress pigz", [
    "-c",
    "--stdout",
    "--to-stdout",
    "-t",
    "--test",
    "-l",
    "--list",
  ]),
  ...inPlace("dos2unix unix2dos mac2unix rename prename", []),
  ...Object.fromEntries(["split", "csplit"].map((name) => [name, splits] as const)),
}

const here = plainArgument(".")

interface Extracting extends OptionTable {
  /** Options that name where to. */
  readonly folder: readonly string[]
  /** Options with which nothing is written. */
  readonly looks: readonly string[]
}

function extracts({ folder, looks, ...table }: Extracting): Program {
  return (scene, words, state) => {
    const options = readOptions(words, table)
    for (const file of options.operands) touch(scene, "read", file, state, "below")
    if (hasFlag(options, ...looks)) return undefined
    change(scene, valuesOf(options, ...folder)[0] ?? here, state, "below")
    if (folder.length === 0 || hasFlag(options, "-:"))
      scene.found.unclear("where it writes is for the archive to say")
    return undefined
  }
}

function archiver(scene: Scene, words: readonly Argument[], state: State): undefined {
  const folders = words.flatMap(({ value }) =>
    /^-o./.test(value ?? "") ? [plainArgument(value!.slice(2))] : [],
  )
  const files = words.filter(({ value }) => !value?.startsWith("-")).slice(1)
  for (const file of files) touch(scene, "read", file, state, "below")
  if (/^(?:l|t|i|h|v|lb|lt)$/.test(words[0]?.value ?? "")) return
  for (const file of [...(folders.length > 0 ? folders : [here]), ...files])
    change(scene, file, state, "below")
}

/** Beside each file, or in its place. */
function inPlace(names: string, looks: readonly string[]): Record<string, Program> {
  const program: Program = (scene, words, state) => {
    const options = readOptions(words, { short: "oSn", long: ["suffix", "newfile"] })
    for (const file of options.operands) touch(scene, "read", file, state, "below")
    if (hasFlag(options, ...looks)) return undefined
    for (const file of [...options.operands, ...valuesOf(options, "-o", "-n", "--newfile")]) {
      change(scene, file, state, "below")
      change(scene, beside(file), state, "below")
    }
    return undefined
  }
  return Object.fromEntries(names.split(" ").map((name) => [name, program]))
}

/** The folder that it lies in. */
const beside = ({ value = "", pattern = value }: Argument): Argument =>
  plainArgument(pattern.slice(0, pattern.lastIndexOf("/") + 1) || ".")

function splits(scene: Scene, words: readonly Argument[], state: State): undefined {
  const options = readOptions(words, { short: "abClntfk", long: ["filter", "prefix", "bytes", "lines"] })
  if (hasFlag(options, "--filter")) scene.found.unclear("split runs a program")
  const [file, prefix, ...more] = options.operands
  if (file) touch(scene, "read", file, state)
  for (const name of [prefix ?? here, ...more, ...valuesOf(options, "-f", "--prefix")])
    change(scene, name.value?.includes("/") ? beside(name) : here, state, "below")
}
