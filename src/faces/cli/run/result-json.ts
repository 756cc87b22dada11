import type { Usage } from "../../../ground/message.ts"
import { addUsage, costOf as costOfUsage, noUsage, tokensOf as sumOf } from "../../../ground/usage.ts"
import type { Approval, Proof, RunResult } from "../../../run/drive/proof.ts"
import type { Asked } from "./asked.ts"

/** The one object a program reads: what a run came to, and what is to be done where it waits. */
export function resultJson(result: RunResult, approvals: readonly (Approval | Asked)[] = result.approvals) {
  const { proof } = result
  const { definition, model } = proof
  return {
    id: result.run,
    agent: result.agent,
    ...(result.continues !== undefined && { continues: result.continues }),
    ...(result.fallbackOf !== undefined && { fallbackOf: result.fallbackOf }),
    ...(result.tried && { tried: result.tried }),
    ...(result.cached && { cached: result.cached }),
    status: result.status,
    outcome: result.outcome ?? null,
    output: result.output,
    ...(result.value !== undefined && { value: result.value }),
    ...(result.postconditions && { postconditions: result.postconditions }),
    ...(result.objection && { objection: result.objection }),
    ...(result.isolation && { isolation: result.isolation }),
    ...(proof.workflow && { workflow: proof.workflow }),
    ...(proof.activated && { activated: proof.activated }),
    model,
    usage: proof.usage,
    cost: costOf(proof),
    turns: proof.turns,
    activeMs: proof.activeMs,
    limits: proof.limits,
    toolsOffered: proof.toolsOffered,
    evidence: proof.evidence,
    ...(proof.lacks && { lacks: proof.lacks }),
    denied: proof.denied,
    definition: { ...definition, file: definition.file ?? null, hash: definition.hash ?? null },
    approvals: approvals.map((approval) => ({
      ...approval,
      approve: `cadre approve ${approval.run} ${approval.call}`,
      deny: `cadre approve ${approval.run} ${approval.call} --deny`,
    })),
    ...(result.status !== "ended" && { resume: `cadre resume ${result.run}` }),
    undelivered: proof.undelivered,
    warnings: warningsOf(proof),
  }
}

/** What the run and everything below it cost; null where something that was used has no known price. */
export const costOf = (proof: Proof): number | null => costOfUsage(inclusiveOf(proof)) ?? null

/** What all models together used that the run and everything below it asked. */
export function inclusiveOf({ usage: { inclusive }, model }: Proof): Usage {
  // What its program took, nobody was told.
  const untold = isProgram(model.resolved) && !Object.hasOwn(inclusive, model.resolved) ? [{}] : []
  const told = Object.entries(inclusive).map(([name, usage]) => (isProgram(name) ? ofProgram(usage) : usage))
  return [...told, ...untold].reduce(addUsage, noUsage)
}

/** Older logs have nothing at all for what a program did not say. */
const ofProgram = (usage: Usage): Usage => (usage.cost === undefined && sumOf(usage) === 0 ? {} : usage)

const isProgram = (name: string): boolean => name.startsWith("executor:")

export const warningsOf = ({ warnings, differences }: Proof): readonly string[] => [
  ...warnings,
  ...differences,
]
