import { messageOf } from "../errors.ts"
import type { Access } from "../tool.ts"
import type { Environment } from "./environment.ts"

/** What a call would do, as its tool tells it. A tool that cannot tell leaves it to whoever is asked. */
export async function accessesOf(
  { tools, agents }: Environment,
  name: string,
  input: unknown,
  cwd: string,
): Promise<readonly Access[] | undefined> {
  const tool = tools.get(name)
  if (tool?.kind === "delegation") {
    const wanted = nameOf(() => tool.delegate(input).agent)
    return wanted === undefined ? undefined : [{ type: "agent", name: agents.find(wanted)?.name ?? wanted }]
  }
  try {
    return await tool?.accesses?.(input, { cwd })
  } catch (error) {
    return [{ type: "unclear", reason: messageOf(error) }]
  }
}

/** Undefined where the tool has something against the input: it will say so when it is called. */
function nameOf(wanted: () => string): string | undefined {
  try {
    const name = wanted()
    return typeof name === "string" ? name : undefined
  } catch {
    return undefined
  }
}
