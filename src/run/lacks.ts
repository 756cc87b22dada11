import type { Agent } from "../agent.ts"
import { StartError } from "../errors.ts"
import type { Beginning } from "./begin.ts"
import { grantReader, nameWithoutTool, toolsNamed } from "./definition.ts"
import type { Grant, Surroundings, WrittenAt } from "./environment.ts"
import type { Lack } from "./event.ts"
import { lackText } from "./lack-text.ts"
import { kindOf } from "./plan.ts"
import { submitName } from "./prompt.ts"
import { bindingSets, takerOf } from "./taken.ts"

/** The tools that a definition lists and the run does not have, each with who took it. */
export function lacksOf(
  environment: Surroundings,
  beginning: Pick<Beginning, "agent" | "parent" | "follows" | "ended">,
  { granted, ceiling }: Pick<Grant, "granted" | "ceiling">,
): readonly Lack[] {
  const { agent, parent } = beginning
  if (agent.tools.mode !== "list" || agent.executor !== undefined) return none
  const saying = grantReader(agent, environment.tools)
  const found = new Map<string, Lack>()
  for (const entry of agent.tools.allow) {
    if (entry === submitName) continue
    const without = nameWithoutTool(entry, environment)
    if (without?.type === "absent")
      found.set(without.name, { tool: without.name, by: { type: "absent", reason: without.reason } })
    if (without?.type === "foreign") found.set(entry, { tool: entry, by: { type: "foreign" } })
    for (const tool of without ? [] : toolsNamed(entry, environment.tools))
      if (!granted.includes(tool) && saying(tool).type !== "denied")
        found.set(tool, { tool, by: takenBy(tool) })
  }
  return found.size === 0 ? none : [...found.values()]

  function takenBy(tool: string): Lack["by"] {
    const taker = takerOf(bindingSets(environment, beginning), tool, environment.tools)
    if (taker) return { type: "rules", ...taker }
    if (!ceiling.includes(tool) && !(parent && parent.start?.delegation !== "own")) return { type: "call" }
    return parent ? { type: "caller", agent: parent.start!.agent } : { type: "call" }
  }
}

/** With the place where each was taken, as far as a file says it. */
export async function placedLacks(
  environment: Surroundings,
  lacks: readonly Lack[],
): Promise<readonly Lack[]> {
  const { agents, writtenAt } = environment
  if (lacks.length === 0 || !writtenAt) return lacks
  return Promise.all(
    lacks.map(async (lack) => {
      const said = sayingOf(lack)
      const at = said && (await writtenAt(said).catch(() => undefined))
      return at === undefined ? lack : { ...lack, at }
    }),
  )

  function sayingOf({ by }: Lack): Parameters<WrittenAt>[0] | undefined {
    if (by.type !== "rules" && by.type !== "caller") return undefined
    const agent = by.agent === undefined ? undefined : agents.find(by.agent)
    if (agent) return { agent, parts: by.type === "caller" ? ["tools.allow"] : denying }
    return by.type === "rules" && by.agent === undefined && by.rule !== undefined
      ? { configuration: { rule: by.rule } }
      : undefined
  }
}

/** What of a definition denies a tool. */
const denying = ["tools.deny", "rules", "permissionMode"]

const none: readonly Lack[] = []

/** Throws where a definition lists tools and nothing of them is left: such a run could only guess. */
export function requireTools(
  agent: Agent,
  { granted, lacks }: Pick<Grant, "granted" | "lacks">,
  environment: Surroundings,
): void {
  const listed = agent.tools.allow.filter((entry) => entry !== submitName)
  if (agent.tools.mode !== "list" || kindOf(agent) !== "agent") return
  if (listed.length === 0 || granted.length > 0) return
  // That nobody knows a name is told as such.
  if (listed.some((entry) => nameWithoutTool(entry, environment)?.type === "unknown")) return
  const why =
    lacks.length > 0
      ? lacks.map(lackText).join(" ")
      : `Its own list of denied tools, or a pattern that no tool here fits, leaves nothing of ${listed.join(", ")}.`
  const isAbsent = lacks.length > 0 && lacks.every(({ by }) => by.type === "absent")
  throw new StartError([
    {
      code: "TOOLS_DENIED",
      kind: isAbsent ? "here" : "written",
      rule: "tools-denied",
      part: "tools.allow",
      message: `Agent "${agent.name}" was not started: of the tools that it lists none is left. ${why}`,
    },
  ])
}
