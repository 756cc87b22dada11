import type { Agent } from "../../../agent/agent.ts"
import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { type Json, valueAt } from "../../../ground/message.ts"
import type { Place } from "../../formats/problem.ts"
import { placeInside } from "../../formats/problem.ts"
import { isWrittenOut, type ReadWorkflow, readWorkflow, writtenAs } from "../../workflow/read.ts"
import type { WorkflowProblem } from "../../workflow/reading.ts"
import type { Reaction, Step, Workflow } from "../../workflow/workflow.ts"
import type { CheckedAgent, Subject } from "../rule.ts"

/** Several rules ask about the same workflow. */
const known = new WeakMap<Agent, ReadWorkflow>()

/** The workflow that an agent has written out; undefined where it has none, or only names one. */
export function workflowOf({ agent }: CheckedAgent): ReadWorkflow | undefined {
  if (!isWrittenOut(agent)) return undefined
  const read =
    known.get(agent) ??
    readWorkflow(agent.workflow!, {
      name: agent.name,
      as: writtenAs(agent),
    })
  known.set(agent, read)
  return read
}

/** Reports what reading a workflow found of one kind. */
export function reportProblems(subject: Subject, code: WorkflowProblem["code"]): void {
  for (const problem of workflowOf(subject)?.problems ?? [])
    if (problem.code === code)
      subject.report({ message: sentence(problem.message), at: workflowPlace(subject, problem) })
}

/** Where something of a workflow stands in the file of its agent. */
export function workflowPlace(
  subject: CheckedAgent,
  { path, offset, about }: Pick<PlacedProblem, "path" | "offset" | "about">,
): Place {
  const places = placesIn(subject, path)
  const isThere = (place: PlacedProblem["path"]) =>
    subject.source?.locate({ type: "value", path: place.slice(0, place.length - path.length + 1) })
  const whole = places.find(isThere) ?? places[0]!
  const value = offset === undefined ? undefined : valueAt(subject.agent.workflow, path)
  if (typeof value === "string" && offset !== undefined && value !== "")
    return placeInside(whole, value, Math.min(offset, value.length - 1), 1)
  return { type: about ?? "value", path: whole }
}

/** Something that is to happen in a workflow, with the keys that lead to it. */
interface PlacedEntry {
  readonly entry: Reaction
  readonly path: PlacedProblem["path"]
}

/** Everything that is to happen in a workflow, wherever it stands. */
export function entriesIn({ agent }: CheckedAgent, { steps, onError }: Workflow): readonly PlacedEntry[] {
  const lists: readonly (readonly [PlacedProblem["path"], readonly Reaction[]])[] = [
    ...steps.flatMap((step, index) =>
      listsOf(step).map(([keys, entries]) => [["steps", index, ...keys], entries] as const),
    ),
    [["on_error"], onError],
  ]
  return lists.flatMap(([path, entries]) => {
    // One thing needs no list.
    const isList = Array.isArray(valueAt(agent.workflow, path))
    return entries.map((entry, index) => ({ entry, path: isList ? [...path, index] : path }))
  })
}

const listsOf = (step: Step) =>
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

/** Gobby's generations of files say it in keys of their own. */
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
