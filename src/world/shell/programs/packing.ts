import path from "node:path"
import { asName, type Call, has, type Judged, lastValue, valuesOf } from "../known-program.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { change, placesOf, touch } from "../scene.ts"
import type { State } from "../state.ts"
import { behindLinks, beside } from "./coreutils.ts"

const here = plainArgument(".")

/** Programs that change files which nobody names to them, or in place: what a patch or an archive says. */
export const packing: Readonly<Record<string, Judged>> = {
  tar,
  patch: (call) => {
    const { scene } = call
    // Everything else is looked up there.
    const state = valuesOf(call, "-d", "--directory").reduce(
      (before, folder) => moved(call, folder, before),
      call.state,
    )
    const [file, patch] = call.operands
    for (const read of [...valuesOf(call, "-i", "--input"), ...(patch ? [patch] : [])])
      touch(scene, "read", read, state)
    // Which files a patch is about, it says itself.
    touch(scene, "read", here, state, "below")
    if (file) touch(scene, "read", file, state)
    if (has(call, "--help", "--version", "-v")) return
    // These are written although nothing else is.
    for (const written of valuesOf(call, "-o", "--output", "-r", "--reject-file"))
      if (written.value !== "-") change(scene, written, state)
    if (has(call, "--dry-run")) return
    // It may also be told of other files by the patch, whatever is named.
    if (file) change(scene, file, state)
    if (file?.value?.includes("/")) change(scene, beside(file), state, "below")
    change(scene, here, state, "below")
    if (has(call, "--follow-symlinks")) behindLinks({ ...call, state }, "write", [here])
  },
  ...inPlace("gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma", (call) => {
    if (has(call, "-c", "--stdout", "--to-stdout", "--help", "--version", "-H", "-h", "-L", "-V")) return true
    // Of several modes the last one counts, at least for some of these programs.
    const packs = has(call, "-d", "--decompress", "--uncompress", "-z", "--compress")
    return !packs && has(call, "-t", "--test", "-l", "--list")
  }),
  ...inPlace("zcat bzcat xzcat lzcat", () => true),
  unzip: (call) => {
    const { scene, state } = call
    const [archive] = call.operands
    if (call.before !== undefined) scene.found.unclear("unzip reads what follows -- in its own way")
    if (archive?.value === "-") scene.found.unclear("unzip takes another word for the archive")
    // It makes out itself which files a star stands for.
    if (archive)
      touch(scene, "read", /[*?[]/.test(archive.value ?? "") ? beside(archive) : archive, state, "below")
    const folders = valuesOf(call, "-d")
    if (folders.length > 1 || folders.some(({ value }) => value?.startsWith("-")))
      scene.found.unclear("where unzip puts files is not plain")
    // Behind the archive they are names of what is in it.
    const before = { ...call, options: call.options.filter(({ after }) => after === 0) }
    if (has(before, "-l", "-t", "-p", "-v", "-z", "-Z", "-c", "-h")) return
    change(scene, lastValue(call, "-d") ?? here, state, "below")
    for (const { path: place } of placesOf(scene, lastValue(call, "-d") ?? here, state))
      scene.found.linked(place, "below")
  },
}

export const zipped: Judged = (call) => {
  const { scene, state } = call
  const [archive, ...files] = call.operands
  if (!archive) scene.found.unclear("zip is given no archive, and makes up a name for it")
  if (archive && archive.value !== "-") {
    change(scene, archive, state)
    touch(scene, "read", archive, state)
    if (archive.value && !archive.value.includes("."))
      change(scene, plainArgument(`${archive.value}.zip`), state)
  }
  if (files.length === 0 && has(call, "-m", "--move"))
    scene.found.unclear("zip moves what it takes from its input")
  for (const file of files) {
    touch(scene, "read", file, state, "below")
    if (has(call, "-m", "--move")) change(scene, file, state, "below")
  }
  if (has(call, "-R")) touch(scene, "read", here, state, "below")
  if (has(call, "-r", "--recurse-paths", "-R") && !has(call, "-y", "--symlinks"))
    behindLinks(call, "read", has(call, "-R") ? [here] : files)
}

/** Where a program stands after it has gone to a folder. */
export function moved({ scene }: Call, folder: Argument, state: State): State {
  if (folder.value === undefined) return { ...state, folders: undefined }
  return { ...state, folders: state.folders?.map((from) => scene.paths.real(from, folder.value!)) }
}

/** The old way: the first word is a bundle of letters, whose values follow in their order. */
export function withoutBundle(words: readonly Argument[]): readonly Argument[] {
  const [first, ...rest] = words
  if (first?.value === undefined || first.value === "" || first.value.startsWith("-")) return words
  let next = 0
  const options = [...first.value].flatMap((letter) => {
    const value = valued.includes(letter) ? rest[next++] : undefined
    return [plainArgument(`-${letter}`), ...(value ? [value] : [])]
  })
  return [...options, ...rest.slice(next)]
}

const valued = "fbgCFHIKLNTVX"

function tar(call: Call): void {
  const { scene, state, operands } = call
  if (has(call, "--help", "--version", "--usage", "--show-defaults")) return
  if (operands.some(({ pattern }) => pattern === ""))
    scene.found.unclear("a file's name may be an option of tar")
  const [changes, extracts] = [
    has(
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
    has(call, "-x", "--extract", "--get"),
  ]
  for (const archive of valuesOf(call, "-f", "--file")) {
    if (archive.value === "-") continue
    if (/^[^/]+:/.test(archive.value ?? "")) scene.found.unclear("the archive is on another machine")
    touch(scene, changes ? "write" : "read", archive, state)
    if (changes && !has(call, "-c", "--create")) touch(scene, "read", archive, state)
  }
  for (const list of valuesOf(call, "-g", "--listed-incremental")) touch(scene, "read", asName(list), state)
  const folders = foldersOf(call)
  if (changes || has(call, "-d", "--diff", "--compare")) {
    for (const folder of folders.slice(1)) touch(scene, "read", here, folder.state, "below")
    for (const [index, word] of operands.entries())
      touch(scene, "read", word, stateAt(folders, index), "below")
    for (const word of valuesOf(call, "--add-file")) touch(scene, "read", word, state, "below")
    if (!changes && operands.length === 0) touch(scene, "read", here, folders.at(-1)!.state, "below")
    if (has(call, "-h", "--dereference"))
      for (const [index, word] of operands.entries())
        behindLinks({ ...call, state: stateAt(folders, index) }, "read", [word])
    // Of what it reads it sets the times back.
    if (has(call, "--remove-files", "--atime-preserve"))
      for (const [index, word] of operands.entries())
        touch(scene, "write", word, stateAt(folders, index), "below")
  }
  if (!extracts || has(call, "-O", "--to-stdout")) return
  const used =
    operands.length === 0 ? [folders.at(-1)!.state] : operands.map((_, index) => stateAt(folders, index))
  for (const inside of new Set(used)) {
    touch(scene, "write", here, inside, "below")
    for (const folder of inside.folders ?? []) scene.found.linked(scene.paths.real("/", folder), "below")
  }
}

interface Stand {
  readonly after: number
  readonly state: State
}

/** Where it stands at first, and from which operand on it stands where else: each folder is looked up from the one before. */
function foldersOf(call: Call): readonly Stand[] {
  const stands: Stand[] = [{ after: 0, state: call.state }]
  for (const { option, value, after } of call.options)
    if (value && option.names.includes("--directory"))
      stands.push({ after, state: moved(call, value, stands.at(-1)!.state) })
  return stands
}

const stateAt = (stands: readonly Stand[], operand: number): State =>
  stands.findLast(({ after }) => after <= operand)!.state

/** A name that is not there is looked for with each ending that an archive may have. */
function shortened(call: Call, { value }: Argument): void {
  const { scene, state } = call
  if (value === undefined || value === "-") return
  if (placesOf(scene, plainArgument(value), state).some(({ path: place }) => scene.paths.isFile(place)))
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
    ...valuesOf(call, "-S", "--suffix").map((one) => one.value),
  ]
  for (const ending of endings) {
    touch(scene, "read", plainArgument(`${value}${ending}`), state)
  }
}

/** It looks whether what it is to make is there already, whether it packs or unpacks. */
function packedBefore({ scene, state }: Call, file: Argument): void {
  if (file.value === undefined) return touch(scene, "read", beside(file), state, "below")
  const unpacked = file.value.replace(/\.bz2?$/, "").replace(/\.tbz2?$/, ".tar")
  for (const name of new Set([`${file.value}.bz2`, `${file.value}.out`, unpacked]))
    touch(scene, "read", plainArgument(name), state)
}

/** Beside each file, or in its place. */
function inPlace(names: string, looks: (call: Call) => boolean): Record<string, Judged> {
  const judgeOf =
    (program: string): Judged =>
    (call) => {
      const { scene, state, operands } = call
      const reach = has(call, "-r", "--recursive") ? "below" : "itself"
      for (const file of operands) touch(scene, "read", file, state, reach)
      if (
        valuesOf(call, "-S", "--suffix").some(
          ({ value }) => value === undefined || value !== path.basename(value),
        )
      )
        scene.found.unclear("it writes wherever its suffix says")
      for (const file of operands) shortened(call, file)
      if (looks(call)) return
      for (const file of operands) {
        if (file.value === "-") continue
        if (/^b/.test(program)) packedBefore(call, file)
        change(scene, file, state, "below")
        change(scene, beside(file), state, "below")
      }
    }
  return Object.fromEntries(names.split(" ").map((name) => [name, judgeOf(name)]))
}
