import { definitionFiles, type Standing } from "../../definitions/authority/standing.ts"
import { userConfigurationFolder } from "../../definitions/configuration/folders.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinksAbove } from "../../ground/paths/without-links.ts"
import { type ProjectPlace, stateFolder } from "./place.ts"

/**
 * cadre's own folders, which no tool writes and no command sees, and definitions. Nothing outside of the root is written
 * anyway, and a sandbox would show what it is told to protect there.
 */
export function ownPlaces(
  { home, environment }: ProjectPlace,
  standing: Standing,
  root: string,
): { readonly protect: readonly string[]; readonly hidden: readonly string[] } {
  const own = [userConfigurationFolder(environment, home), stateFolder(environment)].map(withoutLinksAbove)
  const base = withoutLinksAbove(root)
  const isWithin = (folder: string) => isInside(base, folder)
  return {
    protect: [...own, ...definitionFiles(standing).map(withoutLinksAbove)].filter(isWithin),
    hidden: own.filter((folder) => !isWithin(folder)),
  }
}
