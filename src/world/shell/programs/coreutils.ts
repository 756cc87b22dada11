import path from "node:path"
import {
  type CallJudge,
  findLastOptionValue,
  hasOption,
  listArgumentPaths,
  type ProgramCall,
  readDashAsName,
  reportUse,
} from "../known-program.ts"
import { isDevice } from "../redirect.ts"
import { judgeRemoval } from "../removal.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { reportAccess, resolvePaths } from "../scene.ts"

const here = makePlainArgument(".")

/** The effects of coreutils that depend on more than one word. */
export const coreutils: Readonly<Record<string, CallJudge>> = {
  ls: list,
  dir: list,
  vdir: list,
  du: (call) => {
    const operands = call.operands.length > 0 || hasOption(call, "--files0-from") ? call.operands : [here]
    for (const word of operands) reportAccess(call.scene, "read", readDashAsName(word), call.state, "below")
    if (hasOption(call, "-L", "--dereference")) reportBehindLinks(call, "read", operands)
  },
  chmod: (call) =>
    changeRights(
      call,
      hasOption(call, "--reference", ..."agorstuwxX".split("").map((letter) => `-${letter}`), "-NUM"),
    ),
  chown: (call) => changeRights(call, hasOption(call, "--reference")),
  chgrp: (call) => changeRights(call, hasOption(call, "--reference")),
  rm: remove,
  rmdir: (call) => {
    for (const word of call.operands) {
      reportUse(call, "write", word, "rmdir")
      if (!hasOption(call, "-p", "--parents", "--path") || word.value === undefined) continue
      for (
        let parent = path.posix.dirname(word.value);
        parent !== "." && parent !== "/";
        parent = path.posix.dirname(parent)
      )
        reportAccess(call.scene, "write", makePlainArgument(parent), call.state)
    }
  },
  cp: (call) => {
    const links = hasOption(call, "-l", "--link", "-s", "--symbolic-link")
    if (hasOption(call, "-L", "--dereference") && isRecursive(call))
      reportBehindLinks(call, "read", call.operands)
    transfer(call, links ? "linked" : "read", isRecursive(call) ? "below" : "itself")
    if (isRecursive(call) || hasOption(call, "-d", "-P", "--no-dereference", "-s", "--symbolic-link"))
      carryLinks(call, targetOf(call))
  },
  mv: (call) => {
    carryLinks(call, targetOf(call))
    transfer(call, "moved", "below")
  },
  ln: (call) => {
    if (hasOption(call, "-s", "--symbolic")) reportLinkTargets(call)
    if (hasOption(call, "-s", "--symbolic"))
      for (const place of namesOf(call, targetOf(call).target ?? here))
        call.scene.findings.addLink(place, "itself")
    transfer(call, "linked", "below")
  },
  link: (call) => transfer(call, "linked", "itself"),
  install: (call) => {
    if (hasOption(call, "-d", "--directory"))
      for (const word of call.operands) reportUse(call, "write", word, "install")
    else transfer(call, "read", "itself")
  },
  mktemp: (call) => {
    if (hasOption(call, "-u", "--dry-run")) return
    const [template] = call.operands
    const folder = findLastOptionValue(call, "-p", "--tmpdir")
    const temporary =
      folder ?? (template && !hasOption(call, "-t", "--tmpdir") ? undefined : makePlainArgument("/tmp"))
    if (temporary) reportAccess(call.scene, "write", temporary, call.state, "below")
    if (template) reportAccess(call.scene, "write", getArgumentFolder(template), call.state, "below")
  },
  date: (call) => {
    const [format] = call.operands
    if (format && !format.value?.startsWith("+")) call.scene.findings.addUnclear("date sets the clock")
  },
  uniq: (call) => {
    if (call.operands.some(({ value }) => /^\+\d/.test(value ?? "+0")))
      call.scene.findings.addUnclear("uniq reads +N as the number of characters to skip")
  },
  ...Object.fromEntries(
    `b2sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum`
      .split(" ")
      .map((name): [string, CallJudge] => [
        name,
        (call) => {
          for (const word of call.operands)
            reportUse(call, hasOption(call, "-c", "--check") ? "names" : "read", word, name)
          if (hasOption(call, "-c", "--check") && call.operands.length === 0)
            call.scene.findings.addUnclear(`${name} reads file names from its input`)
        },
      ]),
  ),
  shuf: (call) => {
    if (!hasOption(call, "-e", "--echo"))
      for (const word of call.operands) reportUse(call, "read", word, "shuf")
  },
  split: (call) => {
    const [file, prefix = here, ...more] = call.operands
    if (file) reportUse(call, "read", file, "split")
    for (const word of [prefix, ...more]) writeParts(call, word)
  },
  csplit: (call) => {
    for (const file of call.operands.slice(0, 1)) reportUse(call, "read", file, "csplit")
    for (const word of [findLastOptionValue(call, "-f", "--prefix") ?? here]) writeParts(call, word)
    const format = findLastOptionValue(call, "-b", "--suffix-format")
    if (format && format.value?.includes("/") !== false)
      call.scene.findings.addUnclear("csplit writes to the files that its format names")
  },
}

function list(call: ProgramCall): void {
  const { scene, state, operands } = call
  const recursive = hasOption(call, "-R", "--recursive")
  for (const word of operands)
    reportAccess(scene, "read", readDashAsName(word), state, recursive ? "below" : "itself")
  const elsewhere = state.folders?.some((folder) => scene.paths.real("/", folder) !== scene.root) !== false
  if (operands.length === 0 && (recursive || elsewhere))
    reportAccess(scene, "read", here, state, recursive ? "below" : "itself")
  if (recursive && hasOption(call, "-L", "--dereference"))
    reportBehindLinks(call, "read", operands.length > 0 ? operands : [here])
}

/** Reports where links below the folders lead, including links in the folders that they lead to. */
export function reportBehindLinks(
  { scene, state }: ProgramCall,
  type: "read" | "write",
  words: readonly ShellArgument[],
): void {
  for (const word of words)
    for (const { path: place } of resolvePaths(scene, word, state))
      for (const target of scene.paths.targetsBehindLinks(place))
        scene.findings.addPath(type, target, scene.paths.isFolder(target) ? "below" : "itself")
}

const isRecursive = (call: ProgramCall): boolean =>
  hasOption(call, "-r", "-R", "-a", "--recursive", "--archive")

/** `hasOnlyFiles`: the operands are files from the first one on. */
function changeRights(call: ProgramCall, hasOnlyFiles: boolean): void {
  const recursive = hasOption(call, "-R", "--recursive")
  for (const word of call.operands.slice(hasOnlyFiles ? 0 : 1)) {
    reportAccess(call.scene, "write", word, call.state, recursive ? "below" : "itself")
    // `--from` opens each file to see its owner.
    if (hasOption(call, "--from"))
      reportAccess(call.scene, "read", word, call.state, recursive ? "below" : "itself")
    for (const place of recursive ? listArgumentPaths(call, word) : [])
      if (place === "/" || place === call.scene.home)
        call.scene.findings.addDangerous(`the command changes the owner or mode of everything below ${place}`)
  }
  if (recursive && hasOption(call, "-L")) reportBehindLinks(call, "write", call.operands)
}

function remove(call: ProgramCall): void {
  const { scene, state, operands } = call
  const recursive = hasOption(call, "-r", "-R", "--recursive")
  for (const word of operands) {
    reportAccess(scene, "write", word, state, recursive ? "below" : "itself")
    if (!recursive) continue
    if (word.reason)
      scene.findings.addDangerous(`the command removes ${word.written}, which may be empty or any path`)
    for (const { path, reach } of resolvePaths(scene, word, state))
      judgeRemoval(scene, path, word.below ? "found" : reach === "below" ? "all in it" : "named")
  }
}

/** Transfers all operands but the last into the last one, or into the folder that an option names. */
function transfer(call: ProgramCall, source: "read" | "moved" | "linked", reach: "itself" | "below"): void {
  const { scene, state } = call
  const { sources, target } = targetOf(call)
  for (const word of sources) {
    reportAccess(scene, "read", readDashAsName(word), state, reach)
    if (source !== "read") reportAccess(scene, "write", word, state, reach)
  }
  // A single name is linked into the current folder.
  if (target ?? source === "linked") writeInto(call, target ?? here, sources)
}

interface Transfer {
  readonly sources: readonly ShellArgument[]
  readonly target: ShellArgument | undefined
}

function targetOf(call: ProgramCall): Transfer {
  const { operands } = call
  const folder = findLastOptionValue(call, "-t", "--target-directory")
  return {
    sources: folder || operands.length === 1 ? operands : operands.slice(0, -1),
    target: folder ?? (operands.length > 1 ? operands.at(-1)! : undefined),
  }
}

/** The paths of a word. Its last part is not followed where that is a link. */
function namesOf(call: ProgramCall, word: ShellArgument): readonly string[] {
  const { value } = word
  if (value === undefined || /(?:^|\/)\.{0,2}$/.test(value)) return listArgumentPaths(call, word)
  return listArgumentPaths(call, makePlainArgument(path.posix.join(value, ".."))).map((folder) =>
    path.posix.join(folder, path.posix.basename(value)),
  )
}

/** The text of a link is read from the folder of the link: a copy elsewhere leads elsewhere. */
export function carryLinks(call: ProgramCall, { sources, target }: Transfer): void {
  const { scene } = call
  for (const to of target ? namesOf(call, target) : [])
    for (const from of sources.flatMap((word) => namesOf(call, word))) {
      if (scene.findings.mayBeLink(from) || scene.findings.mayHoldLinks(from))
        scene.findings.addUnclear("a link that is moved or copied may lead elsewhere")
      const links = scene.paths.linksBelow(from)
      if (!links) scene.findings.addUnclear("there are too many files to check them for links")
      if (links?.length !== 0) for (const place of [from, to]) scene.findings.addLink(place, "itself")
      for (const { at, text } of links ?? [])
        for (const folder of new Set([to, path.join(to, path.basename(from))])) {
          const place = scene.paths.real(path.dirname(path.join(folder, at)), text)
          for (const type of ["read", "write"] as const)
            scene.findings.addPath(type, place, scene.paths.isFolder(place) ? "below" : "itself")
        }
    }
}

/**
 * Writes into a folder or in place of a file. Only a file that exists already shows which of the two it is.
 */
function writeInto(call: ProgramCall, target: ShellArgument, sources: readonly ShellArgument[]): void {
  const { scene, state } = call
  const keeps = hasOption(call, "-b", "--backup", "-S", "--suffix")
  for (const { path: place } of resolvePaths(scene, target, state)) {
    scene.findings.addPath("write", place, scene.paths.isFile(place) ? "itself" : "below")
    if (isDevice(place)) scene.findings.addDangerous(`the command writes to the device ${place}`)
    if (keeps) scene.findings.addPath("write", path.dirname(place), "below")
    // A file that exists there may be a link that leads out of the folder.
    for (const { value } of sources) {
      const inside = value && scene.paths.real(place, path.posix.basename(value))
      if (inside && inside !== place && !inside.startsWith(place === "/" ? "/" : `${place}/`))
        scene.findings.addPath("write", inside)
    }
  }
}

/** The text of a link is read from the folder of the link. */
function reportLinkTargets(call: ProgramCall): void {
  const { scene, operands, state } = call
  const folder = findLastOptionValue(call, "-t", "--target-directory")
  const target = folder ?? (operands.length > 1 ? operands.at(-1)! : here)
  const texts = folder || operands.length === 1 ? operands : operands.slice(0, -1)
  for (const place of listArgumentPaths(call, target))
    for (const text of texts)
      if (text.value !== undefined && !text.value.startsWith("/"))
        for (const type of ["read", "write"] as const)
          reportAccess(
            scene,
            type,
            text,
            { ...state, folders: [scene.paths.isFolder(place) ? place : path.dirname(place)] },
            "below",
          )
}

/** The folder that a file lies in. */
export const getArgumentFolder = ({ value = "", pattern = value }: ShellArgument): ShellArgument =>
  makePlainArgument(pattern.slice(0, pattern.lastIndexOf("/") + 1) || ".")

/**
 * Reports that files are written whose names begin with a prefix. In the working folder, allowing the command
 * covers them.
 */
function writeParts(call: ProgramCall, prefix: ShellArgument): void {
  for (const place of listArgumentPaths(
    call,
    prefix.value?.includes("/") ? getArgumentFolder(prefix) : here,
  )) {
    const inside = place === call.scene.root || place.startsWith(`${call.scene.root}/`)
    if (inside) call.scene.findings.addChange(place, "below", "certain")
    else call.scene.findings.addPath("write", place, "below")
  }
  if (prefix.value === undefined && prefix.reason === undefined)
    call.scene.findings.addUnclear(`the target of ${prefix.written} depends on the existing files`)
}
