import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import type { Findings } from "./findings.ts"
import type { InstalledPrograms } from "./machine.ts"
import type { Paths } from "./paths.ts"
import type { ShellArgument } from "./resolve-word.ts"
import type { ShellOutcome, ShellState } from "./state.ts"

/** The judge, as the known programs see it: they report their effects here. */
export interface Scene {
  readonly findings: Findings
  readonly paths: Paths
  /** The working folder and the home folder, with links followed. */
  readonly root: string
  readonly home: string
  readonly machine: InstalledPrograms
  /** Reports that the effects of the current command are unknown. */
  reportUnknown(): void
  /** Judges a command that a program would run. */
  run(words: readonly ShellArgument[], state: ShellState): ShellOutcome
  /** Judges a text that a shell would run. */
  script(text: string, state: ShellState): ShellOutcome
}

/** Reports what a program does with its arguments. Undefined: it leaves the shell's state unchanged. */
export type ProgramJudge = (
  scene: Scene,
  words: readonly ShellArgument[],
  state: ShellState,
) => ShellOutcome | undefined

export interface ReachedPath {
  readonly path: string
  readonly reach: "itself" | "below"
}

/** The paths that an argument may stand for. A path that cannot be determined is reported as unclear. */
export function resolvePaths(
  scene: Scene,
  argument: ShellArgument,
  state: ShellState,
): readonly ReachedPath[] {
  const { findings, paths } = scene
  if (argument.below) return argument.below.map((path) => ({ path, reach: "below" as const }))
  const { value, pattern } = argument
  if (pattern !== undefined && argument.written.includes("..")) {
    findings.addUnclear(`the target of ${argument.written} depends on the existing files`)
    return []
  }
  const name = value ?? pattern?.slice(0, pattern.lastIndexOf("/") + 1)
  if (name === undefined && argument.reason === undefined)
    findings.addUnclear(`the file ${argument.written} is only known when the command runs`)
  if (name === undefined || value === "") return []
  if (isOfProcess(scene, name, state))
    findings.addUnclear(`the target of ${argument.written} differs for each process`)
  const reach = value === undefined ? "below" : "itself"
  const behind = (place: string): readonly ReachedPath[] =>
    pattern === undefined
      ? []
      : linkTargets(paths, place, argument.written.slice(pattern.length).includes("/"))
  if (climbsFromLink(scene, name, state))
    findings.addUnclear(`the target of ${argument.written} depends on links that earlier commands may make`)
  if (name.startsWith("/")) {
    const place = paths.real("/", name)
    return [{ path: place, reach }, ...behind(place)]
  }
  if (!state.folders) {
    findings.addUnclear(`${argument.written} is relative to an unknown folder`)
    return []
  }
  return state.folders.flatMap((folder) => {
    const place = paths.real(folder, name)
    return [{ path: place, reach } as const, ...behind(place)]
  })
}

/**
 * True if a path goes up with `..` from a place where a link may be by then: the link's target decides what
 * is above.
 */
function climbsFromLink({ findings, paths }: Scene, name: string, { folders = [] }: ShellState): boolean {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".")
  const starts = name.startsWith("/") ? ["/"] : folders
  return parts.some((part, index) => {
    if (part !== "..") return false
    const way = parts.slice(0, index).join("/")
    return starts.some((start) =>
      [path.posix.join(start, way), paths.real(start, way)].some((place) => findings.mayBeLink(place)),
    )
  })
}

/** The files that a `*` matches may be links that lead elsewhere. */
function linkTargets(paths: Paths, folder: string, isDeep: boolean): readonly ReachedPath[] {
  const targets = isDeep ? paths.targetsBehindLinks(folder) : paths.targetsOfLinksIn(folder)
  const inside = folder === "/" ? "/" : `${folder}/`
  return targets
    .filter((target) => !target.startsWith(inside))
    .map((target) => ({ path: target, reach: paths.isFolder(target) ? "below" : "itself" }))
}

/** True if a path leads through links that the kernel makes up for each process. */
const isOfProcess = ({ paths }: Scene, name: string, { folders = [] }: ShellState): boolean =>
  /(?:^|\/)proc\/+(?:\.\/+)*(?:self|thread-self|[0-9]+)(?:\/|$)|^\/+dev\/+fd\//.test(name) ||
  (name.startsWith("/") ? ["/"] : folders).some((folder) => paths.dependsOnProcess(folder, name))

/**
 * Reports that an argument is read or written. `-` is not read as a file: most programs take it for their
 * input.
 */
export function reportAccess(
  scene: Scene,
  type: "read" | "write",
  argument: ShellArgument,
  state: ShellState,
  reach: "itself" | "below" = "itself",
): void {
  if ((type === "read" && argument.value === "-") || isPlainDevice(argument.value)) return
  for (const place of resolvePaths(scene, argument, state))
    scene.findings.addPath(type, place.path, place.reach === "below" ? "below" : reach)
}

/** Devices that every program may use, and that store nothing. */
const isPlainDevice = (value: string | undefined): boolean =>
  value !== undefined && /^\/dev\/(?:null|zero|random|urandom|stdin|stdout|stderr|tty)$/.test(value)

/**
 * Reports a change that is the purpose of the command: allowing the command covers it, unless a rule is about
 * the file. Outside of the working folder the change counts as a plain write.
 */
export function reportChange(
  scene: Scene,
  argument: ShellArgument,
  state: ShellState,
  reach: "itself" | "below" = "itself",
): void {
  for (const { path, reach: placeReach } of resolvePaths(scene, argument, state)) {
    const widerReach = placeReach === "below" ? placeReach : reach
    if (isInside(scene.root, path)) scene.findings.addChange(path, widerReach, "certain")
    else scene.findings.addPath("write", path, widerReach)
  }
}

/**
 * Reports a word as read, or also as possibly changed, where it names an existing file or folder. The word
 * may be anything; the name may stand alone or behind an option.
 */
export function reportIfExists(
  scene: Scene,
  use: "read" | "change",
  { value, pattern }: ShellArgument,
  { folders = [] }: ShellState,
): void {
  const report = (place: string, reach: "itself" | "below") => {
    scene.findings.addPath("read", place, reach)
    if (use === "change" && isInside(scene.root, place)) scene.findings.addChange(place, reach, "possible")
  }
  for (const folder of folders) {
    if (pattern !== undefined) {
      report(scene.paths.real(folder, pattern.slice(0, pattern.lastIndexOf("/") + 1)), "below")
      continue
    }
    for (const name of new Set(value === undefined ? [] : [value, ...optionValues(value)])) {
      const place = scene.paths.real(folder, name)
      if (scene.paths.isFolder(place)) report(place, "below")
      else if (scene.paths.isFile(place)) report(place, "itself")
    }
  }
}

/** The values in `--file=x`, `-fx`, `if=x` and `@x`. */
const optionValues = (text: string): readonly string[] =>
  [/^[\w-]+=(.+)$/s, /^-\w(.+)$/s, /^@(.+)$/s].flatMap((form) => form.exec(text)?.[1] ?? [])
