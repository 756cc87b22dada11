import { realpathSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import type { Agent } from "../../agent/agent.ts"
import { describeThrown, StartError } from "../../ground/errors.ts"
import type { ContextPlace, GatheredContext, PromptSource } from "../../run/ports/context.ts"
import { projectLevels } from "../registry/root.ts"
import { describeEnvironment, describeRepository } from "./environment-block.ts"
import { readFileBlocks } from "./file-blocks.ts"
import { type ContextBlocks, type IsFollowed, readRuleBlocks } from "./rule-blocks.ts"
import { type KnownSkills, readSkillBlocks } from "./skill-blocks.ts"

export interface PromptSourceOptions extends KnownSkills {
  /** Default: the home folder of the process. It is never a project. */
  readonly home?: string
  /** Tells if a rule file of a project may instruct agents. Default: every one may. */
  readonly isFollowed?: IsFollowed
  /** Tells if a file that an agent of the project declares may be sent. Default: every one may. */
  readonly isSent?: IsFollowed
}

/** Gathers the context that agents declare, from the project that their run works in. */
export function createPromptSource(options: PromptSourceOptions): PromptSource {
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
  const skills = readSkillBlocks(agent, options)
  const levels = projectLevels(cwd, home)
  const root = realFolder(levels.at(-1) ?? path.resolve(cwd))
  const project = { root, permits }
  const ofRules = rules ? await readRuleBlocks(project, levels, isFollowed) : none
  const ofFiles = files
    ? await readFileBlocks(agent, project, isProjectAgent(agent) ? isSent : () => true)
    : none
  const blocks = [...(skills.length > 0 ? [heading, ...skills] : []), ...ofRules.blocks, ...ofFiles.blocks]
  return {
    ...(blocks.length > 0 && { text: blocks.join("\n\n") }),
    ...(environment && {
      environment: describeEnvironment(
        worksIn ?? cwd,
        worksIn === undefined ? describeRepository(root) : "yes, a worktree of its own",
      ),
    }),
    warnings: [...ofRules.warnings, ...ofFiles.warnings],
  }
}

/** Only agents of a project need the check: the user chose the files of their own agents. */
const isProjectAgent = ({ origin: { scope } }: Agent): boolean => scope === "project" || scope === "package"

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch (error) {
    const message = `The working directory cannot be used: ${describeThrown(error)}.`
    throw new StartError([{ code: "AGENT_INVALID", kind: "call", message }])
  }
}

const none: ContextBlocks = { blocks: [], warnings: [] }
