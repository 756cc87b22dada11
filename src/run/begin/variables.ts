import { variablesProblem } from "../../agent/variable.ts"
import { knownNames, StartError } from "../../ground/errors.ts"
import { isMap, type JsonMap } from "../../ground/message.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { inOrder, overlaid, precedence, type Saying, type VariableRank } from "../rights/precedence.ts"

type Variables = Pick<Environment, "variables" | "lifecycle">
type Wanted = Pick<Beginning, "agent" | "variables" | "parent">

/** The variables that a run starts with. Throws a CadreError where one cannot be set. */
export function settleVariables(environment: Variables, wanted: Wanted): JsonMap {
  const variables = overlaid(variableSayings(environment, wanted))
  const problem = variablesProblem(variables)
  if (problem === undefined) return variables
  const isCalled = Object.keys(wanted.variables ?? {}).length > 0
  throw new StartError([
    {
      code: "VARIABLE_INVALID",
      kind: isCalled && variablesProblem(wanted.agent.variables) === undefined ? "call" : "written",
      rule: "variable-invalid",
      part: "variables",
      message: `Agent ${JSON.stringify(wanted.agent.name)}: ${problem}.`,
    },
  ])
}

/** Who says which variables, the first to win first. */
export const variableSayings = (
  { variables: { defaults, locked }, lifecycle }: Variables,
  { agent, variables, parent }: Wanted,
): readonly Saying<VariableRank, JsonMap>[] =>
  inOrder<VariableRank, JsonMap>(precedence.variables, {
    call: variables,
    locked: locked.length > 0 ? kept(defaults, locked) : undefined,
    parent: parent && agent.inheritVariables && only(parent.variables, agent.inheritVariables),
    definition: agent.variables,
    workflow: workflowVariables(agent),
    configuration: defaults,
    lifecycle: lifecycle?.variablesOf?.(agent),
  })

/** Why a call may not set these; undefined where it may. */
export function refusedVariables(
  { variables: { locked } }: Pick<Environment, "variables">,
  agent: string,
  settable: readonly string[] = [],
  variables: JsonMap,
): string | undefined {
  for (const name of Object.keys(variables)) {
    if (locked.includes(name))
      return `The variable ${JSON.stringify(name)} is locked by the user's configuration. Leave it out.`
    if (!settable.includes(name))
      return `A call may not set the variable ${JSON.stringify(name)} of ${agent}. ${knownNames(name, settable)}`
  }
  return undefined
}

const workflowVariables = ({ workflow }: Wanted["agent"]): JsonMap | undefined => {
  const variables = isMap(workflow) ? workflow.variables : undefined
  return isMap(variables) ? variables : undefined
}

/** What nobody says of one that is locked, no file can say either. */
const kept = (variables: JsonMap, names: readonly string[]): JsonMap => ({
  ...Object.fromEntries(names.map((name) => [name, null])),
  ...only(variables, names),
})

const only = (variables: JsonMap, names: readonly string[]): JsonMap =>
  Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(variables, name) ? [[name, variables[name]!]] : [])),
  )
