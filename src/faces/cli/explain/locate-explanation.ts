import type { Agent } from "../../../agent/agent.ts"
import type { Executors } from "../../../agent/executor.ts"
import type { ModelUse } from "../../../agent/model.ts"
import type { Draft } from "../../../definitions/formats/fields/field.ts"
import type { Format } from "../../../definitions/formats/format.ts"
import type { RunLimits } from "../../../ground/limits.ts"
import type { Json } from "../../../ground/message.ts"
import type { ModelClaim } from "../../../run/begin/explain-model.ts"
import type { AgentExplanation } from "../../../run/explain/explain.ts"
import type { ExplainedTool, ToolReason } from "../../../run/explain/explain-tools.ts"
import type { VariableRank } from "../../../run/rights/precedence.ts"
import { chooseExecutorModel } from "../../../world/executors/handed-model.ts"
import { listSights, type Sight } from "../../../world/models/sees.ts"
import type { SettingValues, ValueSource } from "./places.ts"

/** An explanation in which every value has the place that it comes from. */
export interface LocatedExplanation {
  readonly model: LocatedModel & {
    readonly reads?: readonly ("text" | Sight)[]
    readonly over: readonly LocatedModel[]
  }
  readonly tools: readonly LocatedTool[]
  /** Every agent that this agent can start, directly or through others. */
  readonly reach: AgentExplanation["reach"]
  readonly limits: readonly LocatedLimit[]
  readonly variables: readonly (Valued<Json> & { readonly name: string } & Over<Json>)[]
}

export interface LocatedModel {
  /** The model that would be asked first. Null if there is none, or if the name was not looked up. */
  readonly value: string | null
  /** For an agent with an executor: the model that its program is given. Null if the program chooses its model itself. */
  readonly handed?: string | null
  /** The value as it is written in the file. */
  readonly written: Json
  readonly from: ValueSource
  /** The place of the preset, if the written name is one. */
  readonly preset?: ValueSource
  readonly uses?: readonly ModelUse[]
  readonly warnings?: readonly string[]
  /** The places of the parts that the written name leaves open, such as its provider. */
  readonly saidAt?: readonly string[]
  readonly problem?: string
}

export interface LocatedTool extends LocatedReason {
  readonly name: string
  readonly state: ExplainedTool["state"]
  readonly over: readonly LocatedReason[]
}

export interface LocatedReason {
  readonly why: ToolReason["type"]
  /** The entry of a list that decides, such as `Bash`. */
  readonly by?: string
  readonly reason?: string
  readonly from: ValueSource
}

export interface LocatedLimit extends Over<number> {
  readonly name: keyof RunLimits
  readonly value: number | null
  readonly from: ValueSource | null
  readonly shared?: { readonly value: number; readonly agent: string }
}

interface Valued<Value> {
  readonly value: Value
  readonly from: ValueSource
}

interface Over<Value> {
  readonly over: readonly Valued<Value>[]
}

/** The agent, its caller, and the functions that find the place of a value. */
export interface AgentPlaces {
  readonly agent: Agent
  readonly format: Format | undefined
  /** The agent that would call it. */
  readonly parent: string | undefined
  readonly executors: Executors
  place(part: string, entry?: string | number): ValueSource
  setting(key: string): SettingValues
}

export function locateExplanation(explanation: AgentExplanation, around: AgentPlaces): LocatedExplanation {
  const limits = locatedLimits(explanation, around)
  return {
    model: locatedModel(explanation, around),
    tools: explanation.tools.map(({ name, state, why, over }) => ({
      name,
      state,
      ...locatedReason(why, around, limits),
      over: over.map((reason) => locatedReason(reason, around, limits)),
    })),
    reach: explanation.reach,
    limits,
    variables: explanation.variables.map(({ name, value, source, over }) => {
      const fromOf = (rank: typeof source): ValueSource => variableFrom(rank, name, around)
      return {
        name,
        value,
        from: fromOf(source),
        over: over.map((one) => ({ value: one.value, from: fromOf(one.source) })),
      }
    }),
  }
}

function variableFrom(
  source: VariableRank,
  name: string,
  { place, setting, parent = "" }: AgentPlaces,
): ValueSource {
  switch (source) {
    case "call":
      return { type: "call" }
    case "definition":
      return place("variables", name)
    case "workflow":
      return place("workflow")
    case "parent":
      return { type: "parent", agent: parent }
    case "locked":
      return (
        (setting(`variables.${name}`).effective ?? setting("locked_variables").effective)?.from ?? {
          type: "default",
        }
      )
    case "configuration":
      return setting(`variables.${name}`).effective?.from ?? { type: "default" }
    case "lifecycle":
      return { type: "lifecycle" }
  }
}

function locatedModel({ model }: AgentExplanation, around: AgentPlaces): LocatedExplanation["model"] {
  const { over, executor, sees, ...first } = model
  if (executor !== undefined) return programModel(executor, [first, ...over], around)
  const [winner, ...losers] = [first, ...over].flatMap((claim) => locatedClaim(claim, around))
  // If no model is named anywhere, the problem still has to be shown.
  const nobody: LocatedModel = {
    value: null,
    written: null,
    from: { type: "default" },
    ...claimDetails(first),
  }
  return { ...(winner ?? nobody), ...(sees && { reads: ["text", ...listSights(sees)] }), over: losers }
}

/** The model of an agent with an executor. The program has its own model names, so the name is not looked up. */
function programModel(
  executor: string,
  claims: readonly ModelClaim[],
  { place, executors }: AgentPlaces,
): LocatedExplanation["model"] {
  const [winner, ...over] = claims.map(
    ({ source, requested }): LocatedModel => ({
      value: null,
      written: requested as Json,
      from:
        source === "definition" ? place("model") : source === "call" ? { type: "call" } : { type: "default" },
    }),
  )
  const handed = chooseExecutorModel(executors[executor] ?? {}, claims[0]!.requested) ?? null
  return { ...winner!, value: `executor:${executor}`, handed, over }
}

function locatedClaim(claim: ModelClaim, around: AgentPlaces): readonly LocatedModel[] {
  const { place, setting, parent } = around
  const locate = (written: Json, from: ValueSource): LocatedModel => ({
    value: firstOf(claim),
    written,
    from,
    ...presetOf(written, around),
    ...claimDetails(claim),
    ...(claim.settingPlaces && from.type !== "codex" && { saidAt: claim.settingPlaces }),
  })
  switch (claim.source) {
    case "call":
      return [locate(claim.requested as Json, { type: "call" })]
    case "definition":
      return [locate(claim.requested as Json, place("model"))]
    case "parent":
      return [locate(null, { type: "parent", agent: parent ?? "" })]
    case "default": {
      const { effective, over } = setting("model")
      if (!effective)
        return claim.settingPlaces ? [locate(null, { type: "codex", at: claim.settingPlaces })] : []
      const others = over.map(({ value, from }) => ({ value: null, written: value, from }))
      return [locate(effective.value, effective.from), ...others]
    }
  }
}

const claimDetails = ({ uses, warnings, problem }: ModelClaim): Partial<LocatedModel> => ({
  ...(uses && { uses }),
  ...(warnings?.length && { warnings }),
  ...(problem !== undefined && { problem }),
})

const firstOf = ({ uses }: ModelClaim): string | null => (uses?.[0] ? useText(uses[0]) : null)

export const useText = (use: ModelUse): string => ("name" in use ? use.name : `${use.provider}/${use.model}`)

function presetOf(written: Json, { setting }: AgentPlaces): Pick<LocatedModel, "preset"> {
  if (typeof written !== "string") return {}
  const preset =
    setting(`presets.${written.trim()}`).effective ?? setting(`models.${written.trim()}`).effective
  return preset ? { preset: preset.from } : {}
}

function locatedLimits({ limits }: AgentExplanation, around: AgentPlaces): readonly LocatedLimit[] {
  return limits.map(({ name, value, source, over, shared }) => {
    const locateAll = (limitsToPlace: readonly SaidLimit[]) =>
      limitsToPlace.flatMap((one) => locatedLimit(name, one, around))
    const [effective, ...below] = locateAll(value === undefined || !source ? [] : [{ source, value }])
    return {
      name,
      value: value ?? null,
      from: effective?.from ?? null,
      over: [
        ...below,
        ...locateAll(over.filter((one) => one.source !== "default")),
        ...(around.setting(`limits.${name}`).over as readonly Valued<number>[]),
        ...locateAll(over.filter((one) => one.source === "default")),
      ],
      ...(shared && { shared }),
    }
  })
}

type SaidLimit = AgentExplanation["limits"][number]["over"][number]

/** The limit with its place. A limit of the agent's file is followed by the default of the file's format. */
function locatedLimit(
  name: keyof RunLimits,
  { source, value }: SaidLimit,
  { parent = "", place, setting, format }: AgentPlaces,
): readonly Valued<number>[] {
  switch (source) {
    case "definition": {
      const from = place(`limits.${name}`)
      const otherwise = from.type === "definition" ? formatLimit(format, name) : []
      return [{ value, from }, ...otherwise]
    }
    case "configuration":
      return [{ value, from: setting(`limits.${name}`).effective?.from ?? { type: "default" } }]
    case "parent":
      return [{ value, from: { type: "parent", agent: parent } }]
    case "call":
    case "default":
      return [{ value, from: { type: source } }]
  }
}

function formatLimit(format: Format | undefined, name: keyof RunLimits): readonly Valued<number>[] {
  const draft: Draft = {}
  format?.defaults?.(draft)
  const value = draft.limits?.[name]
  return value === undefined ? [] : [{ value, from: { type: "format", format: format!.id } }]
}

function locatedReason(
  reason: ToolReason,
  { agent, parent, place }: AgentPlaces,
  limits: readonly LocatedLimit[],
): LocatedReason {
  const entry = (part: string, list: readonly string[], by: string): LocatedReason => ({
    why: reason.type,
    by,
    from: place(part, list.indexOf(by)),
  })
  switch (reason.type) {
    case "listed":
      return entry("tools.allow", agent.tools.allow, reason.by)
    case "denied":
      return entry("tools.deny", agent.tools.deny, reason.by)
    case "delegates":
      return entry("delegates", agent.delegates ?? [], reason.by)
    case "unlisted":
      return { why: reason.type, from: place("tools.allow") }
    case "result":
    case "executor":
      return { why: reason.type, from: place(reason.type) }
    case "depth":
    case "nobody":
      return {
        why: reason.type,
        from: limits.find(({ name }) => name === "maxDepth")?.from ?? { type: "default" },
      }
    case "taken":
      return { why: reason.type, reason: reason.of, from: { type: "default" } }
    case "narrowed":
      return { why: reason.type, from: { type: "call" } }
    case "inherited":
    case "not-of-parent":
      return {
        why: reason.type,
        from: parent === undefined ? { type: "default" } : { type: "parent", agent: parent },
      }
    case "absent":
      return { why: reason.type, reason: reason.reason, from: { type: "default" } }
    case "foreign":
    case "unknown":
      return { why: reason.type, from: { type: "default" } }
  }
}
