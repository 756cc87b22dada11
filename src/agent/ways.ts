/**
 * What definitions of a format have that others have not. Whoever runs an agent asks for these, and never for the name of
 * a format: an agent's `origin.format`, which its format sets and logs keep, is only the key to them. So a run that an
 * earlier version began has the ways of its format, too.
 */
export interface Ways {
  /** A definition without a list of tools has every tool that its tree may use. Left out: what its caller has. */
  readonly everyTool?: true
  /** Called, and without a list of tools, it hands no work on. */
  readonly handsOnListedOnly?: true
  /** Codes that go before the reason for which a run ended: users of the format look for them. */
  readonly endCodes?: Readonly<Record<"model" | "result" | "turns", string>>
  /** How its model is told that it may not call a tool, in words that users of the format look for. */
  readonly refusal?: (tool: string, agent: string) => string
  /** What looks like a template in its prompt is sent as it is, and a run warns of it. */
  readonly templates?: "sent"
  /** Settings of the program that it was written for say what nobody else says of its model. */
  readonly hostSettings?: true
  /** A provider that nobody knows is passed over: what it would inherit is kept. */
  readonly unknownProvider?: "inherit"
  /** The default takes the place of a model that nobody knows, as this program has it. */
  readonly replacesModel?: string
}

/** The ways of a format, by its id. One that is not listed, such as `code`, has none. */
export const waysOf = (format: string | undefined): Ways =>
  format !== undefined && Object.hasOwn(ways, format) ? ways[format]! : none

/** True of formats in which a definition without a list of tools means all of them. */
export const meansEveryTool = (format: string): boolean => waysOf(format).everyTool === true

const none: Ways = {}

const ways: Readonly<Record<string, Ways>> = {
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
    templates: "sent",
  },
}
