import type { JsonSchema } from "../ground/schema/schema.ts"

/**
 * The peculiarities of a format's definitions. Code that runs an agent uses these and never the name of a
 * format. An agent's `origin.format`, which its format sets and logs keep, is only the key to them. So they
 * also apply to a run that an earlier version began.
 */
export interface FormatTraits {
  /**
   * A definition without a list of tools has every tool that its tree may use. Absent: the caller's tools.
   */
  readonly everyTool?: true
  /** A called agent without a list of tools cannot hand work on. */
  readonly handsOnListedOnly?: true
  /** Codes before the reason for a run's end, because users of the format look for them. */
  readonly endCodes?: Readonly<Record<"model" | "result" | "turns", string>>
  /** The number of attempts for one reply of a model. Absent: the default of the runtime. */
  readonly modelAttempts?: number
  /** Inputs of scripts that the run gives. A model neither sees nor sets them. */
  readonly injectedInputs?: readonly string[]
  /** A submitted result must also fit this schema, which the model is not told. */
  readonly resultContract?: JsonSchema
  /** The message to the model that it may not call a tool, in words that users of the format look for. */
  readonly refusal?: (tool: string, agent: string) => string
  /** Template syntax in the prompt is sent as it is, with a warning. */
  readonly templates?: "sent"
  /** The settings of the program that it was written for apply where no other source sets its model. */
  readonly hostSettings?: true
  /** An unknown provider is ignored, and the inherited one is kept. */
  readonly unknownProvider?: "inherit"
  /** The default replaces an unknown model, as in this program. */
  readonly replacesModel?: string
}

/** The peculiarities of a format, by its id. An unlisted one, such as `code`, has none. */
export const getFormatTraits = (format: string | undefined): FormatTraits =>
  format !== undefined && Object.hasOwn(ways, format) ? ways[format]! : none

/** True for formats in which a definition without a list of tools means all of them. */
export const meansEveryTool = (format: string): boolean => getFormatTraits(format).everyTool === true

const none: FormatTraits = {}

const ways: Readonly<Record<string, FormatTraits>> = {
  claude: { everyTool: true },
  gobby: { everyTool: true },
  acai: { everyTool: true, replacesModel: "acai" },
  "codex-md": {
    everyTool: true,
    handsOnListedOnly: true,
    refusal: (tool, agent) => `Tool \`${tool}\` is not allowed for subagent \`${agent}\`; denying request.`,
    hostSettings: true,
    unknownProvider: "inherit",
  },
  remora: {
    endCodes: { model: "AGENT_002", result: "AGENT_003", turns: "AGENT_004" },
    modelAttempts: 3,
    injectedInputs: ["node_text", "target_file", "workspace_id", "node_text_input", "target_file_input"],
    resultContract: {
      type: "object",
      properties: {
        workspace_id: { type: "string" },
        changed_files: { type: "array", items: { type: "string" } },
        summary: { type: "string" },
        error: { type: ["string", "null"] },
      },
    },
    templates: "sent",
  },
}
