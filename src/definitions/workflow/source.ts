import type { Agent } from "../../agent/agent.ts"
import { describeProblem } from "../../ground/diagnostics/problem.ts"
import { listKnownNames, StartError } from "../../ground/errors.ts"
import { isMap, type Json } from "../../ground/message.ts"
import type { Hook, HookSource } from "../../run/ports/hook.ts"
import { compileWorkflowHook } from "./compile.ts"
import { containsWorkflow, getWorkflowFormat, readWorkflow } from "./read.ts"
import { tidyWorkflow } from "./tidy-workflow.ts"

/** A workflow that agents may name. Of several with one name, the last is used. */
export interface NamedWorkflow {
  /** The name that `workflow` in a definition uses. */
  readonly name: string
  /** The workflow as it is written. It is checked when a run starts. */
  readonly workflow: Json
  /** Why the workflow cannot be used, for example because its file is not trusted. */
  readonly refused?: string
  /** The workflow is refused only because its file is not trusted. */
  readonly isUntrusted?: true
}

/** Adds the workflow of each agent after its hooks. */
export function withWorkflows(
  hooks: HookSource,
  named: readonly NamedWorkflow[],
): Required<Pick<HookSource, "hooksOf" | "writtenOut">> {
  const byAgent = new WeakMap<Agent, readonly Hook[]>()
  const resolvedAgents = new WeakMap<Agent, Agent>()
  const all = (agent: Agent, others: readonly Hook[]): readonly Hook[] => {
    const cached = byAgent.get(agent) ?? [...others, hookOf(agent)]
    byAgent.set(agent, cached)
    return cached
  }
  return {
    hooksOf(agent) {
      const others = hooks.hooksOf(agent)
      if (!containsWorkflow(agent)) return others
      return "then" in others ? others.then((list) => all(agent, list)) : all(agent, others)
    },
    writtenOut(agent) {
      const { workflow = null } = agent
      if (workflow === null) return agent
      const resolved = resolvedAgents.get(agent) ?? {
        ...agent,
        workflow: typeof workflow === "string" ? lookUp(agent, workflow, named) : plain(agent),
      }
      resolvedAgents.set(agent, resolved)
      return resolved
    },
  }
}

/** The workflow without the keys of Gobby's files that are skipped. */
const plain = ({ workflow, origin: { format } }: Agent): Json =>
  format === "gobby" && isMap(workflow) ? tidyWorkflow(workflow) : workflow!

function lookUp(agent: Agent, name: string, named: readonly NamedWorkflow[]): Json {
  const match = named.findLast((one) => one.name === name)
  const problem = match
    ? match.refused
    : `it does not exist. ${listKnownNames(
        name,
        named.map((one) => one.name),
      )}`
  if (problem === undefined) return { name, ...(match!.workflow as { readonly [key: string]: Json }) }
  throw new StartError([
    {
      code: "WORKFLOW_INVALID",
      kind: match?.isUntrusted ? "here" : "written",
      rule: "workflow-unknown",
      part: "workflow",
      message: `Agent ${JSON.stringify(agent.name)} names the workflow ${JSON.stringify(name)}, which cannot be used: ${problem}`,
    },
  ])
}

/** Compiles an agent's workflow. An invalid one might have forbidden something, so the agent does not run without it. */
function hookOf(agent: Agent): Hook {
  const { workflow, problems } = readWorkflow(agent.workflow!, {
    name: agent.name,
    as: getWorkflowFormat(agent),
  })
  if (workflow) return compileWorkflowHook(workflow)
  throw new StartError([
    {
      code: "WORKFLOW_INVALID",
      kind: "written",
      rule: "workflow-invalid",
      part: "workflow",
      message: `The workflow of agent ${JSON.stringify(agent.name)} is invalid, so the agent does not run: ${problems
        .filter(({ severity }) => severity === "error")
        .map((problem) => describeProblem(problem, "workflow"))
        .join("; ")}`,
    },
  ])
}
