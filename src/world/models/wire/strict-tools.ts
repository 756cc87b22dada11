import type { ModelError, OfferedTool } from "../../../agent/model.ts"
import { followedBy } from "../../../ground/errors.ts"
import type { JsonSchema } from "../../../ground/schema/schema.ts"

/** What is known of a server that may hold a model to the schemas of tools. */
export interface StrictRules {
  /** Whether it knows the word. */
  readonly support: "known" | "unknown"
  /** Whether it takes a schema in that mode: it refuses the whole request otherwise. */
  takes(schema: JsonSchema): boolean
}

/** Which tools are sent as strict: those that want it, and whose schemas are taken, until the server refuses one. */
export class StrictTools {
  private support: StrictRules["support"]
  private readonly rules: StrictRules

  /** What somebody says beats what is known. */
  constructor(rules: StrictRules, { strictTools: said }: { readonly strictTools?: boolean }) {
    this.rules = rules
    this.support = said === undefined ? rules.support : said ? "known" : "unknown"
  }

  has({ strict, input }: OfferedTool): boolean {
    return strict === true && this.support === "known" && this.rules.takes(input)
  }

  /**
   * A refusal of a strict tool, as an error that passes: from now on none is sent, and the same request may be taken.
   * Undefined where it is about something else. Servers also refuse schemas that their documentation takes, such as
   * those whose grammar grows too large.
   */
  refusal(error: ModelError, tools: readonly OfferedTool[]): ModelError | undefined {
    const isAbout = error.kind === "rejected" && words.test(error.message)
    if (!isAbout || !tools.some((tool) => this.has(tool))) return undefined
    this.support = "unknown"
    return {
      ...error,
      message: followedBy(error.message, "It is asked again without `strict`."),
      retryable: true,
    }
  }
}

const words = /strict|grammar|schema|additionalProperties|tools[.[]/i

/** The host of an address, or what there is in its place. */
export const hostOf = (baseUrl: string | undefined): string | undefined =>
  baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : baseUrl
