import type { Agent } from "../../../agent/agent.ts"
import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { getValueAt, type Json } from "../../../ground/message.ts"
import type { ProblemPlace } from "../../formats/problem.ts"
import { placeInside } from "../../formats/problem.ts"
import { containsWorkflow, getWorkflowFormat, type ReadWorkflow, readWorkflow } from "../../workflow/read.ts"
import type { WorkflowProblem } from "../../workflow/reading.ts"
import type { Reaction, Workflow, WorkflowStep } from "../../workflow/workflow.ts"
import type { CheckedAgent, Subject } from "../rule.ts"

/** Cached, because several rules read the same workflow. */
const readCache = new WeakMap<Agent, ReadWorkflow>()

/** The workflow that is written in the agent's file. Undefined if the file has no workflow, or only the name of one. */
export function readOwnWorkflow({ agent }: CheckedAgent): ReadWorkflow | undefined {
  if (!containsWorkflow(agent)) return undefined
  const read =
    readCache.get(agent) ??
    readWorkflow(agent.workflow!, {
      name: agent.name,
      as: getWorkflowFormat(agent),
    })
  readCache.set(agent, read)
  return read
}

/** Reports the problems of the agent's workflow that have this code. */
export function reportWorkflowProblems(subject: Subject, code: WorkflowProblem["code"]): void {
  for (const problem of readOwnWorkflow(subject)?.problems ?? [])
    if (problem.code === code)
      subject.report({ message: sentence(problem.message), at: locateInWorkflow(subject, problem) })
}

/** Finds where a part of the workflow is written in the agent's file. `offset` points into a text. */
export function locateInWorkflow(
  subject: CheckedAgent,
  { path, offset, about }: Pick<PlacedProblem, "path" | "offset" | "about">,
): ProblemPlace {
  const places = placesIn(subject, path)
  // The part may be missing, so only the path to the first of its keys is looked up.
  const isThere = (place: PlacedProblem["path"]) =>
    subject.source?.locate({ type: "value", path: place.slice(0, place.length - path.length + 1) })
  const whole = places.find(isThere) ?? places[0]!
  const value = offset === undefined ? undefined : getValueAt(subject.agent.workflow, path)
  if (typeof value === "string" && offset !== undefined && value !== "")
    return placeInside(whole, value, Math.min(offset, value.length - 1), 1)
  return { type: about ?? "value", path: whole }
}

/** A reaction, such as one `on_enter`, and the keys that lead to it in the workflow. */
interface PlacedReaction {
  readonly reaction: Reaction
  readonly path: PlacedProblem["path"]
}

/** All reactions of a workflow, with their places. */
export function listReactions(
  { agent }: CheckedAgent,
  { steps, onError }: Workflow,
): readonly PlacedReaction[] {
  const lists: readonly (readonly [PlacedProblem["path"], readonly Reaction[]])[] = [
    ...steps.flatMap((step, index) =>
      listsOf(step).map(([keys, reactions]) => [["steps", index, ...keys], reactions] as const),
    ),
    [["on_error"], onError],
  ]
  return lists.flatMap(([path, reactions]) => {
    // A single reaction may be written without a list.
    const isList = Array.isArray(getValueAt(agent.workflow, path))
    return reactions.map((reaction, index) => ({ reaction, path: isList ? [...path, index] : path }))
  })
}

const listsOf = (step: WorkflowStep) =>
  [
    [["on_enter"], step.onEnter],
    [["on_exit"], step.onExit],
    [["on_success"], step.onSuccess],
    [["on_error"], step.onError],
    [["on_mcp_success"], step.onMcpSuccess],
    [["on_mcp_error"], step.onMcpError],
    ...step.transitions.map(
      ({ onTransition }, index) => [["transitions", index, "on_transition"], onTransition] as const,
    ),
  ] as const

/** The paths where the file may have the workflow. Gobby has changed the keys twice, and files use all three forms. */
function placesIn(
  { agent, format }: CheckedAgent,
  path: PlacedProblem["path"],
): readonly PlacedProblem["path"][] {
  if (format?.id !== "gobby") return [["workflow", ...path]]
  const { name } = agent.workflow as { readonly name?: Json }
  const [first, ...rest] = path
  return [
    ["step_workflow", ...path],
    ...(typeof name === "string" ? [["workflows", name, ...path]] : []),
    first === undefined ? ["steps"] : [first === "variables" ? "step_variables" : first, ...rest],
  ]
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
