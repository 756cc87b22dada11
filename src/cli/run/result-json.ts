import type { Approval, Proof, RunResult } from "../../run/proof.ts"
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
export function costOf({ usage: { inclusive }, model }: Proof): number | null {
  // What its program took, nobody was told.
  if (isProgram(model.resolved) && !Object.hasOwn(inclusive, model.resolved)) return null
  let total = 0
  for (const [name, { cost, inputTokens, outputTokens }] of Object.entries(inclusive)) {
    // A model that was asked and refused has used nothing, whatever its price; a program may only say nothing of it.
    if (cost === undefined && (inputTokens + outputTokens > 0 || isProgram(name))) return null
    total += cost ?? 0
  }
  return total
}

const isProgram = (name: string): boolean => name.startsWith("executor:")

export const warningsOf = ({ warnings, differences }: Proof): readonly string[] => [
  ...warnings,
  ...differences,
]
