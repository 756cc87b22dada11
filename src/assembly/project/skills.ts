import type { Standing } from "../../definitions/authority/standing.ts"
import { isTrusted, pinned, type Trusting } from "../../definitions/authority/trusted-agents.ts"
import { readConfiguration } from "../../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../../definitions/configuration/folders.ts"
import type { Workspace } from "../../definitions/registry/workspace.ts"
import { findSkills, type Skill } from "../../definitions/skills/skills.ts"
import { shownPath } from "../../ground/diagnostics/shown-path.ts"
import { isInside } from "../../ground/paths/inside.ts"
import type { ProjectPlace } from "./place.ts"

export interface ProjectSkills {
  /** Those that may be loaded: the user's, and over them those of the project that are trusted as they are. */
  readonly skills: ReadonlyMap<string, Skill>
  /** The project's that nobody trusts as they are, each with the reason. */
  readonly withheld: Readonly<Record<string, string>>
}

export function projectSkills(
  place: ProjectPlace,
  { skills }: Workspace,
  { root, claims }: Standing,
  trusting: Trusting,
): ProjectSkills {
  const hashes = new Map(claims.map(({ file, hash }) => [file, hash]))
  const trusted = [...skills].filter(
    ([, { scope, file }]) =>
      scope === "project" && hashes.has(file) && isTrusted(trusting, file, hashes.get(file)),
  )
  const followed = new Map([
    ...ownSkills(place, root),
    ...trusted.map(([name, skill]) => [name, pinned(trusting, skill, hashes)] as const),
  ])
  return { skills: followed, withheld: withheldOf(skills, followed, place.directory) }
}

/** The user's, also from the folders that their own configuration names. What lies in the project is the project's. */
function ownSkills({ home, environment }: ProjectPlace, root: string): ReadonlyMap<string, Skill> {
  // The home folder is never a project.
  const { configuration } = readConfiguration({ cwd: home, home, environment })
  return findSkills({
    levels: [],
    home,
    userFolder: userConfigurationFolder(environment, home),
    more: configuration.skills.filter((folder) => !isInside(root, folder)),
  })
}

const withheldOf = (
  skills: Workspace["skills"],
  followed: ReadonlyMap<string, Skill>,
  directory: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...skills.values()]
      .filter(({ name, file }) => followed.get(name)?.file !== file)
      .map(({ name, file }) => [
        name,
        `The skill "${name}" of this project, ${shownPath(file, directory)}, is not trusted as it is: \`cadre trust\` shows it.`,
      ]),
  )
