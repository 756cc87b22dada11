import type { ModelError, OfferedTool } from "../../../agent/model.ts"
import { appendSentence } from "../../../ground/errors.ts"
import type { JsonSchema } from "../../../ground/schema/schema.ts"

/** The rules of a server for strict tools, where it enforces their schemas. */
export interface StrictRules {
  /** `known`: the server supports `strict`. */
  readonly support: "known" | "unknown"
  /** True if the server accepts a schema in strict mode. Otherwise it refuses the whole request. */
  takes(schema: JsonSchema): boolean
}

/**
 * Decides which tools are sent as strict: those that ask for it and have an accepted schema, until the server refuses
 * one.
 */
export class StrictTools {
  private support: StrictRules["support"]
  private readonly rules: StrictRules

  /** An explicit setting overrides the rules. */
  constructor(rules: StrictRules, { strictTools: setting }: { readonly strictTools?: boolean }) {
    this.rules = rules
    this.support = setting === undefined ? rules.support : setting ? "known" : "unknown"
  }

  has({ strict, input }: OfferedTool): boolean {
    return strict === true && this.support === "known" && this.rules.takes(input)
  }

  /**
   * Turns the refusal of a strict tool into a retryable error: from now on no tool is strict, so the same request may
   * succeed. Undefined: the error is about something else. Servers also refuse schemas that their documentation allows,
   * such as one with a too large grammar.
   */
  refusal(error: ModelError, tools: readonly OfferedTool[]): ModelError | undefined {
    const isAboutStrict = error.kind === "rejected" && words.test(error.message)
    if (!isAboutStrict || !tools.some((tool) => this.has(tool))) return undefined
    this.support = "unknown"
    return {
      ...error,
      message: appendSentence(error.message, "The request is repeated without `strict`."),
      retryable: true,
    }
  }
}

const words = /strict|grammar|schema|additionalProperties|tools[.[]/i

/** The host of an address. A text that is not an address is returned unchanged. */
export const getAddressHost = (baseUrl: string | undefined): string | undefined =>
  baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : baseUrl
