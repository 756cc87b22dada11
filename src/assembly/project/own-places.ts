import { listAgentFiles, type WorkspaceTrust } from "../../definitions/authority/workspace-trust.ts"
import { locateUserConfiguration } from "../../definitions/configuration/folders.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinksAbove } from "../../ground/paths/without-links.ts"
import { locateStateFolder, type ProjectPlace } from "./place.ts"

/**
 * cadre's own folders, which no tool writes and no command sees, and the definitions. Only places inside the root are
 * protected: nothing outside is written anyway, and a sandbox would make a protected place visible. Others are hidden.
 */
export function findOwnPlaces(
  { home, environment }: ProjectPlace,
  standing: WorkspaceTrust,
  root: string,
): { readonly protect: readonly string[]; readonly hidden: readonly string[] } {
  const ownFolders = [locateUserConfiguration(environment, home), locateStateFolder(environment)].map(
    withoutLinksAbove,
  )
  const base = withoutLinksAbove(root)
  const isWithin = (folder: string) => isInside(base, folder)
  return {
    protect: [...ownFolders, ...listAgentFiles(standing).map(withoutLinksAbove)].filter(isWithin),
    hidden: ownFolders.filter((folder) => !isWithin(folder)),
  }
}
