import type { RuleDecision } from "../../agent/agent.ts"
import type { DecisionCause } from "../log/event-rights.ts"
import type { SettingPlace, SettingQuery } from "../ports/setting-place.ts"
import { findCause } from "../rights/find-cause.ts"
import { configurationOwner } from "../rights/rule-sets.ts"
import { findWrittenRule } from "../rights/written-rule.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"

type Deciding = Pick<Drive, "environment" | "state">

/**
 * The cause of the decision about a call, as its event records it. The rule is there as its author wrote it,
 * with its file and line. It is a promise only where a file has to be read, which is once for each rule.
 * Undefined for a call that started before and starts again: its first start has the cause.
 */
export function findDecisionCause(
  drive: Deciding,
  call: OpenCall,
): DecisionCause | Promise<DecisionCause> | undefined {
  const { decision, ...rest } = findCause(drive.state, call)
  if (decision !== "deny" && call.startedAt !== undefined) return undefined
  const cause = rest as DecisionCause
  // The start of the run has named the rule and its place.
  if (call.refused) return cause
  const owner = findOwner(drive, cause)
  if (!owner) return cause
  const source = findSource(drive, owner, cause, decision)
  return source instanceof Promise ? source.then((one) => withSource(cause, one)) : withSource(cause, source)
}

/** The rule as it is written, and its place. */
interface CauseSource {
  readonly rule?: string
  readonly place?: SettingPlace | undefined
}

function withSource(cause: DecisionCause, { rule, place = {} }: CauseSource): DecisionCause {
  const { at, mode } = place
  const written = { ...cause, ...(rule !== undefined && { rule }), ...(at !== undefined && { at }) }
  if (mode === undefined) return written as DecisionCause
  const { of: _, ...rest } = written as DecisionCause & { of?: string }
  return { ...rest, type: "mode", mode } as DecisionCause
}

/** The object whose files may have the cause: an agent, or the rules of the configuration. */
function findOwner({ environment }: Deciding, cause: DecisionCause): object | undefined {
  switch (cause.type) {
    case "rule":
    case "default":
      if (cause.agent === undefined)
        return cause.of === undefined || cause.of === configurationOwner ? environment.rights : undefined
      return cause.type === "rule" ? environment.agents.find(cause.agent) : undefined
    case "mode":
      return cause.agent === undefined ? undefined : environment.agents.find(cause.agent)
    default:
      return undefined
  }
}

/** A rule decides about many calls, so its source is looked up once. */
function findSource(
  drive: Deciding,
  owner: object,
  cause: DecisionCause,
  decision: RuleDecision,
): CauseSource | Promise<CauseSource> {
  const sources = sourcesOf.get(owner) ?? new Map<string, CauseSource>()
  sourcesOf.set(owner, sources)
  const key = JSON.stringify([decision, "rule" in cause ? cause.rule : null, drive.state.start!.cwd])
  const earlier = sources.get(key)
  if (earlier) return earlier
  const keep = (source: CauseSource) => {
    if (sources.size > 1_000) sources.clear()
    sources.set(key, source)
    return source
  }
  const { rule, query } = findQuery(drive, cause, decision)
  const written = rule === undefined ? {} : { rule }
  const lookup = query && drive.environment.writtenAt?.(query)
  if (!lookup) return keep(written)
  // A file that cannot be read any more has no place to name. The decision stays as it is.
  return lookup.catch(() => undefined).then((place) => keep({ ...written, place }))
}

const sourcesOf = new WeakMap<object, Map<string, CauseSource>>()

/** The rule as it is written, and the setting whose place is to be found. */
function findQuery(
  { environment, state }: Deciding,
  cause: DecisionCause,
  decision: RuleDecision,
): { readonly rule?: string; readonly query?: SettingQuery } {
  if (cause.type === "mode")
    return { query: { agent: environment.agents.find(cause.agent!)!, part: "permissionMode" } }
  if (cause.type !== "rule") return { query: { otherwise: decision } }
  const kind = decision === "allow" ? "allowing" : "restricting"
  const written = findWrittenRule(environment, cause.agent, cause.rule, { cwd: state.start!.cwd, kind })
  const rule = written?.text ?? cause.rule
  if (cause.agent === undefined) return { rule, query: { rule, decision } }
  return { rule, ...(written?.entry && { query: written.entry }) }
}
