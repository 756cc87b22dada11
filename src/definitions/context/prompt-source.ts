import { realpathSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import type { Agent } from "../../agent/agent.ts"
import { messageOf, StartError } from "../../ground/errors.ts"
import type { ContextPlace, GatheredContext, PromptSource } from "../../run/ports/context.ts"
import { levelsUp } from "../registry/root.ts"
import { environmentBlock, repositoryAt } from "./environment-block.ts"
import { fileBlocks } from "./file-blocks.ts"
import { type Blocks, type IsFollowed, ruleBlocks } from "./rule-blocks.ts"
import { type KnownSkills, skillBlocks } from "./skill-blocks.ts"

export interface PromptSourceOptions extends KnownSkills {
  /** Default: the home folder of the process. It is never a project. */
  readonly home?: string
  /** Which of a project's rules may tell agents what to do. Default: all of them. */
  readonly isFollowed?: IsFollowed
  /** Which of the files that a project's own agents declare may be sent. Default: all of them. */
  readonly isSent?: IsFollowed
}

/** Gathers what agents declare for their prompts, from the project that their run works in. */
export function promptSource(options: PromptSourceOptions): PromptSource {
  return { contextOf: (agent, place) => gather(agent, place, options) }
}

const heading = "Skills that you have. Follow them where they apply."

async function gather(
  agent: Agent,
  { cwd, worksIn, permits = () => true }: ContextPlace,
  options: PromptSourceOptions,
): Promise<GatheredContext> {
  const { home = os.homedir(), isFollowed = () => true, isSent = () => true } = options
  const { rules, files, environment } = agent.context ?? {}
  const skills = skillBlocks(agent, options)
  const levels = levelsUp(cwd, home)
  const root = realFolder(levels.at(-1) ?? path.resolve(cwd))
  const project = { root, permits }
  const ofRules = rules ? await ruleBlocks(project, levels, isFollowed) : none
  const ofFiles = files ? await fileBlocks(agent, project, isProjects(agent) ? isSent : () => true) : none
  const blocks = [...(skills.length > 0 ? [heading, ...skills] : []), ...ofRules.blocks, ...ofFiles.blocks]
  return {
    ...(blocks.length > 0 && { text: blocks.join("\n\n") }),
    ...(environment && {
      environment: environmentBlock(
        worksIn ?? cwd,
        worksIn === undefined ? repositoryAt(root) : "yes, a worktree of its own",
      ),
    }),
    warnings: [...ofRules.warnings, ...ofFiles.warnings],
  }
}

/** A person who wrote an agent chose its files. */
const isProjects = ({ origin: { scope } }: Agent): boolean => scope === "project" || scope === "package"

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch (error) {
    const message = `The working directory cannot be used: ${messageOf(error)}.`
    throw new StartError([{ code: "AGENT_INVALID", kind: "call", message }])
  }
}

const none: Blocks = { blocks: [], warnings: [] }
