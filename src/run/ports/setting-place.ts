import type { Agent, RuleDecision } from "../../agent/agent.ts"
import type { RunLimits } from "../../ground/limits.ts"

/** Finds the place where a setting is written. Undefined at once: no file can have it. */
export type FindSettingPlace = (setting: SettingQuery) => Promise<SettingPlace | undefined> | undefined

/**
 * A setting to find: a part of an agent's definition or one entry of it. Or it is a rule, the default or a
 * limit of the configuration.
 */
export type SettingQuery =
  | { readonly agent: Agent; readonly part: string; readonly index?: number }
  | { readonly rule: string; readonly decision: RuleDecision }
  /** The default of the configuration, for calls that no rule matches. */
  | { readonly otherwise: RuleDecision }
  | { readonly limit: keyof RunLimits }

export interface SettingPlace {
  /** File and line, such as `agents/lead.md:5`. */
  readonly at?: string
  /** The rule or the default is in no list of rules: it is part of this permission mode. */
  readonly mode?: string
}
