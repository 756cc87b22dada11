import type { RunEvent } from "../../run/log/event.ts"
import { toOneLine } from "../../run/words/text.ts"

/** Tells what a tree does now, for progress messages. It learns from the events of the tree. */
export interface Activity {
  see(event: RunEvent): void
  text(): string
}

export function createActivity(): Activity {
  const agents = new Map<string, string>()
  const tools = new Map<string, string>()
  let [turns, ended, last] = [0, 0, "The run is starting"]
  return {
    see(event) {
      const next = describe(event, agents.get(event.run) ?? "The run", tools)
      if (next !== undefined) last = toOneLine(next)
      if (event.type === "run-start") agents.set(event.run, event.agent)
      if (event.type === "model-start") turns++
      if (event.type === "run-end") ended++
      if (event.type === "model-end")
        for (const { id, tool } of event.calls) tools.set(`${event.run} ${id}`, tool)
    },
    text: () => `${last} (model requests: ${turns}${openText(agents.size, ended)})`,
  }
}

const openText = (runs: number, ended: number): string =>
  runs < 2 ? "" : `, open runs: ${runs - ended} of ${runs}`

function describe(event: RunEvent, who: string, tools: ReadonlyMap<string, string>): string | undefined {
  const tool = (call: string) => tools.get(`${event.run} ${call}`) ?? `call ${call}`
  switch (event.type) {
    case "run-start":
      return `${event.agent} starts`
    case "model-start":
      return `${who} asks its model`
    case "tool-start":
      return `${who} runs ${tool(event.call)}`
    case "approval-start":
      return `${who} waits for approval of ${tool(event.call)}`
    case "run-end":
      return `${who} has ended: ${event.outcome.type}`
    default:
      return undefined
  }
}
