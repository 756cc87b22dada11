import { findVariablesProblem } from "../../agent/variable.ts"
import { listKnownNames, StartError } from "../../ground/errors.ts"
import { isMap, type JsonMap } from "../../ground/message.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import {
  mergeInOrder,
  orderBySource,
  precedence,
  type SourceValues,
  type VariableRank,
} from "../rights/precedence.ts"

type Variables = Pick<Environment, "variables" | "lifecycle">
type VariableBeginning = Pick<Beginning, "agent" | "variables" | "parent">

/** The variables that a run starts with. Throws a CadreError where one cannot be set. */
export function settleVariables(environment: Variables, beginning: VariableBeginning): JsonMap {
  const variables = mergeInOrder(rankVariables(environment, beginning))
  const problem = findVariablesProblem(variables)
  if (problem === undefined) return variables
  const isCalled = Object.keys(beginning.variables ?? {}).length > 0
  throw new StartError([
    {
      code: "VARIABLE_INVALID",
      kind: isCalled && findVariablesProblem(beginning.agent.variables) === undefined ? "call" : "written",
      rule: "variable-invalid",
      part: "variables",
      message: `Agent ${JSON.stringify(beginning.agent.name)}: ${problem}.`,
    },
  ])
}

/** The variables of each source, highest precedence first. */
export const rankVariables = (
  { variables: { defaults, locked }, lifecycle }: Variables,
  { agent, variables, parent }: VariableBeginning,
): readonly SourceValues<VariableRank, JsonMap>[] =>
  orderBySource<VariableRank, JsonMap>(precedence.variables, {
    call: variables,
    locked: locked.length > 0 ? lockedValues(defaults, locked) : undefined,
    parent: parent && agent.inheritVariables && pick(parent.variables, agent.inheritVariables),
    definition: agent.variables,
    workflow: workflowVariables(agent),
    configuration: defaults,
    lifecycle: lifecycle?.variablesOf?.(agent),
  })

/** The reason that a call may not set these variables; undefined if it may. */
export function findRefusedVariable(
  { variables: { locked } }: Pick<Environment, "variables">,
  agent: string,
  settable: readonly string[] = [],
  variables: JsonMap,
): string | undefined {
  for (const name of Object.keys(variables)) {
    if (locked.includes(name))
      return `The variable ${JSON.stringify(name)} is locked by the user's configuration. Leave it out.`
    if (!settable.includes(name))
      return `A call may not set the variable ${JSON.stringify(name)} of ${agent}. ${listKnownNames(name, settable)}`
  }
  return undefined
}

const workflowVariables = ({ workflow }: VariableBeginning["agent"]): JsonMap | undefined => {
  const variables = isMap(workflow) ? workflow.variables : undefined
  return isMap(variables) ? variables : undefined
}

/** A locked variable without a default is null, so that no file can set it. */
const lockedValues = (variables: JsonMap, names: readonly string[]): JsonMap => ({
  ...Object.fromEntries(names.map((name) => [name, null])),
  ...pick(variables, names),
})

const pick = (variables: JsonMap, names: readonly string[]): JsonMap =>
  Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(variables, name) ? [[name, variables[name]!]] : [])),
  )
