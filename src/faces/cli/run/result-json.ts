import type { TokenUsage } from "../../../ground/message.ts"
import {
  addUsage,
  computeUsageCost as costOfUsage,
  noUsage,
  sumTokens as sumOf,
} from "../../../ground/usage.ts"
import type { PendingApproval, RunProof, RunResult } from "../../../run/drive/proof.ts"
import type { CallRecord } from "../../../run/explain/calls.ts"
import type { RunReport } from "../../../run/explain/report.ts"
import type { WaitingCall } from "./waiting-call.ts"

/** The parts that a result is shown with. */
export interface ResultParts {
  readonly questions?: readonly (PendingApproval | WaitingCall)[]
  readonly report?: RunReport
  /** The command that resumes the run. */
  readonly resume?: string
}

/** The JSON result of a run, for programs. If calls are waiting, it has the commands that answer them. */
export function toResultJson(
  result: RunResult,
  {
    questions: approvals = result.approvals,
    report,
    resume = `cadre resume ${result.run}`,
  }: ResultParts = {},
) {
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
    ...(result.fault && { fault: result.fault }),
    output: result.output,
    ...(result.value !== undefined && { value: result.value }),
    ...(result.postconditions && { postconditions: result.postconditions }),
    ...(result.objection && { objection: result.objection }),
    ...(result.isolation && { isolation: result.isolation }),
    ...(proof.workflow && { workflow: proof.workflow }),
    ...(proof.activated && { activated: proof.activated }),
    model,
    usage: proof.usage,
    cost: computeInclusiveCost(proof),
    turns: proof.turns,
    activeMs: proof.activeMs,
    limits: proof.limits,
    toolsOffered: proof.toolsOffered,
    evidence: proof.evidence,
    ...(proof.lacks && { lacks: proof.lacks }),
    denied: proof.denied,
    ...(report && { failedCalls: report.failed.map(failedCallJson), commands: report.commands }),
    ...(report?.changes && { changes: report.changes }),
    ...(report?.contradicted && { contradicted: true }),
    definition: { ...definition, file: definition.file ?? null, hash: definition.hash ?? null },
    approvals: approvals.map((approval) => ({
      ...approval,
      approve: `cadre approve ${approval.run} ${approval.call}`,
      ...(approval.question && {
        answer: `cadre approve ${approval.run} ${approval.call} --answer JSON`,
      }),
      deny: `cadre approve ${approval.run} ${approval.call} --deny`,
    })),
    ...(result.status !== "ended" && { state: result.status, resume }),
    undelivered: proof.undelivered,
    warnings: listWarnings(proof),
  }
}

/** A call that failed, was denied or was invalid, or whose outcome is unknown. */
const failedCallJson = ({
  run,
  agent,
  call,
  tool,
  arguments: input,
  status,
  text,
  by,
  evidence,
}: CallRecord) => ({
  run,
  agent,
  call,
  tool,
  arguments: input,
  status,
  text,
  ...(by && { by }),
  ...(evidence?.commands && { commands: evidence.commands }),
})

/** The cost of the run and its subagents. Null if the price of something that was used is unknown. */
export const computeInclusiveCost = (proof: RunProof): number | null =>
  costOfUsage(getInclusiveUsage(proof)) ?? null

/** The usage of all models that the run and its subagents asked. */
export function getInclusiveUsage({ usage: { inclusive }, model }: RunProof): TokenUsage {
  // The program did not report its usage, so it is unknown.
  const untold = isProgram(model.resolved) && !Object.hasOwn(inclusive, model.resolved) ? [{}] : []
  const reported = Object.entries(inclusive).map(([name, usage]) =>
    isProgram(name) ? ofProgram(usage) : usage,
  )
  return [...reported, ...untold].reduce(addUsage, noUsage)
}

/** In older logs, a program that did not report its usage has zeros. They mean unknown. */
const ofProgram = (usage: TokenUsage): TokenUsage =>
  usage.cost === undefined && sumOf(usage) === 0 ? {} : usage

const isProgram = (name: string): boolean => name.startsWith("executor:")

export const listWarnings = ({ warnings, differences }: RunProof): readonly string[] => [
  ...warnings,
  ...differences,
]
