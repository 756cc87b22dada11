import type { Agent } from "../../../agent/agent.ts"
import type { ValueType } from "../../../ground/keys.ts"
import type { Json, JsonMap } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import { keep } from "./common.ts"
import type { Draft, Field } from "./field.ts"
import { isSame } from "./is-same.ts"

/**
 * A part of an agent that several keys say together, or one key in several ways. What the file said is kept where the
 * agent alone could not tell it, and written back as long as it still means what the agent says.
 */
export interface Part {
  readonly keys: readonly string[]
  /** What the keys of a file mean. Undefined: nothing. */
  read(values: Values): Json | undefined
  put(draft: Draft, value: Json | undefined): void
  /** What the agent says here. Undefined: nothing. */
  of(agent: Agent | Draft): Json | undefined
  /** The plainest way to say it. `kept` is what the file had said before. */
  write(value: Json | undefined, kept: Values): Values
}

/** One key of a part, which the format reads when all keys are there. */
export const keyOf = (key: string, into: string, type: ValueType, doc: string): Field => ({
  key,
  into,
  doc,
  type,
  read: () => {},
  write: () => undefined,
})

/** Reads a part, and keeps its keys unless the plainest way to say it is how the file says it. */
export function readPart(part: Part, format: string, draft: Draft, values: Values): void {
  part.put(draft, part.read(values))
  const said = pick(values, part.keys)
  const plain = part.write(part.of(draft), {})
  if (Object.keys(said).length > 0 && !isSame(said, plain)) keep(draft, format, said)
}

/** Puts the keys of a part in place of whatever is written for them. */
export function writePart(part: Part, format: string, agent: Agent, values: { [key: string]: Json }): void {
  const kept = agent.extensions?.[format] ?? {}
  const value = part.of(agent)
  for (const key of part.keys) delete values[key]
  Object.assign(values, isSame(part.read(kept), value) ? pick(kept, part.keys) : part.write(value, kept))
}

const pick = (values: Values, keys: readonly string[]): JsonMap =>
  Object.fromEntries(keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]!]))
