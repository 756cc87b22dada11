import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { RunResult } from "../../run/drive/proof.ts"

/** The result of a run in the shape of Remora's `AgentResult`. */
export interface AgentResult {
  /** The status that was submitted. Without one it is `success`. */
  readonly status: (typeof statuses)[number]
  /** The id of the run. */
  readonly workspaceId: string
  /** The paths of the changed files, as they were submitted. Empty: none. */
  readonly changedFiles: readonly string[]
  /** The summary that was submitted. Empty: there is none. */
  readonly summary: string
  /** Further facts that were submitted. Empty: there are none. */
  readonly details: JsonMap
  /** The error that was submitted, or the reason why the run failed. null: there is none. */
  readonly error: string | null
}

const statuses = ["success", "failed", "skipped"] as const

/**
 * Reads the result of a run as Remora reads a call of `submit_result`: it takes the keys that it knows and no others.
 * `value` of the run has them all. A status that it does not know counts as failed, and so does a run that did not
 * complete.
 *
 * @example
 * ```ts
 * import { createRuntime } from "cadre"
 * import { loadSubagentDefinition, toAgentResult } from "cadre/files"
 *
 * const { agent } = loadSubagentDefinition("lint.yaml", { agentsDir: "agents" })
 * const runtime = createRuntime({ agents: [agent], model: "anthropic:sonnet" })
 * const result = await runtime.run(agent, "", { node: "src/x.py::Class.method" }).done
 * console.log(toAgentResult(result).status)
 * ```
 */
export function toAgentResult({ run, outcome, output, value }: RunResult): AgentResult {
  const empty = { workspaceId: run, changedFiles: [], details: {} }
  if (outcome?.type !== "completed")
    return { ...empty, status: "failed", summary: "", error: reasonOf(outcome) }
  // A model of a definition without a result answers with text.
  if (!isMap(value)) return { ...empty, status: "success", summary: output, error: null }
  const { status = "success", changed_files, summary, details, error } = value
  const isKnown = statuses.some((candidate) => candidate === status)
  return {
    ...empty,
    status: isKnown ? (status as AgentResult["status"]) : "failed",
    changedFiles: isTexts(changed_files) ? changed_files : [],
    summary: typeof summary === "string" ? summary : "",
    details: isMap(details) ? details : {},
    error: isKnown
      ? textOf(error)
      : `The status ${JSON.stringify(status)} is none of ${statuses.join(", ")}.`,
  }
}

const textOf = (error: Json | undefined): string | null => (typeof error === "string" ? error : null)

const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string")

function reasonOf(outcome: RunResult["outcome"]): string {
  if (!outcome) return "The run has not ended."
  return "reason" in outcome && outcome.reason !== undefined ? outcome.reason : outcome.type
}
