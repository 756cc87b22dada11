import path from "node:path"
import { type FolderMove, mapToWorktree } from "../../../agent/isolation.ts"
import type { ForbiddenPath } from "../../../agent/tool.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { listEntries } from "../../../ground/paths/look.ts"
import { resolveRealPath } from "../../../ground/paths/without-links.ts"
import { PathTrack } from "../../../run/rights/pattern.ts"

/** The paths that the sandbox keeps from commands because a rule denies them. */
export interface DeniedPaths {
  /** Paths that cannot be changed or made. */
  readonly fixed: readonly string[]
  /** Paths that exist and cannot be read. */
  readonly concealed: readonly string[]
}

const [mostEntries, mostPlaces] = [300_000, 1_000]

/**
 * Finds the denied paths: those that a rule writes out, wherever they are, and those in the workspace that
 * match a pattern. A file that is made while a command runs is not held, unless a rule names its path without
 * a star.
 */
export function findDeniedPaths(
  { root, home }: { readonly root: string; readonly home: string },
  forbidden: readonly ForbiddenPath[],
  moved?: readonly FolderMove[],
): DeniedPaths | { readonly problem: string } {
  const matches = { read: new Set<string>(), write: new Set<string>() }
  const rules = [...new Map(forbidden.map((one) => [`${one.use} ${one.pattern}`, one])).values()].map(
    ({ use, pattern }) => ({ use, pattern: movedPattern(pattern, moved) }),
  )
  for (const { use, pattern } of rules) {
    const { start, isWhole } = plainPart(pattern)
    if (isWhole && isFitToHold(start, root)) matches[use].add(start)
  }
  const tracks = rules.flatMap(({ use, pattern }) => {
    const { start, isWhole } = plainPart(pattern)
    if (isWhole) return []
    const from = isInside(start, root) ? root : start
    // The sandbox shows nothing of these folders, and a home folder is large.
    if (!isInside(root, from) && [home, ...hidden].some((folder) => isInside(folder, from))) return []
    return [{ use, from, track: PathTrack.of(pattern, from) }]
  })
  for (const { use, from, track } of tracks)
    if (use === "write" && track.extent === "all") matches[use].add(from)
  let remaining = mostEntries
  for (const from of new Set(tracks.map((one) => one.from))) {
    const here = tracks.filter((one) => one.from === from)
    remaining = search(from, here, matches, remaining)
    if (remaining <= 0)
      return {
        problem: `rules deny files by name in all folders, and ${root} has more than ${mostEntries} files. Name a folder in these rules`,
      }
  }
  const places = { concealed: realPaths(matches.read), fixed: [...matches.write] }
  if (places.concealed.length + places.fixed.length > mostPlaces)
    return { problem: `rules deny more than ${mostPlaces} single files here. Name a folder in these rules` }
  return places
}

interface RuleTrack {
  readonly use: ForbiddenPath["use"]
  readonly track: PathTrack
}

/**
 * Searches a folder as deep as a pattern may still match, without following links. Returns how many more
 * entries may be examined.
 */
function search(
  folder: string,
  ruleTracks: readonly RuleTrack[],
  matches: Readonly<Record<ForbiddenPath["use"], Set<string>>>,
  limit: number,
): number {
  let remaining = limit
  for (const entry of listEntries(folder)) {
    if (--remaining <= 0) return 0
    const next: RuleTrack[] = []
    for (const { use, track } of ruleTracks) {
      const into = track.into(entry.name)
      if (into.extent === "all" || into.extent === "it") matches[use].add(path.join(folder, entry.name))
      else if (into.extent === "below") next.push({ use, track: into })
    }
    if (next.length > 0 && entry.isDirectory())
      remaining = search(path.join(folder, entry.name), next, matches, remaining)
    if (remaining <= 0) return 0
  }
  return remaining
}

/**
 * The part of a pattern that is a plain path. `isWhole`: that is the whole pattern, or all but a last `**`.
 */
function plainPart(pattern: string): { readonly start: string; readonly isWhole: boolean } {
  const names = pattern.split("/").filter((name) => name !== "")
  const star = names.findIndex((name) => name.includes("*"))
  if (star < 0) return { start: `/${names.join("/")}`, isWhole: true }
  const isRest = star > 0 && names.slice(star).every((name) => name === "**")
  return { start: `/${names.slice(0, star).join("/")}`, isWhole: isRest }
}

/** A rule about the tree that a run was isolated from applies to the run's own tree. */
const movedPattern = (pattern: string, moved: readonly FolderMove[] | undefined): string => {
  const { start } = plainPart(pattern)
  const to = mapToWorktree(start, moved)
  return to === start ? pattern : to + pattern.slice(start.length)
}

/** The real paths of the places that exist. */
const realPaths = (places: ReadonlySet<string>): readonly string[] => [
  ...new Set([...places].flatMap((place) => resolveRealPath(place) ?? [])),
]

const hidden = ["/tmp", "/var/tmp", "/run", "/root", "/home"]

/** No program runs without these folders, and a folder around the workspace cannot be taken from it. */
const isFitToHold = (place: string, root: string): boolean =>
  place === root ||
  !["/usr", "/bin", "/sbin", "/lib", "/lib64", "/proc", "/dev", "/sys", root].some((needed) =>
    isInside(place, needed),
  )
