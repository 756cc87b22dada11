import { fold } from "../begin/load.ts"
import type { PendingApproval } from "../drive/proof.ts"
import type { RunEvent } from "../log/event.ts"
import type { LastingApproval } from "../log/event-rights.ts"
import { getRootRun } from "../log/id.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import { withRules } from "../rights/covering-rules.ts"
import { judge } from "../rights/rights.ts"
import { CallReader } from "./calls.ts"

/**
 * Finds an earlier answer of a person that also answers this call. They allowed exactly this call of this agent, or added
 * rules that let it through. Undefined: a person has to be asked. A question of a program is always asked.
 */
export async function findStandingAnswer(
  store: Store,
  { run, call: id, tool, arguments: text, question }: PendingApproval,
): Promise<LastingApproval | undefined> {
  if (question) return undefined
  const state = (await fold(store, run))?.state
  const call = state?.calls.toArray().find((one) => one.id === id)
  if (!state?.start || call?.kind === "approval") return undefined
  for (const { lasting, ...earlier } of await lastingApprovals(store, getRootRun(run))) {
    const isSame = earlier.agent === state.start.agent && earlier.tool === tool && earlier.arguments === text
    if (lasting === "same" && isSame) return lasting
    if (lasting === "same" || !call) continue
    if (judge(withRules(state.rights, lasting.rules), call, state.start.moved).decision === "allow")
      return lasting
  }
  return undefined
}

interface Lasting {
  readonly lasting: LastingApproval
  readonly agent: string
  readonly tool: string
  readonly arguments: string
}

async function lastingApprovals(store: Store, root: string): Promise<readonly Lasting[]> {
  const list: Lasting[] = []
  for await (const { run } of store.list({ root })) {
    const reader = new CallReader()
    for await (const stored of store.read(run)) {
      const event: RunEvent | undefined = upcast(stored)
      if (!event) continue
      if (event.type === "approval-end" && event.lasting) {
        const call = reader.find(run, event.call)
        if (call)
          list.push({
            lasting: event.lasting,
            agent: call.agent,
            tool: call.tool,
            arguments: call.arguments,
          })
      }
      reader.take(event)
    }
  }
  return list
}
