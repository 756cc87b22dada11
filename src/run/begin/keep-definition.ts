import type { Agent } from "../../agent/agent.ts"
import { hash } from "../../ground/crypto.ts"
import { redactTexts } from "../log/redact.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { PinnedContext } from "../ports/context.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { Definition, Pinned } from "../ports/pinned.ts"
import { checkToolNames, pin, ready, remember } from "./definition.ts"
import type { Offer } from "./offer.ts"

/** The definition as this run will have it, kept as a blob in its tree, once for all its runs. */
export function keep(
  environment: Surroundings,
  { run, agent, kept = new Map() }: Beginning,
  granted: readonly string[],
  offer: Offer,
  gathered: PinnedContext | undefined,
): Promise<Definition> {
  const context = gathered && pinnedContext(gathered)
  let key = granted.join(" ")
  for (const [name, { hash }] of offer.descriptions) key += ` ${name}:${hash}`
  if (offer.withheld.length > 0) key += ` -${offer.withheld.join(" -")}`
  if (context) key += ` ${hash("sha256", JSON.stringify(context))}`
  const ofAgent = kept.get(agent) ?? new Map<string, Promise<Definition>>()
  const known = ofAgent.get(key)
  if (known) return known
  const keeping = resolve(environment, run, agent, key, () => ({
    ...pin(agent, granted, environment.tools, offer),
    ...(context && { context }),
  }))
  kept.set(agent, ofAgent.set(key, keeping))
  keeping.catch(() => ofAgent.delete(key))
  return keeping
}

const pinnedContext = ({ text, environment }: PinnedContext): PinnedContext => ({
  ...(text !== undefined && { text }),
  ...(environment !== undefined && { environment }),
})

/** The same definition is made ready only once in this process, and kept once in every tree. */
async function resolve(
  environment: Surroundings,
  run: string,
  agent: Agent,
  key: string,
  pinNow: () => Pinned,
): Promise<Definition> {
  const known = environment.resolved.get(agent)?.get(key)
  if (known) {
    await environment.store.putBlob(run, known.blob)
    return known
  }
  checkToolNames(agent, environment)
  const pinned = redactTexts(pinNow(), environment.models.redact)
  const blob = JSON.stringify({
    agent: pinned.agent,
    tools: pinned.tools,
    ...(pinned.context && { context: pinned.context }),
  })
  const name = await environment.store.putBlob(run, blob)
  const definition = environment.definitions.get(name) ?? ready(name, blob, pinned, environment.tools)
  remember(environment.definitions, definition)
  // A context may be another one every time.
  if (pinned.context) return definition
  const resolved = environment.resolved.get(agent) ?? new Map<string, Definition>()
  environment.resolved.set(agent, resolved.set(key, definition))
  return definition
}
