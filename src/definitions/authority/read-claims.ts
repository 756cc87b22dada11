import { isUtf8 } from "node:buffer"
import fs from "node:fs"
import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { readDeclaredFiles } from "../context/file-blocks.ts"
import type { Workspace } from "../registry/workspace.ts"
import { readSkillFiles } from "../skills/skill-files.ts"
import { isFromProject, mergeClaims, type TrustClaim } from "./claims.ts"
import type { WorkspaceTrust } from "./workspace-trust.ts"

/** Files of a workspace that are only read, and notes about files that could not be shown. */
export interface ReadClaims {
  readonly claims: readonly TrustClaim[]
  readonly notes: readonly string[]
}

/** Adds the context files of agents and the other files of skills to a standing. They are read only for a review. */
export async function addReadClaims(
  workspace: Workspace,
  standing: WorkspaceTrust,
): Promise<WorkspaceTrust & { readonly notes: readonly string[] }> {
  const { claims, notes } = await readClaims(workspace, standing.root)
  return { ...standing, claims: [...standing.claims, ...claims], notes }
}

async function readClaims(workspace: Workspace, root: string): Promise<ReadClaims> {
  const agents = workspace.registry
    .entries()
    .flatMap(({ candidate: { agent, scope } }) =>
      isFromProject(scope) && agent.context?.files ? [agent] : [],
    )
  const contextFiles = await Promise.all(agents.map((agent) => sentTo(agent, root)))
  const beside = [...workspace.skills.values()]
    .filter(({ scope, file }) => scope === "project" && isBelow(root, file))
    .map(({ name, file }) => besideSkill(name, file, root))
  const all = [...contextFiles, ...beside]
  return {
    claims: mergeClaims(all.flatMap(({ claims }) => claims)),
    notes: all.flatMap(({ notes }) => notes),
  }
}

async function sentTo(agent: Agent, root: string): Promise<ReadClaims> {
  try {
    const { files } = await readDeclaredFiles(agent, { root: fs.realpathSync(root), permits: () => true })
    return {
      claims: files.map(({ path: file, hash, text }) =>
        claimOf(file, hash, text, `is sent to the model of ${agent.name}`),
      ),
      notes: [],
    }
  } catch (error) {
    // The start of the agent reports the same error.
    if (error instanceof CadreError) return { claims: [], notes: [error.message] }
    throw error
  }
}

function besideSkill(name: string, skill: string, root: string): ReadClaims {
  const reading = readSkillFiles(skill, root)
  if ("problem" in reading)
    return { claims: [], notes: [`The skill ${name} cannot be loaded: ${reading.problem}.`] }
  return {
    claims: reading.files.map(({ path: file, hash, bytes }) =>
      claimOf(
        file,
        hash,
        textOf(bytes),
        `is in the folder of the skill ${name}, which may have it read or run`,
      ),
    ),
    notes: [],
  }
}

/** The text to compare line by line; undefined if it is too long to read, or no text. */
const textOf = (bytes: Buffer): string | undefined =>
  bytes.length <= 256 * 1024 && isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : undefined

const claimOf = (file: string, hash: string, text: string | undefined, gain: string): TrustClaim => ({
  file,
  hash,
  ...(text !== undefined && { text }),
  use: "read",
  gains: [gain],
  endpoints: [],
})
