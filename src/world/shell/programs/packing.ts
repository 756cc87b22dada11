import path from "node:path"
import {
  type CallJudge,
  findLastOptionValue,
  hasOption,
  listOptionValues,
  type ProgramCall,
  readDashAsName,
} from "../known-program.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { reportAccess, reportChange, resolvePaths } from "../scene.ts"
import type { ShellState } from "../state.ts"
import { getArgumentFolder, reportBehindLinks } from "./coreutils.ts"

const here = makePlainArgument(".")

/** Programs that change files in place, or files that only a patch or an archive names. */
export const packPrograms: Readonly<Record<string, CallJudge>> = {
  tar,
  patch: (call) => {
    const { scene } = call
    // All other paths are relative to this folder.
    const state = listOptionValues(call, "-d", "--directory").reduce(
      (before, folder) => enterFolder(call, folder, before),
      call.state,
    )
    const [file, patch] = call.operands
    for (const input of [...listOptionValues(call, "-i", "--input"), ...(patch ? [patch] : [])])
      reportAccess(scene, "read", input, state)
    // The patch itself names its files.
    reportAccess(scene, "read", here, state, "below")
    if (file) reportAccess(scene, "read", file, state)
    if (hasOption(call, "--help", "--version", "-v")) return
    // These files are written even in a dry run.
    for (const output of listOptionValues(call, "-o", "--output", "-r", "--reject-file"))
      if (output.value !== "-") reportChange(scene, output, state)
    if (hasOption(call, "--dry-run")) return
    // The patch may name further files, whatever the command names.
    if (file) reportChange(scene, file, state)
    if (file?.value?.includes("/")) reportChange(scene, getArgumentFolder(file), state, "below")
    reportChange(scene, here, state, "below")
    if (hasOption(call, "--follow-symlinks")) reportBehindLinks({ ...call, state }, "write", [here])
  },
  ...inPlace("gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma", (call) => {
    if (hasOption(call, "-c", "--stdout", "--to-stdout", "--help", "--version", "-H", "-h", "-L", "-V"))
      return true
    // Of several modes, the last one counts, at least in some of these programs.
    const packs = hasOption(call, "-d", "--decompress", "--uncompress", "-z", "--compress")
    return !packs && hasOption(call, "-t", "--test", "-l", "--list")
  }),
  ...inPlace("zcat bzcat xzcat lzcat", () => true),
  unzip: (call) => {
    const { scene, state } = call
    const [archive] = call.operands
    if (call.before !== undefined) scene.findings.addUnclear("unzip reads the words after -- in its own way")
    if (archive?.value === "-") scene.findings.addUnclear("unzip takes another word as the archive")
    // unzip itself expands a `*` in the archive's name.
    if (archive)
      reportAccess(
        scene,
        "read",
        /[*?[]/.test(archive.value ?? "") ? getArgumentFolder(archive) : archive,
        state,
        "below",
      )
    const folders = listOptionValues(call, "-d")
    if (folders.length > 1 || folders.some(({ value }) => value?.startsWith("-")))
      scene.findings.addUnclear("the folder that unzip writes to cannot be determined")
    // Behind the archive, options are names of files in it.
    const before = { ...call, options: call.options.filter(({ after }) => after === 0) }
    if (hasOption(before, "-l", "-t", "-p", "-v", "-z", "-Z", "-c", "-h")) return
    reportChange(scene, findLastOptionValue(call, "-d") ?? here, state, "below")
    for (const { path: place } of resolvePaths(scene, findLastOptionValue(call, "-d") ?? here, state))
      scene.findings.addLink(place, "below")
  },
}

export const judgeZip: CallJudge = (call) => {
  const { scene, state } = call
  const [archive, ...files] = call.operands
  if (!archive) scene.findings.addUnclear("zip gets no name for the archive, and makes one up")
  if (archive && archive.value !== "-") {
    reportChange(scene, archive, state)
    reportAccess(scene, "read", archive, state)
    if (archive.value && !archive.value.includes("."))
      reportChange(scene, makePlainArgument(`${archive.value}.zip`), state)
  }
  if (files.length === 0 && hasOption(call, "-m", "--move"))
    scene.findings.addUnclear("zip moves files that it takes from its input")
  for (const file of files) {
    reportAccess(scene, "read", file, state, "below")
    if (hasOption(call, "-m", "--move")) reportChange(scene, file, state, "below")
  }
  if (hasOption(call, "-R")) reportAccess(scene, "read", here, state, "below")
  if (hasOption(call, "-r", "--recurse-paths", "-R") && !hasOption(call, "-y", "--symlinks"))
    reportBehindLinks(call, "read", hasOption(call, "-R") ? [here] : files)
}

/** The state after a program has changed to a folder. */
export function enterFolder({ scene }: ProgramCall, folder: ShellArgument, state: ShellState): ShellState {
  if (folder.value === undefined) return { ...state, folders: undefined }
  return { ...state, folders: state.folders?.map((from) => scene.paths.real(from, folder.value!)) }
}

/**
 * Reads the old style of tar: the first word is a bundle of letters, whose values follow in the same order.
 */
export function unbundleTarOptions(words: readonly ShellArgument[]): readonly ShellArgument[] {
  const [first, ...rest] = words
  if (first?.value === undefined || first.value === "" || first.value.startsWith("-")) return words
  let next = 0
  const options = [...first.value].flatMap((letter) => {
    const value = valued.includes(letter) ? rest[next++] : undefined
    return [makePlainArgument(`-${letter}`), ...(value ? [value] : [])]
  })
  return [...options, ...rest.slice(next)]
}

const valued = "fbgCFHIKLNTVX"

function tar(call: ProgramCall): void {
  const { scene, state, operands } = call
  if (hasOption(call, "--help", "--version", "--usage", "--show-defaults")) return
  if (operands.some(({ pattern }) => pattern === ""))
    scene.findings.addUnclear("tar may read a file's name as an option")
  const [changes, extracts] = [
    hasOption(
      call,
      "-c",
      "--create",
      "-r",
      "--append",
      "-u",
      "--update",
      "-A",
      "--catenate",
      "--concatenate",
      "--delete",
    ),
    hasOption(call, "-x", "--extract", "--get"),
  ]
  for (const archive of listOptionValues(call, "-f", "--file")) {
    if (archive.value === "-") continue
    if (/^[^/]+:/.test(archive.value ?? "")) scene.findings.addUnclear("the archive is on another machine")
    reportAccess(scene, changes ? "write" : "read", archive, state)
    if (changes && !hasOption(call, "-c", "--create")) reportAccess(scene, "read", archive, state)
  }
  for (const list of listOptionValues(call, "-g", "--listed-incremental"))
    reportAccess(scene, "read", readDashAsName(list), state)
  const folders = foldersOf(call)
  if (changes || hasOption(call, "-d", "--diff", "--compare")) {
    for (const folder of folders.slice(1)) reportAccess(scene, "read", here, folder.state, "below")
    for (const [index, word] of operands.entries())
      reportAccess(scene, "read", word, stateAt(folders, index), "below")
    for (const word of listOptionValues(call, "--add-file")) reportAccess(scene, "read", word, state, "below")
    if (!changes && operands.length === 0) reportAccess(scene, "read", here, folders.at(-1)!.state, "below")
    if (hasOption(call, "-h", "--dereference"))
      for (const [index, word] of operands.entries())
        reportBehindLinks({ ...call, state: stateAt(folders, index) }, "read", [word])
    // `--remove-files` deletes the files, and `--atime-preserve` sets their times back.
    if (hasOption(call, "--remove-files", "--atime-preserve"))
      for (const [index, word] of operands.entries())
        reportAccess(scene, "write", word, stateAt(folders, index), "below")
  }
  if (!extracts || hasOption(call, "-O", "--to-stdout")) return
  const states =
    operands.length === 0 ? [folders.at(-1)!.state] : operands.map((_, index) => stateAt(folders, index))
  for (const inside of new Set(states)) {
    reportAccess(scene, "write", here, inside, "below")
    for (const folder of inside.folders ?? []) scene.findings.addLink(scene.paths.real("/", folder), "below")
  }
}

interface Stand {
  readonly after: number
  readonly state: ShellState
}

/**
 * The folder at first, and every later folder with the first operand that it applies to. Each is relative to
 * the one before.
 */
function foldersOf(call: ProgramCall): readonly Stand[] {
  const stands: Stand[] = [{ after: 0, state: call.state }]
  for (const { option, value, after } of call.options)
    if (value && option.names.includes("--directory"))
      stands.push({ after, state: enterFolder(call, value, stands.at(-1)!.state) })
  return stands
}

const stateAt = (stands: readonly Stand[], operand: number): ShellState =>
  stands.findLast(({ after }) => after <= operand)!.state

/** A missing file is looked for with each ending that an archive may have. */
function readWithEndings(call: ProgramCall, { value }: ShellArgument): void {
  const { scene, state } = call
  if (value === undefined || value === "-") return
  if (
    resolvePaths(scene, makePlainArgument(value), state).some(({ path: place }) => scene.paths.isFile(place))
  )
    return
  const endings = [
    ".gz",
    "-gz",
    ".z",
    "-z",
    ".Z",
    "_z",
    ".tgz",
    ".taz",
    ...listOptionValues(call, "-S", "--suffix").map((one) => one.value),
  ]
  for (const ending of endings) {
    reportAccess(scene, "read", makePlainArgument(`${value}${ending}`), state)
  }
}

/** bzip2 checks whether its output exists already, both when it packs and when it unpacks. */
function readOutputs({ scene, state }: ProgramCall, file: ShellArgument): void {
  if (file.value === undefined) return reportAccess(scene, "read", getArgumentFolder(file), state, "below")
  const unpacked = file.value.replace(/\.bz2?$/, "").replace(/\.tbz2?$/, ".tar")
  for (const name of new Set([`${file.value}.bz2`, `${file.value}.out`, unpacked]))
    reportAccess(scene, "read", makePlainArgument(name), state)
}

/** Judges programs that write beside each file, or in its place. */
function inPlace(names: string, looks: (call: ProgramCall) => boolean): Record<string, CallJudge> {
  const judgeOf =
    (program: string): CallJudge =>
    (call) => {
      const { scene, state, operands } = call
      const reach = hasOption(call, "-r", "--recursive") ? "below" : "itself"
      for (const file of operands) reportAccess(scene, "read", file, state, reach)
      if (
        listOptionValues(call, "-S", "--suffix").some(
          ({ value }) => value === undefined || value !== path.basename(value),
        )
      )
        scene.findings.addUnclear("the suffix decides where files are written")
      for (const file of operands) readWithEndings(call, file)
      if (looks(call)) return
      for (const file of operands) {
        if (file.value === "-") continue
        if (/^b/.test(program)) readOutputs(call, file)
        reportChange(scene, file, state, "below")
        reportChange(scene, getArgumentFolder(file), state, "below")
      }
    }
  return Object.fromEntries(names.split(" ").map((name) => [name, judgeOf(name)]))
}
