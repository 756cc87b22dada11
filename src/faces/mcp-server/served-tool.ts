import type { Json, JsonMap } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { ServedProject } from "./served-project.ts"

/** A tool that hosts call. */
export interface ServedTool {
  readonly name: string
  readonly title: string
  /** For models: short direct sentences. */
  readonly description: string
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly annotations: ToolAnnotations
  /** Gets arguments that fit the schema. A CadreError becomes a result that the model reads. */
  call(input: JsonMap, call: ServedCall): Promise<ToolAnswer | HostQuestion>
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** One call of a tool, and the host that makes it. */
export interface ServedCall {
  readonly project: ServedProject
  /** The time to answer at, on the clock of events. */
  readonly until: number
  readonly signal: AbortSignal
  /** The host can ask its person. */
  readonly canAsk: boolean
  /** The answer to the question that the tool returned before. */
  readonly answered?: AnsweredQuestion
  tell(text: string): void
}

export interface ToolAnswer {
  readonly text: string
  readonly value: { readonly [name: string]: Json }
}

/** A question to the person at the host. The tool is called again with the answer. */
export interface HostQuestion {
  readonly ask: string
  /** The subject of the question. The host cannot change it. */
  readonly about: string
}

export interface AnsweredQuestion {
  readonly about: string
  /** Milliseconds between the question and the answer. */
  readonly after: number
  readonly action: "accept" | "decline" | "cancel"
  /** Absent: the person made no choice. */
  readonly allow?: boolean
}

/** The arguments of a tool as a schema, each with its description. */
export const describeObject = (
  properties: { readonly [name: string]: JsonSchema },
  ...required: readonly string[]
): JsonSchema => ({ type: "object", properties, required: [...required], additionalProperties: false })

export const describeText = (description: string): JsonSchema => ({ type: "string", description })
