import path from "node:path"
import { type Moved, movedTo } from "../../../agent/isolation.ts"
import type { Forbidden } from "../../../agent/tool.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { entriesOf } from "../../../ground/paths/look.ts"
import { realPath } from "../../../ground/paths/without-links.ts"
import { Track } from "../../../run/rights/pattern.ts"

/** What the sandbox keeps from commands because a rule denies it. */
export interface Held {
  /** Not to be changed, or made. */
  readonly fixed: readonly string[]
  /** There, and not to be read. */
  readonly concealed: readonly string[]
}

const [mostEntries, mostPlaces] = [300_000, 1_000]

/**
 * Finds what is denied: by a path that is written out, wherever it is, and by its name in the workspace. What comes to be
 * while a command runs is not held, except for a path without a star.
 */
export function heldPlaces(
  { root, home }: { readonly root: string; readonly home: string },
  forbidden: readonly Forbidden[],
  moved?: readonly Moved[],
): Held | { readonly problem: string } {
  const found = { read: new Set<string>(), write: new Set<string>() }
  const wanted = [...new Map(forbidden.map((one) => [`${one.use} ${one.pattern}`, one])).values()].map(
    ({ use, pattern }) => ({ use, pattern: movedPattern(pattern, moved) }),
  )
  for (const { use, pattern } of wanted) {
    const { start, isWhole } = plainPart(pattern)
    if (isWhole && isFitToHold(start, root)) found[use].add(start)
  }
  const tracks = wanted.flatMap(({ use, pattern }) => {
    const { start, isWhole } = plainPart(pattern)
    if (isWhole) return []
    const from = isInside(start, root) ? root : start
    // Nothing of it is seen in the sandbox, and a home folder is large.
    if (!isInside(root, from) && [home, ...hidden].some((folder) => isInside(folder, from))) return []
    return [{ use, from, track: Track.of(pattern, from) }]
  })
  for (const { use, from, track } of tracks)
    if (use === "write" && track.extent === "all") found[use].add(from)
  let left = mostEntries
  for (const from of new Set(tracks.map((one) => one.from))) {
    const here = tracks.filter((one) => one.from === from)
    left = search(from, here, found, left)
    if (left <= 0)
      return {
        problem: `rules deny files by a name that is looked for everywhere, and ${root} has more than ${mostEntries} files. Let them name a folder`,
      }
  }
  const places = { concealed: realOnes(found.read), fixed: [...found.write] }
  if (places.concealed.length + places.fixed.length > mostPlaces)
    return { problem: `rules deny more than ${mostPlaces} single files here. Let them name a folder` }
  return places
}

interface Searched {
  readonly use: Forbidden["use"]
  readonly track: Track
}

/** Goes through a folder as far as a pattern may still fit, without following links. Gives how many entries are left to look at. */
function search(
  folder: string,
  searched: readonly Searched[],
  found: Readonly<Record<Forbidden["use"], Set<string>>>,
  left: number,
): number {
  let remaining = left
  for (const entry of entriesOf(folder)) {
    if (--remaining <= 0) return 0
    const next: Searched[] = []
    for (const { use, track } of searched) {
      const into = track.into(entry.name)
      if (into.extent === "all" || into.extent === "it") found[use].add(path.join(folder, entry.name))
      else if (into.extent === "below") next.push({ use, track: into })
    }
    if (next.length > 0 && entry.isDirectory())
      remaining = search(path.join(folder, entry.name), next, found, remaining)
    if (remaining <= 0) return 0
  }
  return remaining
}

/** What of a pattern is a plain path; `isWhole` where it is all of it, or all but a last `**`. */
function plainPart(pattern: string): { readonly start: string; readonly isWhole: boolean } {
  const names = pattern.split("/").filter((name) => name !== "")
  const star = names.findIndex((name) => name.includes("*"))
  if (star < 0) return { start: `/${names.join("/")}`, isWhole: true }
  const isRest = star > 0 && names.slice(star).every((name) => name === "**")
  return { start: `/${names.slice(0, star).join("/")}`, isWhole: isRest }
}

/** A rule about the tree that a run was set apart from is about its own. */
const movedPattern = (pattern: string, moved: readonly Moved[] | undefined): string => {
  const { start } = plainPart(pattern)
  const to = movedTo(start, moved)
  return to === start ? pattern : to + pattern.slice(start.length)
}

/** Whatever links lead to, as far as it is there. */
const realOnes = (places: ReadonlySet<string>): readonly string[] => [
  ...new Set([...places].flatMap((place) => realPath(place) ?? [])),
]

const hidden = ["/tmp", "/var/tmp", "/run", "/root", "/home"]

/** Without these no program runs; and a folder around the workspace cannot be taken from it. */
const isFitToHold = (place: string, root: string): boolean =>
  place === root ||
  !["/usr", "/bin", "/sbin", "/lib", "/lib64", "/proc", "/dev", "/sys", root].some((needed) =>
    isInside(place, needed),
  )
