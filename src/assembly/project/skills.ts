import { isTrusted, pinSkill, type TrustPolicy } from "../../definitions/authority/trusted-agents.ts"
import type { WorkspaceTrust } from "../../definitions/authority/workspace-trust.ts"
import { readConfiguration } from "../../definitions/configuration/configuration.ts"
import { locateUserConfiguration } from "../../definitions/configuration/folders.ts"
import type { Workspace } from "../../definitions/registry/workspace.ts"
import { findSkills, type Skill } from "../../definitions/skills/skills.ts"
import { toDisplayPath } from "../../ground/diagnostics/display-path.ts"
import { isInside } from "../../ground/paths/inside.ts"
import type { ProjectPlace } from "./place.ts"

export interface ProjectSkills {
  /** The skills that may be loaded: the user's, and the trusted ones of the project, which override them. */
  readonly skills: ReadonlyMap<string, Skill>
  /** The project's skills that are not trusted in their current form, each with the reason. */
  readonly withheld: Readonly<Record<string, string>>
}

export function findProjectSkills(
  place: ProjectPlace,
  { skills }: Workspace,
  { root, claims }: WorkspaceTrust,
  trusting: TrustPolicy,
): ProjectSkills {
  const hashes = new Map(claims.map(({ file, hash }) => [file, hash]))
  const trusted = [...skills].filter(
    ([, { scope, file }]) =>
      scope === "project" && hashes.has(file) && isTrusted(trusting, file, hashes.get(file)),
  )
  const allowedSkills = new Map([
    ...ownSkills(place, root),
    ...trusted.map(([name, skill]) => [name, pinSkill(trusting, skill, hashes)] as const),
  ])
  return { skills: allowedSkills, withheld: withheldReasons(skills, allowedSkills, place.directory) }
}

/** The user's skills, also from the folders in the user's configuration. Folders inside the project count as the project's. */
function ownSkills({ home, environment }: ProjectPlace, root: string): ReadonlyMap<string, Skill> {
  // The home folder is never a project.
  const { configuration } = readConfiguration({ cwd: home, home, environment })
  return findSkills({
    levels: [],
    home,
    userFolder: locateUserConfiguration(environment, home),
    more: configuration.skills.filter((folder) => !isInside(root, folder)),
  })
}

const withheldReasons = (
  skills: Workspace["skills"],
  allowedSkills: ReadonlyMap<string, Skill>,
  directory: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...skills.values()]
      .filter(({ name, file }) => allowedSkills.get(name)?.file !== file)
      .map(({ name, file }) => [
        name,
        `The skill "${name}" of this project (${toDisplayPath(file, directory)}) is not trusted in its current form. Review it with \`cadre trust\`.`,
      ]),
  )
