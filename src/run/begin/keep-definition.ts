import type { Agent } from "../../agent/agent.ts"
import { hash } from "../../ground/crypto.ts"
import { redactTexts } from "../log/redact.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { PinnedContext } from "../ports/context.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { Definition, PinnedDefinition } from "../ports/pinned.ts"
import {
  checkToolNames,
  pinDefinition,
  prepareDefinition,
  readScriptTool,
  rememberDefinition,
} from "./definition.ts"
import type { ToolOffer } from "./offer.ts"

/** Stores a run's definition as a blob of its tree. Runs with the same agent, tools and context share one blob. */
export function storeDefinition(
  environment: StartEnvironment,
  { run, agent, definitions = new Map() }: Beginning,
  granted: readonly string[],
  offer: ToolOffer,
  gathered: PinnedContext | undefined,
): Promise<Definition> {
  const context = gathered && pinnedContext(gathered)
  let key = granted.join(" ")
  for (const [name, { hash }] of offer.descriptions) key += ` ${name}:${hash}`
  for (const script of scriptsOf(agent, granted, environment)) key += ` #${script.listed}`
  if (offer.withheld.length > 0) key += ` -${offer.withheld.join(" -")}`
  if (offer.deferred.length > 0) key += ` ~${offer.deferred.join(" ~")}`
  if (context) key += ` ${hash("sha256", JSON.stringify(context))}`
  const agentDefinitions = definitions.get(agent) ?? new Map<string, Promise<Definition>>()
  const existing = agentDefinitions.get(key)
  if (existing) return existing
  const keeping = resolve(environment, run, agent, key, () => ({
    ...pinDefinition(agent, granted, environment.tools, offer),
    ...(context && { context }),
  }))
  definitions.set(agent, agentDefinitions.set(key, keeping))
  keeping.catch(() => agentDefinitions.delete(key))
  return keeping
}

/** A script may have changed since another run of this agent began. */
const scriptsOf = (agent: Agent, granted: readonly string[], { tools }: StartEnvironment) =>
  agent.toolDefinitions ? granted.flatMap((name) => readScriptTool(agent, tools.get(name)!) ?? []) : []

const pinnedContext = ({ text, environment }: PinnedContext): PinnedContext => ({
  ...(text !== undefined && { text }),
  ...(environment !== undefined && { environment }),
})

/** A definition is made ready once in a process, and stored once in a tree. */
async function resolve(
  environment: StartEnvironment,
  run: string,
  agent: Agent,
  key: string,
  pinNow: () => PinnedDefinition,
): Promise<Definition> {
  const cachedDefinition = environment.resolved.get(agent)?.get(key)
  if (cachedDefinition) {
    await environment.store.putBlob(run, cachedDefinition.blob)
    return cachedDefinition
  }
  checkToolNames(agent, environment)
  const pinned = redactTexts(pinNow(), environment.models.redact)
  const blob = JSON.stringify({
    agent: pinned.agent,
    tools: pinned.tools,
    ...(pinned.context && { context: pinned.context }),
  })
  const name = await environment.store.putBlob(run, blob)
  const definition =
    environment.definitions.get(name) ?? prepareDefinition(name, blob, pinned, environment.tools)
  rememberDefinition(environment.definitions, definition)
  // A context may differ in every run, so such a definition is not cached by agent.
  if (pinned.context) return definition
  const resolved = environment.resolved.get(agent) ?? new Map<string, Definition>()
  environment.resolved.set(agent, resolved.set(key, definition))
  return definition
}
