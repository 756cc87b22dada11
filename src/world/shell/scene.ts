import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import type { Findings } from "./findings.ts"
import type { Machine } from "./machine.ts"
import type { Paths } from "./paths.ts"
import type { Argument } from "./resolve-word.ts"
import type { Outcome, State } from "./state.ts"

/** What those who know a program have at hand to tell what it does. */
export interface Scene {
  readonly found: Findings
  readonly paths: Paths
  /** The folder that is worked in, and the home folder, without links. */
  readonly root: string
  readonly home: string
  readonly machine: Machine
  /** Tells that nobody knows what the command does that is judged now. */
  unknown(): void
  /** Judges a command that a program would run. */
  run(words: readonly Argument[], state: State): Outcome
  /** Judges a text that a shell would run. */
  script(text: string, state: State): Outcome
}

/** What a program does with its arguments, beyond being run. */
export type Program = (scene: Scene, words: readonly Argument[], state: State) => Outcome | undefined

export interface Place {
  readonly path: string
  readonly reach: "itself" | "below"
}

/** The paths that an argument may stand for. One that cannot be told is found unclear. */
export function placesOf(scene: Scene, argument: Argument, state: State): readonly Place[] {
  const { found, paths } = scene
  if (argument.below) return argument.below.map((path) => ({ path, reach: "below" as const }))
  const { value, pattern } = argument
  if (pattern !== undefined && argument.written.includes("..")) {
    found.unclear(`where ${argument.written} leads depends on the files there are`)
    return []
  }
  const name = value ?? pattern?.slice(0, pattern.lastIndexOf("/") + 1)
  if (name === undefined && argument.reason === undefined)
    found.unclear(`which file ${argument.written} is shows only when it runs`)
  if (name === undefined || value === "") return []
  if (isOfProcess(scene, name, state))
    found.unclear(`where ${argument.written} leads is another thing for each process`)
  const reach = value === undefined ? "below" : "itself"
  const behind = (place: string): readonly Place[] =>
    pattern === undefined ? [] : linkedTo(paths, place, argument.written.slice(pattern.length).includes("/"))
  if (climbs(scene, name, state))
    found.unclear(`where ${argument.written} leads depends on what was made before`)
  if (name.startsWith("/")) {
    const place = paths.real("/", name)
    return [{ path: place, reach }, ...behind(place)]
  }
  if (!state.folders) {
    found.unclear(`${argument.written} is relative to a folder that is not known`)
    return []
  }
  return state.folders.flatMap((folder) => {
    const place = paths.real(folder, name)
    return [{ path: place, reach } as const, ...behind(place)]
  })
}

/** Whether a path goes up from where a link may be meanwhile: `made/..` is what lies above whatever that leads to. */
function climbs({ found, paths }: Scene, name: string, { folders = [] }: State): boolean {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".")
  const starts = name.startsWith("/") ? ["/"] : folders
  return parts.some((part, index) => {
    if (part !== "..") return false
    const way = parts.slice(0, index).join("/")
    return starts.some((start) =>
      [path.posix.join(start, way), paths.real(start, way)].some((place) => found.mayLead(place)),
    )
  })
}

/** What a star finds may be links, too, which lead elsewhere. */
function linkedTo(paths: Paths, folder: string, isDeep: boolean): readonly Place[] {
  const targets = isDeep ? paths.behindLinks(folder) : paths.linksIn(folder)
  const inside = folder === "/" ? "/" : `${folder}/`
  return targets
    .filter((target) => !target.startsWith(inside))
    .map((target) => ({ path: target, reach: paths.isFolder(target) ? "below" : "itself" }))
}

/** Links there are made up for whoever asks. */
const isOfProcess = ({ paths }: Scene, name: string, { folders = [] }: State): boolean =>
  /(?:^|\/)proc\/+(?:\.\/+)*(?:self|thread-self|[0-9]+)(?:\/|$)|^\/+dev\/+fd\//.test(name) ||
  (name.startsWith("/") ? ["/"] : folders).some((folder) => paths.isOfProcess(folder, name))

/** Tells that an argument is read or written. Most programs take `-` for their input. */
export function touch(
  scene: Scene,
  type: "read" | "write",
  argument: Argument,
  state: State,
  reach: "itself" | "below" = "itself",
): void {
  if ((type === "read" && argument.value === "-") || isNoFile(argument.value)) return
  for (const place of placesOf(scene, argument, state))
    scene.found.path(type, place.path, place.reach === "below" ? "below" : reach)
}

/** What every program may read and write, and what is lost in it. */
const isNoFile = (value: string | undefined): boolean =>
  value !== undefined && /^\/dev\/(?:null|zero|random|urandom|stdin|stdout|stderr|tty)$/.test(value)

/**
 * Tells that a command changes files as is its purpose: whoever allows it means that, unless a rule says otherwise of the
 * file. Outside of the folder that is worked in nobody does.
 */
export function change(
  scene: Scene,
  argument: Argument,
  state: State,
  reach: "itself" | "below" = "itself",
): void {
  for (const { path, reach: found } of placesOf(scene, argument, state)) {
    const far = found === "below" ? found : reach
    if (isInside(scene.root, path)) scene.found.change(path, far, "certain")
    else scene.found.path("write", path, far)
  }
}

/** Tells that a word is read, or may be changed, too, which may be anything, where it is the path of something: by itself or behind an option. */
export function touchIfThere(
  scene: Scene,
  use: "read" | "change",
  { value, pattern }: Argument,
  { folders = [] }: State,
): void {
  const tell = (place: string, reach: "itself" | "below") => {
    scene.found.path("read", place, reach)
    if (use === "change" && isInside(scene.root, place)) scene.found.change(place, reach, "possible")
  }
  for (const folder of folders) {
    if (pattern !== undefined) {
      tell(scene.paths.real(folder, pattern.slice(0, pattern.lastIndexOf("/") + 1)), "below")
      continue
    }
    for (const name of new Set(value === undefined ? [] : [value, ...behindOption(value)])) {
      const place = scene.paths.real(folder, name)
      if (scene.paths.isFolder(place)) tell(place, "below")
      else if (scene.paths.isFile(place)) tell(place, "itself")
    }
  }
}

/** `--file=x`, `-fx`, `if=x` and `@x`. */
const behindOption = (text: string): readonly string[] =>
  [/^[\w-]+=(.+)$/s, /^-\w(.+)$/s, /^@(.+)$/s].flatMap((form) => form.exec(text)?.[1] ?? [])
