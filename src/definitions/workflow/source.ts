import type { Agent } from "../../agent/agent.ts"
import { described } from "../../ground/diagnostics/problem.ts"
import { knownNames, StartError } from "../../ground/errors.ts"
import { isMap, type Json } from "../../ground/message.ts"
import type { Hook, HookSource } from "../../run/ports/hook.ts"
import { workflowHook } from "./compile.ts"
import { isWrittenOut, readWorkflow, writtenAs } from "./read.ts"
import { tidied } from "./tidied.ts"

/** A workflow that agents may name. Of several of one name, the last holds. */
export interface NamedWorkflow {
  readonly name: string
  readonly workflow: Json
  /** Why it cannot be followed, such as that nobody trusts its file. */
  readonly refused?: string
  /** It is refused only because nobody trusts its file as it is. */
  readonly isUntrusted?: true
}

/** The hooks of a source, and after them the workflow of each agent. */
export function withWorkflows(
  hooks: HookSource,
  named: readonly NamedWorkflow[],
): Required<Pick<HookSource, "hooksOf" | "writtenOut">> {
  const byAgent = new WeakMap<Agent, readonly Hook[]>()
  const written = new WeakMap<Agent, Agent>()
  const all = (agent: Agent, others: readonly Hook[]): readonly Hook[] => {
    const known = byAgent.get(agent) ?? [...others, hookOf(agent)]
    byAgent.set(agent, known)
    return known
  }
  return {
    hooksOf(agent) {
      const others = hooks.hooksOf(agent)
      if (!isWrittenOut(agent)) return others
      return "then" in others ? others.then((list) => all(agent, list)) : all(agent, others)
    },
    writtenOut(agent) {
      const { workflow = null } = agent
      if (workflow === null) return agent
      const known = written.get(agent) ?? {
        ...agent,
        workflow: typeof workflow === "string" ? lookUp(agent, workflow, named) : plain(agent),
      }
      written.set(agent, known)
      return known
    },
  }
}

/** Gobby's own files say much that is passed over. */
const plain = ({ workflow, origin: { format } }: Agent): Json =>
  format === "gobby" && isMap(workflow) ? tidied(workflow) : workflow!

function lookUp(agent: Agent, name: string, named: readonly NamedWorkflow[]): Json {
  const found = named.findLast((one) => one.name === name)
  const problem = found
    ? found.refused
    : `it is not there. ${knownNames(
        name,
        named.map((one) => one.name),
      )}`
  if (problem === undefined) return { name, ...(found!.workflow as { readonly [key: string]: Json }) }
  throw new StartError([
    {
      code: "WORKFLOW_INVALID",
      kind: found?.isUntrusted ? "here" : "written",
      rule: "workflow-unknown",
      part: "workflow",
      message: `Agent ${JSON.stringify(agent.name)} names the workflow ${JSON.stringify(name)}, which cannot be followed: ${problem}`,
    },
  ])
}

/** A workflow that cannot be read might have forbidden something: nothing runs without it. */
function hookOf(agent: Agent): Hook {
  const { workflow, problems } = readWorkflow(agent.workflow!, {
    name: agent.name,
    as: writtenAs(agent),
  })
  if (workflow) return workflowHook(workflow)
  throw new StartError([
    {
      code: "WORKFLOW_INVALID",
      kind: "written",
      rule: "workflow-invalid",
      part: "workflow",
      message: `The workflow of agent ${JSON.stringify(agent.name)} cannot be followed, so nothing runs under it: ${problems
        .filter(({ severity }) => severity === "error")
        .map((problem) => described(problem, "workflow"))
        .join("; ")}`,
    },
  ])
}
