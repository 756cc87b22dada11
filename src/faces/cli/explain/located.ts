import type { Agent } from "../../../agent/agent.ts"
import type { Executors } from "../../../agent/executor.ts"
import type { ModelUse } from "../../../agent/model.ts"
import type { Draft } from "../../../definitions/formats/fields/field.ts"
import type { Format } from "../../../definitions/formats/format.ts"
import type { Limits } from "../../../ground/limits.ts"
import type { Json } from "../../../ground/message.ts"
import type { ModelClaim } from "../../../run/begin/explain-model.ts"
import type { Explanation } from "../../../run/explain/explain.ts"
import type { ExplainedTool, ToolReason } from "../../../run/explain/explain-tools.ts"
import type { VariableRank } from "../../../run/rights/precedence.ts"
import { handedModel } from "../../../world/executors/handed-model.ts"
import { type Sight, sightsIn } from "../../../world/models/sees.ts"
import type { FoundSetting, From } from "./places.ts"

/** An explanation with the places of everything that was said. */
export interface Located {
  readonly model: LocatedModel & {
    readonly reads?: readonly ("text" | Sight)[]
    readonly over: readonly LocatedModel[]
  }
  readonly tools: readonly LocatedTool[]
  /** Everybody whom it may have work, itself or through others. */
  readonly reach: Explanation["reach"]
  readonly limits: readonly LocatedLimit[]
  readonly variables: readonly (Valued<Json> & { readonly name: string } & Over<Json>)[]
}

export interface LocatedModel {
  /** What would be asked first; null where it comes to nothing, or was not looked up. */
  readonly value: string | null
  /** Of an agent that a program runs: what that is handed; null where it chooses itself. */
  readonly handed?: string | null
  /** As it is written there. */
  readonly written: Json
  readonly from: From
  /** The preset that this is the name of. */
  readonly preset?: From
  readonly uses?: readonly ModelUse[]
  readonly warnings?: readonly string[]
  /** Where that was said which the written name leaves open, such as its provider. */
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
  /** The entry of a list. */
  readonly by?: string
  readonly reason?: string
  readonly from: From
}

export interface LocatedLimit extends Over<number> {
  readonly name: keyof Limits
  readonly value: number | null
  readonly from: From | null
  readonly shared?: { readonly value: number; readonly agent: string }
}

interface Valued<Value> {
  readonly value: Value
  readonly from: From
}

interface Over<Value> {
  readonly over: readonly Valued<Value>[]
}

/** What is known of an agent besides what a run would have. */
export interface Around {
  readonly agent: Agent
  readonly format: Format | undefined
  /** The agent that would call it. */
  readonly parent: string | undefined
  readonly executors: Executors
  place(part: string, entry?: string | number): From
  setting(key: string): FoundSetting
}

export function located(explanation: Explanation, around: Around): Located {
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
      const fromOf = (said: typeof source): From => variableFrom(said, name, around)
      return {
        name,
        value,
        from: fromOf(source),
        over: over.map((one) => ({ value: one.value, from: fromOf(one.source) })),
      }
    }),
  }
}

function variableFrom(source: VariableRank, name: string, { place, setting, parent = "" }: Around): From {
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
        (setting(`variables.${name}`).holds ?? setting("locked_variables").holds)?.from ?? { type: "default" }
      )
    case "configuration":
      return setting(`variables.${name}`).holds?.from ?? { type: "default" }
    case "lifecycle":
      return { type: "lifecycle" }
  }
}

function locatedModel({ model }: Explanation, around: Around): Located["model"] {
  const { over, executor, sees, ...first } = model
  if (executor !== undefined) return programModel(executor, [first, ...over], around)
  const [winner, ...losers] = [first, ...over].flatMap((claim) => locatedClaim(claim, around))
  // Where nobody says anything there is still the problem to tell.
  const nobody: LocatedModel = { value: null, written: null, from: { type: "default" }, ...told(first) }
  return { ...(winner ?? nobody), ...(sees && { reads: ["text", ...sightsIn(sees)] }), over: losers }
}

/** What it calls its models is nothing that can be looked up here. */
function programModel(
  executor: string,
  claims: readonly ModelClaim[],
  { place, executors }: Around,
): Located["model"] {
  const [winner, ...over] = claims.map(
    ({ source, requested }): LocatedModel => ({
      value: null,
      written: requested as Json,
      from:
        source === "definition" ? place("model") : source === "call" ? { type: "call" } : { type: "default" },
    }),
  )
  const handed = handedModel(executors[executor] ?? {}, claims[0]!.requested) ?? null
  return { ...winner!, value: `executor:${executor}`, handed, over }
}

function locatedClaim(claim: ModelClaim, around: Around): readonly LocatedModel[] {
  const { place, setting, parent } = around
  const located = (written: Json, from: From): LocatedModel => ({
    value: firstOf(claim),
    written,
    from,
    ...presetOf(written, around),
    ...told(claim),
    ...(claim.saidAt && from.type !== "codex" && { saidAt: claim.saidAt }),
  })
  switch (claim.source) {
    case "call":
      return [located(claim.requested as Json, { type: "call" })]
    case "definition":
      return [located(claim.requested as Json, place("model"))]
    case "parent":
      return [located(null, { type: "parent", agent: parent ?? "" })]
    case "default": {
      const { holds, over } = setting("model")
      if (!holds) return claim.saidAt ? [located(null, { type: "codex", at: claim.saidAt })] : []
      const others = over.map(({ value, from }) => ({ value: null, written: value, from }))
      return [located(holds.value, holds.from), ...others]
    }
  }
}

const told = ({ uses, warnings, problem }: ModelClaim): Partial<LocatedModel> => ({
  ...(uses && { uses }),
  ...(warnings?.length && { warnings }),
  ...(problem !== undefined && { problem }),
})

const firstOf = ({ uses }: ModelClaim): string | null => (uses?.[0] ? useText(uses[0]) : null)

export const useText = (use: ModelUse): string => ("name" in use ? use.name : `${use.provider}/${use.model}`)

function presetOf(written: Json, { setting }: Around): Pick<LocatedModel, "preset"> {
  if (typeof written !== "string") return {}
  const found = setting(`presets.${written.trim()}`).holds ?? setting(`models.${written.trim()}`).holds
  return found ? { preset: found.from } : {}
}

function locatedLimits({ limits }: Explanation, around: Around): readonly LocatedLimit[] {
  return limits.map(({ name, value, source, over, shared }) => {
    const placed = (said: readonly SaidLimit[]) => said.flatMap((one) => locatedLimit(name, one, around))
    const [held, ...below] = placed(value === undefined || !source ? [] : [{ source, value }])
    return {
      name,
      value: value ?? null,
      from: held?.from ?? null,
      over: [
        ...below,
        ...placed(over.filter((one) => one.source !== "default")),
        ...(around.setting(`limits.${name}`).over as readonly Valued<number>[]),
        ...placed(over.filter((one) => one.source === "default")),
      ],
      ...(shared && { shared }),
    }
  })
}

type SaidLimit = Explanation["limits"][number]["over"][number]

/** Where it is said; of a definition also what its format would have said in its place. */
function locatedLimit(
  name: keyof Limits,
  { source, value }: SaidLimit,
  { parent = "", place, setting, format }: Around,
): readonly Valued<number>[] {
  switch (source) {
    case "definition": {
      const from = place(`limits.${name}`)
      const otherwise = from.type === "definition" ? formatLimit(format, name) : []
      return [{ value, from }, ...otherwise]
    }
    case "configuration":
      return [{ value, from: setting(`limits.${name}`).holds?.from ?? { type: "default" } }]
    case "parent":
      return [{ value, from: { type: "parent", agent: parent } }]
    case "call":
    case "default":
      return [{ value, from: { type: source } }]
  }
}

function formatLimit(format: Format | undefined, name: keyof Limits): readonly Valued<number>[] {
  const draft: Draft = {}
  format?.defaults?.(draft)
  const value = draft.limits?.[name]
  return value === undefined ? [] : [{ value, from: { type: "format", format: format!.id } }]
}

function locatedReason(
  reason: ToolReason,
  { agent, parent, place }: Around,
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
