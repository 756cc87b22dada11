import type { RunEvent } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import { rootOf } from "../log/id.ts"
import type { Store, StoredEvent } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import { CallReader, type CallRecord } from "./calls.ts"

/** The work of a run and all runs below it, as the runtime recorded it. */
export interface RunReport {
  /** The calls by agent, in the order in which the agents began. */
  readonly agents: readonly {
    readonly agent: string
    readonly runs: number
    readonly calls: Readonly<Record<string, number>>
  }[]
  /** Each command once, with its last exit code, in the order of these last runs. */
  readonly commands: readonly ReportedCommand[]
  /** The files that were written, each once. */
  readonly files: readonly string[]
  /** Calls that failed, were denied, were invalid, or have an unknown outcome. */
  readonly failed: readonly CallRecord[]
  /** The run ended as completed although the last run of a command failed. */
  readonly contradicted: boolean
}

export interface ReportedCommand {
  readonly run: string
  readonly agent: string
  readonly call: string
  readonly command: string
  readonly exitCode: number
  readonly times: number
}

/** Reads the report of a run from its log. */
export async function readReport(store: Store, run: string): Promise<RunReport> {
  const report = new ReportReader(run)
  for await (const event of eventsOf(store, run)) report.take(event)
  return report.read()
}

/** The events of a run and the runs below it: in the order of the log, where the store has one for a tree. */
export async function* eventsOf(store: Store, run: string, more?: "undone"): AsyncGenerator<RunEvent> {
  const isOf = (other: string) => other === run || other.startsWith(`${run}.`)
  // The root records what a person undid, for every run of its tree.
  const isWanted = ({ run: other, type }: StoredEvent) =>
    isOf(other) || (more === "undone" && type === "changes-undone")
  if (store.examine) {
    for await (const piece of store.examine(rootOf(run))) {
      const event = piece.type === "event" && isWanted(piece.event) ? upcast(piece.event) : undefined
      if (event) yield event
    }
    return
  }
  for await (const head of store.list({ root: rootOf(run) }))
    if (isOf(head.run) || (more && head.run === rootOf(run)))
      for await (const stored of store.read(head.run)) {
        const event = isWanted(stored) ? upcast(stored) : undefined
        if (event) yield event
      }
}

class ReportReader {
  readonly #calls = new CallReader()
  readonly #agents = new Map<string, { runs: number; calls: Map<string, number> }>()
  readonly #commands = new Map<string, ReportedCommand>()
  readonly #files = new Set<string>()
  readonly #failed: CallRecord[] = []
  readonly #run: string
  #outcome: RunOutcome | undefined

  constructor(run: string) {
    this.#run = run
  }

  take(event: RunEvent): void {
    if (event.type === "run-start") this.#agentOf(event.agent).runs++
    if (event.type === "run-end" && event.run === this.#run) this.#outcome = event.outcome
    const call = this.#calls.take(event)
    if (call) this.#end(call)
    if (event.type === "check-end")
      for (const { evidence } of event.results)
        this.#see({ run: event.run, agent: this.#calls.agentOf(event.run), call: "", evidence })
  }

  read(): RunReport {
    const commands = [...this.#commands.values()]
    return {
      agents: [...this.#agents].map(([agent, { runs, calls }]) => ({
        agent,
        runs,
        calls: Object.fromEntries(calls),
      })),
      commands,
      files: [...this.#files],
      failed: this.#failed,
      contradicted: this.#outcome?.type === "completed" && commands.some(({ exitCode }) => exitCode !== 0),
    }
  }

  #end(call: CallRecord): void {
    if (call.startedAt !== undefined) {
      const { calls } = this.#agentOf(call.agent)
      calls.set(call.tool, (calls.get(call.tool) ?? 0) + 1)
    }
    this.#see(call)
    if (call.status !== "ok" && call.status !== "skipped") this.#failed.push(call)
  }

  #see({
    run,
    agent,
    call,
    evidence,
  }: Partial<CallRecord> & Pick<CallRecord, "run" | "agent" | "call">): void {
    for (const { path } of evidence?.files ?? []) this.#files.add(path)
    for (const { command, exitCode } of evidence?.commands ?? []) {
      const times = (this.#commands.get(command)?.times ?? 0) + 1
      this.#commands.delete(command)
      this.#commands.set(command, { run, agent, call, command, exitCode, times })
    }
  }

  #agentOf(name: string): { runs: number; calls: Map<string, number> } {
    const counts = this.#agents.get(name) ?? { runs: 0, calls: new Map<string, number>() }
    this.#agents.set(name, counts)
    return counts
  }
}
