import type { Agent } from "../../agent/agent.ts"
import { StartError } from "../../ground/errors.ts"
import type { Message } from "../../ground/message.ts"
import type { RunStart } from "../log/event-run.ts"
import type { ContextPlace, GatheredContext } from "../ports/context.ts"
import type { Environment } from "../ports/environment.ts"
import type { RunState } from "../state/state.ts"

/** The context that a run sends besides instructions, tools and task. Empty if its agent declares none. */
export interface RunContext {
  readonly gathered?: GatheredContext
  readonly forks?: RunStart["forks"]
  /** Bytes of the caller's history that a fork starts from. */
  readonly historyBytes: number
  /** One for each part that the agent declares and the run does not get. */
  readonly warnings: readonly string[]
}

/** Gathers the context that an agent declares. */
export async function gatherContext(
  { prompts }: Pick<Environment, "prompts">,
  agent: Agent,
  { parent, continues, ...place }: ContextPlace & { parent?: RunState; continues?: string },
): Promise<RunContext> {
  const { context } = agent
  const skills = agent.skills ?? []
  if (!Array.isArray(skills))
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: "written",
        rule: "field-type",
        part: "skills",
        message: `Agent "${agent.name}": skills must be a list of names.`,
      },
    ])
  if (skills.length === 0 && !context) return nothing
  const wantsText = skills.length > 0 || context?.rules || context?.files || context?.environment
  if (wantsText && !prompts)
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: "here",
        message: `Agent "${agent.name}" declares skills or a context, but this runtime cannot gather them. Use createRuntime, or give openRuntime \`prompts\`.`,
      },
    ])
  const gathered = wantsText ? await prompts!.contextOf(agent, placeOf(place)) : undefined
  const forks = context?.fork && parent ? { run: parent.run, turn: parent.turn } : undefined
  const hasNoCaller = context?.fork && !parent && continues === undefined
  return {
    ...(gathered && { gathered }),
    ...(forks && { forks }),
    historyBytes: forks ? bytesBefore(parent!) : 0,
    warnings: [...(gathered?.warnings ?? []), ...(hasNoCaller ? [noCaller] : [])],
  }
}

const placeOf = ({ cwd, worksIn, permits }: ContextPlace): ContextPlace => ({
  cwd,
  ...(worksIn !== undefined && { worksIn }),
  ...(permits && { permits }),
})

const nothing: RunContext = { historyBytes: 0, warnings: [] }

const noCaller =
  "`context: fork` has no effect, because this run has no caller. It starts with an empty history."

/** The bytes of a run's history, without its current turn. */
function bytesBefore({ messages, calls }: RunState): number {
  const all = [...messages]
  const last = calls.length > 0 ? all.findLastIndex(({ role }) => role === "assistant") : all.length
  return all.slice(0, last).reduce((sum, message) => sum + bytesOf(message), 0)
}

const bytesOf = (message: Message): number =>
  Buffer.byteLength(message.text) +
  (message.role === "assistant" ? Buffer.byteLength(JSON.stringify(message.calls)) : 0)
