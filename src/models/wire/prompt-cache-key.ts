import { createHash } from "../../crypto.ts"
import type { ModelRequest } from "../../model.ts"

/**
 * The key by which a provider sends requests that begin alike to the machine that has read them: the same for the runs
 * of one agent in one tree. They share their system prompt and tools, and each turn sends the whole history again.
 * Wider, such as the agent alone, the key would see more requests a minute than one machine takes, and long histories
 * would be read anew; narrower, each child would pay for the same beginning.
 */
export function promptCacheKey(): (request: ModelRequest) => string {
  let last = { run: "", agent: "", key: "" }
  return ({ run, agent }) => {
    if (last.run !== run || last.agent !== agent) last = { run, agent, key: keyOf(run, agent) }
    return last.key
  }
}

/** A child's id is its parent's and what comes after a dot. The agent's name is its owner's business alone. */
function keyOf(run: string, agent: string): string {
  const [root] = run.split(".", 1)
  return createHash("sha256").update(`${root} ${agent}`).digest("hex").slice(0, 32)
}
