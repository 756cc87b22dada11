import type { ModelRequest } from "../../../agent/model.ts"
import { hash } from "../../../ground/crypto.ts"

/**
 * Makes a key that routes requests with the same beginning to one machine of the provider: one key per agent and tree.
 * These runs share their system prompt and tools. A key per agent alone would overload one machine, so histories would
 * leave its cache.
 */
export function createCacheKeys(): (request: ModelRequest) => string {
  let latest = { run: "", agent: "", key: "" }
  return ({ run, agent }) => {
    if (latest.run !== run || latest.agent !== agent) latest = { run, agent, key: keyOf(run, agent) }
    return latest.key
  }
}

/** A child's id begins with its root's id and a dot. The key is hashed, so that names stay private. */
function keyOf(run: string, agent: string): string {
  const [root] = run.split(".", 1)
  return hash("sha256", `${root} ${agent}`).slice(0, 32)
}
