import path from "node:path"
import { asName, type Call, has, type Judged, lastValue, pathsOf, use } from "../known-program.ts"
import { isDevice } from "../redirect.ts"
import { judgeRemoval } from "../removal.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { placesOf, touch } from "../scene.ts"

const here = plainArgument(".")

/** Of coreutils: what depends on more than one word. */
export const coreutils: Readonly<Record<string, Judged>> = {
  ls: list,
  dir: list,
  vdir: list,
  du: (call) => {
    const operands = call.operands.length > 0 || has(call, "--files0-from") ? call.operands : [here]
    for (const word of operands) touch(call.scene, "read", asName(word), call.state, "below")
    if (has(call, "-L", "--dereference")) behindLinks(call, "read", operands)
  },
  chmod: (call) =>
    rights(call, has(call, "--reference", ..."agorstuwxX".split("").map((letter) => `-${letter}`), "-NUM")),
  chown: (call) => rights(call, has(call, "--reference")),
  chgrp: (call) => rights(call, has(call, "--reference")),
  rm: remove,
  rmdir: (call) => {
    for (const word of call.operands) {
      use(call, "write", word, "rmdir")
      if (!has(call, "-p", "--parents", "--path") || word.value === undefined) continue
      for (
        let parent = path.posix.dirname(word.value);
        parent !== "." && parent !== "/";
        parent = path.posix.dirname(parent)
      )
        touch(call.scene, "write", plainArgument(parent), call.state)
    }
  },
  cp: (call) => {
    const links = has(call, "-l", "--link", "-s", "--symbolic-link")
    if (has(call, "-L", "--dereference") && isRecursive(call)) behindLinks(call, "read", call.operands)
    transfer(call, links ? "linked" : "read", isRecursive(call) ? "below" : "itself")
    if (isRecursive(call) || has(call, "-d", "-P", "--no-dereference", "-s", "--symbolic-link"))
      carryLinks(call, targetOf(call))
  },
  mv: (call) => {
    carryLinks(call, targetOf(call))
    transfer(call, "moved", "below")
  },
  ln: (call) => {
    if (has(call, "-s", "--symbolic")) leads(call)
    if (has(call, "-s", "--symbolic"))
      for (const place of namesOf(call, targetOf(call).target ?? here))
        call.scene.found.linked(place, "itself")
    transfer(call, "linked", "below")
  },
  link: (call) => transfer(call, "linked", "itself"),
  install: (call) => {
    if (has(call, "-d", "--directory")) for (const word of call.operands) use(call, "write", word, "install")
    else transfer(call, "read", "itself")
  },
  mktemp: (call) => {
    if (has(call, "-u", "--dry-run")) return
    const [template] = call.operands
    const given = lastValue(call, "-p", "--tmpdir")
    const temporary = given ?? (template && !has(call, "-t", "--tmpdir") ? undefined : plainArgument("/tmp"))
    if (temporary) touch(call.scene, "write", temporary, call.state, "below")
    if (template) touch(call.scene, "write", beside(template), call.state, "below")
  },
  date: (call) => {
    const [format] = call.operands
    if (format && !format.value?.startsWith("+")) call.scene.found.unclear("date sets the clock")
  },
  uniq: (call) => {
    if (call.operands.some(({ value }) => /^\+\d/.test(value ?? "+0")))
      call.scene.found.unclear("uniq takes +N for the number of characters to skip")
  },
  ...Object.fromEntries(
    `b2sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum`
      .split(" ")
      .map((name): [string, Judged] => [
        name,
        (call) => {
          for (const word of call.operands)
            use(call, has(call, "-c", "--check") ? "names" : "read", word, name)
          if (has(call, "-c", "--check") && call.operands.length === 0)
            call.scene.found.unclear(`${name} takes names of files from its input`)
        },
      ]),
  ),
  shuf: (call) => {
    if (!has(call, "-e", "--echo")) for (const word of call.operands) use(call, "read", word, "shuf")
  },
  split: (call) => {
    const [file, prefix = here, ...more] = call.operands
    if (file) use(call, "read", file, "split")
    for (const word of [prefix, ...more]) parts(call, word)
  },
  csplit: (call) => {
    for (const file of call.operands.slice(0, 1)) use(call, "read", file, "csplit")
    for (const word of [lastValue(call, "-f", "--prefix") ?? here]) parts(call, word)
    const format = lastValue(call, "-b", "--suffix-format")
    if (format && format.value?.includes("/") !== false)
      call.scene.found.unclear("csplit writes wherever its format says")
  },
}

function list(call: Call): void {
  const { scene, state, operands } = call
  const recursive = has(call, "-R", "--recursive")
  for (const word of operands) touch(scene, "read", asName(word), state, recursive ? "below" : "itself")
  const elsewhere = state.folders?.some((folder) => scene.paths.real("/", folder) !== scene.root) !== false
  if (operands.length === 0 && (recursive || elsewhere))
    touch(scene, "read", here, state, recursive ? "below" : "itself")
  if (recursive && has(call, "-L", "--dereference"))
    behindLinks(call, "read", operands.length > 0 ? operands : [here])
}

/** What links lead to that lie below, or in what they lead to. */
export function behindLinks(
  { scene, state }: Call,
  type: "read" | "write",
  words: readonly Argument[],
): void {
  for (const word of words)
    for (const { path: place } of placesOf(scene, word, state))
      for (const target of scene.paths.behindLinks(place))
        scene.found.path(type, target, scene.paths.isFolder(target) ? "below" : "itself")
}

const isRecursive = (call: Call): boolean => has(call, "-r", "-R", "-a", "--recursive", "--archive")

/** `files`: the operands are files from the first one on. */
function rights(call: Call, given: boolean): void {
  const recursive = has(call, "-R", "--recursive")
  for (const word of call.operands.slice(given ? 0 : 1)) {
    touch(call.scene, "write", word, call.state, recursive ? "below" : "itself")
    // It opens each file to see whose it is.
    if (has(call, "--from")) touch(call.scene, "read", word, call.state, recursive ? "below" : "itself")
    for (const place of recursive ? pathsOf(call, word) : [])
      if (place === "/" || place === call.scene.home)
        call.scene.found.dangerous(`it changes the rights of everything below ${place}`)
  }
  if (recursive && has(call, "-L")) behindLinks(call, "write", call.operands)
}

function remove(call: Call): void {
  const { scene, state, operands } = call
  const recursive = has(call, "-r", "-R", "--recursive")
  for (const word of operands) {
    touch(scene, "write", word, state, recursive ? "below" : "itself")
    if (!recursive) continue
    if (word.reason) scene.found.dangerous(`it removes ${word.written}, which may be empty or anything`)
    for (const { path, reach } of placesOf(scene, word, state))
      judgeRemoval(scene, path, word.below ? "found" : reach === "below" ? "all in it" : "named")
  }
}

/** From all operands but the last to the last, or to the folder that an option names. */
function transfer(call: Call, source: "read" | "moved" | "linked", reach: "itself" | "below"): void {
  const { scene, state } = call
  const { sources, target } = targetOf(call)
  for (const word of sources) {
    touch(scene, "read", asName(word), state, reach)
    if (source !== "read") touch(scene, "write", word, state, reach)
  }
  // One name alone is linked into the folder where one stands.
  if (target ?? source === "linked") into(call, target ?? here, sources)
}

interface Transfer {
  readonly sources: readonly Argument[]
  readonly target: Argument | undefined
}

function targetOf(call: Call): Transfer {
  const { operands } = call
  const folder = lastValue(call, "-t", "--target-directory")
  return {
    sources: folder || operands.length === 1 ? operands : operands.slice(0, -1),
    target: folder ?? (operands.length > 1 ? operands.at(-1)! : undefined),
  }
}

/** Paths of a word of which the last part is not followed where it is a link. */
function namesOf(call: Call, word: Argument): readonly string[] {
  const { value } = word
  if (value === undefined || /(?:^|\/)\.{0,2}$/.test(value)) return pathsOf(call, word)
  return pathsOf(call, plainArgument(path.posix.join(value, ".."))).map((folder) =>
    path.posix.join(folder, path.posix.basename(value)),
  )
}

/** A link says where it leads from where it lies: elsewhere it leads elsewhere. */
export function carryLinks(call: Call, { sources, target }: Transfer): void {
  const { scene } = call
  for (const to of target ? namesOf(call, target) : [])
    for (const from of sources.flatMap((word) => namesOf(call, word))) {
      if (scene.found.mayLead(from) || scene.found.mayHoldLinks(from))
        scene.found.unclear("where a link leads changes as it is moved")
      const links = scene.paths.linksOf(from)
      if (!links) scene.found.unclear("there are too many files to look for links among them")
      if (links?.length !== 0) for (const place of [from, to]) scene.found.linked(place, "itself")
      for (const { at, text } of links ?? [])
        for (const folder of new Set([to, path.join(to, path.basename(from))])) {
          const place = scene.paths.real(path.dirname(path.join(folder, at)), text)
          for (const type of ["read", "write"] as const)
            scene.found.path(type, place, scene.paths.isFolder(place) ? "below" : "itself")
        }
    }
}

/** Into a folder or in place of a file; which of them it will be then is seen only for a file that is there. */
function into(call: Call, target: Argument, sources: readonly Argument[]): void {
  const { scene, state } = call
  const keeps = has(call, "-b", "--backup", "-S", "--suffix")
  for (const { path: place } of placesOf(scene, target, state)) {
    scene.found.path("write", place, scene.paths.isFile(place) ? "itself" : "below")
    if (isDevice(place)) scene.found.dangerous(`it writes to the device ${place}`)
    if (keeps) scene.found.path("write", path.dirname(place), "below")
    // What is there already may be a link that leads out of it.
    for (const { value } of sources) {
      const inside = value && scene.paths.real(place, path.posix.basename(value))
      if (inside && inside !== place && !inside.startsWith(place === "/" ? "/" : `${place}/`))
        scene.found.path("write", inside)
    }
  }
}

/** A link's text is read from where the link lies. */
function leads(call: Call): void {
  const { scene, operands, state } = call
  const folder = lastValue(call, "-t", "--target-directory")
  const target = folder ?? (operands.length > 1 ? operands.at(-1)! : here)
  const texts = folder || operands.length === 1 ? operands : operands.slice(0, -1)
  for (const place of pathsOf(call, target))
    for (const text of texts)
      if (text.value !== undefined && !text.value.startsWith("/"))
        for (const type of ["read", "write"] as const)
          touch(
            scene,
            type,
            text,
            { ...state, folders: [scene.paths.isFolder(place) ? place : path.dirname(place)] },
            "below",
          )
}

/** The folder that it lies in. */
export const beside = ({ value = "", pattern = value }: Argument): Argument =>
  plainArgument(pattern.slice(0, pattern.lastIndexOf("/") + 1) || ".")

/** Files whose names begin so; whoever allows the command means that. */
function parts(call: Call, prefix: Argument): void {
  for (const place of pathsOf(call, prefix.value?.includes("/") ? beside(prefix) : here)) {
    const inside = place === call.scene.root || place.startsWith(`${call.scene.root}/`)
    if (inside) call.scene.found.change(place, "below", "certain")
    else call.scene.found.path("write", place, "below")
  }
  if (prefix.value === undefined && prefix.reason === undefined)
    call.scene.found.unclear(`where ${prefix.written} leads depends on the files there are`)
}
