import type { ModelRequest } from "../../../agent/model.ts"
import { hash } from "../../../ground/crypto.ts"

/**
 * The key that keeps requests which begin alike on one machine of the provider: that of an agent in a tree. Its runs share
 * system prompt and tools. With the agent alone more would come than one machine takes, and histories would be read anew.
 */
export function promptCacheKey(): (request: ModelRequest) => string {
  let last = { run: "", agent: "", key: "" }
  return ({ run, agent }) => {
    if (last.run !== run || last.agent !== agent) last = { run, agent, key: keyOf(run, agent) }
    return last.key
  }
}

/** A child's id is its parent's and what comes after a dot. Hashed: names are nobody's business. */
function keyOf(run: string, agent: string): string {
  const [root] = run.split(".", 1)
  return hash("sha256", `${root} ${agent}`).slice(0, 32)
}
