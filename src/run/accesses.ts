import { messageOf } from "../errors.ts"
import type { Access, FunctionTool, WorkPlace } from "../tool.ts"
import type { Environment } from "./environment.ts"

/** What a call would do, as its tool tells it. A tool that cannot tell leaves it to whoever is asked. */
export function accessesOf(
  { tools, agents }: Environment,
  name: string,
  input: unknown,
  place: WorkPlace,
): readonly Access[] | undefined | Promise<readonly Access[]> {
  const tool = tools.get(name)
  if (tool?.kind === "delegation") {
    const wanted = nameOf(() => tool.delegate(input).agent)
    return wanted === undefined ? undefined : [{ type: "agent", name: agents.find(wanted)?.name ?? wanted }]
  }
  // Most tools of programs tell nothing, and a promise for each of their calls would cost more than the call.
  return tool?.accesses && told(tool.accesses, input, place)
}

async function told(
  accesses: NonNullable<FunctionTool["accesses"]>,
  input: unknown,
  { cwd, moved }: WorkPlace,
): Promise<readonly Access[]> {
  try {
    return await accesses(input, { cwd, ...(moved && { moved }) })
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
