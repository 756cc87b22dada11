import type { Agent } from "../../../agent/agent.ts"
import type { ValueType } from "../../../ground/keys.ts"
import type { Json, JsonMap } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import { keepExtension } from "./common.ts"
import type { Draft, Field } from "./field.ts"
import { isSame } from "./is-same.ts"

/**
 * A part of an agent that several keys express together, or one key in several ways. The keys of the file are kept
 * if the agent alone could not reproduce them. They are written back as long as they still mean the agent's value.
 */
export interface AgentPart {
  readonly keys: readonly string[]
  /** The value that the keys of a file mean. Undefined: none. */
  read(values: Values): Json | undefined
  put(draft: Draft, value: Json | undefined): void
  /** The agent's value of this part. Undefined: none. */
  of(agent: Agent | Draft): Json | undefined
  /** The plainest keys for a value. `fileKeys` are the kept keys of the file that the agent came from. */
  write(value: Json | undefined, fileKeys: Values): Values
}

/** One key of a part. The format reads the part as a whole, after all keys. */
export const definePartField = (key: string, into: string, type: ValueType, doc: string): Field => ({
  key,
  into,
  doc,
  type,
  read: () => {},
  write: () => undefined,
})

/** Reads a part, and keeps the keys of the file unless they are the plainest ones for the value. */
export function readAgentPart(part: AgentPart, format: string, draft: Draft, values: Values): void {
  part.put(draft, part.read(values))
  const fileKeys = pick(values, part.keys)
  const plain = part.write(part.of(draft), {})
  if (Object.keys(fileKeys).length > 0 && !isSame(fileKeys, plain)) keepExtension(draft, format, fileKeys)
}

/** Replaces the keys of a part in the values to write. */
export function writeAgentPart(
  part: AgentPart,
  format: string,
  agent: Agent,
  values: { [key: string]: Json },
): void {
  const keptKeys = agent.extensions?.[format] ?? {}
  const value = part.of(agent)
  for (const key of part.keys) delete values[key]
  Object.assign(
    values,
    isSame(part.read(keptKeys), value) ? pick(keptKeys, part.keys) : part.write(value, keptKeys),
  )
}

const pick = (values: Values, keys: readonly string[]): JsonMap =>
  Object.fromEntries(keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]!]))
