import { isUtf8 } from "node:buffer"
import fs from "node:fs"
import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { declaredFiles } from "../context/file-blocks.ts"
import type { Workspace } from "../registry/workspace.ts"
import { filesBeside } from "../skills/beside.ts"
import { type Claim, isProjects, onceEach } from "./claims.ts"
import type { Standing } from "./standing.ts"

/** Files of a workspace of which only the content is of use, and what of them nobody could be shown. */
export interface ReadClaims {
  readonly claims: readonly Claim[]
  readonly notes: readonly string[]
}

/** A standing with what trusted agents are sent and what lies beside trusted skills: read only when somebody reviews it. */
export async function withReadClaims(
  workspace: Workspace,
  standing: Standing,
): Promise<Standing & { readonly notes: readonly string[] }> {
  const { claims, notes } = await readClaims(workspace, standing.root)
  return { ...standing, claims: [...standing.claims, ...claims], notes }
}

async function readClaims(workspace: Workspace, root: string): Promise<ReadClaims> {
  const agents = workspace.registry
    .entries()
    .flatMap(({ candidate: { agent, scope } }) => (isProjects(scope) && agent.context?.files ? [agent] : []))
  const sent = await Promise.all(agents.map((agent) => sentTo(agent, root)))
  const beside = [...workspace.skills.values()]
    .filter(({ scope, file }) => scope === "project" && isBelow(root, file))
    .map(({ name, file }) => besideSkill(name, file, root))
  const all = [...sent, ...beside]
  return { claims: onceEach(all.flatMap(({ claims }) => claims)), notes: all.flatMap(({ notes }) => notes) }
}

async function sentTo(agent: Agent, root: string): Promise<ReadClaims> {
  try {
    const { files } = await declaredFiles(agent, { root: fs.realpathSync(root), permits: () => true })
    return {
      claims: files.map(({ path: file, hash, text }) =>
        claimOf(file, hash, text, `is sent to the model of ${agent.name}`),
      ),
      notes: [],
    }
  } catch (error) {
    // It is told of when it is to run, too.
    if (error instanceof CadreError) return { claims: [], notes: [error.message] }
    throw error
  }
}

function besideSkill(name: string, skill: string, root: string): ReadClaims {
  const reading = filesBeside(skill, root)
  if ("problem" in reading)
    return { claims: [], notes: [`The skill ${name} cannot be loaded: ${reading.problem}.`] }
  return {
    claims: reading.files.map(({ path: file, hash, bytes }) =>
      claimOf(file, hash, textOf(bytes), `lies beside the skill ${name}, which may have it read or run`),
    ),
    notes: [],
  }
}

/** To be compared line by line; of what is longer nobody would read that. */
const textOf = (bytes: Buffer): string | undefined =>
  bytes.length <= 256 * 1024 && isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : undefined

const claimOf = (file: string, hash: string, text: string | undefined, gain: string): Claim => ({
  file,
  hash,
  ...(text !== undefined && { text }),
  use: "read",
  gains: [gain],
  endpoints: [],
})
