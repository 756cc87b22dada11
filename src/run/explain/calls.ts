import type { ToolEvidence } from "../../agent/tool.ts"
import type { AskedCall, CallResult, RunEvent } from "../log/event.ts"
import type { DecisionCause } from "../log/event-rights.ts"

/** One tool call as the log tells it. */
export interface CallRecord {
  readonly run: string
  readonly agent: string
  readonly call: string
  readonly tool: string
  /** The arguments as JSON text, as hooks left them. */
  readonly arguments: string
  /** `invalid`: the tool or the arguments were wrong, so it never started. `open`: it has not ended. */
  readonly status: CallResult["status"] | "invalid" | "open"
  /** The text that the model read. */
  readonly text: string
  /** The cause that let the call start, or denied it. Absent in older logs, and for calls that nothing judged. */
  readonly by?: DecisionCause
  /** The cause that made it wait for a person. */
  readonly askedBy?: DecisionCause
  readonly startedAt?: number
  readonly endedAt?: number
  readonly evidence?: ToolEvidence
  /** The run that the call started. */
  readonly child?: string
}

/** Follows the calls of a tree through its events. Other events change nothing. */
export class CallReader {
  readonly #agents = new Map<string, string>()
  readonly #open = new Map<string, CallRecord>()

  /** Takes the next event, in the order of the log. Returns the call that this event ended. */
  take(event: RunEvent): CallRecord | undefined {
    switch (event.type) {
      case "run-start":
        this.#agents.set(event.run, event.agent)
        return undefined
      case "model-end":
      case "plan-end":
        for (const call of event.calls ?? []) this.#ask(event.run, call)
        return undefined
      case "hook-end":
        if (event.verdict.type === "rewrite") this.#change(event, { arguments: event.verdict.arguments })
        return undefined
      case "approval-start":
        this.#change(event, event.by ? { askedBy: event.by } : {})
        return undefined
      case "tool-start":
        this.#change(event, { startedAt: event.at, ...(event.by && { by: event.by }) })
        return undefined
      case "child-start":
        if (!event.hook)
          this.#change(event, { startedAt: event.at, child: event.child, ...(event.by && { by: event.by }) })
        return undefined
      case "tool-end":
        return this.#end(event)
      default:
        return undefined
    }
  }

  agentOf(run: string): string {
    return this.#agents.get(run) ?? "?"
  }

  find(run: string, call: string): CallRecord | undefined {
    return this.#open.get(`${run} ${call}`)
  }

  /** The calls that have not ended, in the order in which they were asked for. */
  open(): readonly CallRecord[] {
    return [...this.#open.values()]
  }

  #ask(run: string, { id, tool, arguments: text, problem, refused }: AskedCall): void {
    this.#open.set(`${run} ${id}`, {
      run,
      agent: this.agentOf(run),
      call: id,
      tool,
      arguments: text,
      status: problem !== undefined && !refused ? "invalid" : "open",
      text: "",
    })
  }

  #change({ run, call }: { readonly run: string; readonly call: string }, fields: Partial<CallRecord>): void {
    const record = this.find(run, call)
    if (record) this.#open.set(`${run} ${call}`, { ...record, ...fields })
  }

  #end(event: Extract<RunEvent, { readonly type: "tool-end" }>): CallRecord | undefined {
    const { run, call, at, result, by } = event
    const record = this.find(run, call)
    if (!record) return undefined
    this.#open.delete(`${run} ${call}`)
    return {
      ...record,
      status: record.status === "invalid" ? "invalid" : result.status,
      text: result.text,
      endedAt: at,
      ...(by && { by }),
      ...(result.evidence && { evidence: result.evidence }),
    }
  }
}
