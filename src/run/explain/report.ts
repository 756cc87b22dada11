import type { RunEvent } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { Store } from "../log/store.ts"
import { CallReader, type CallRecord } from "./calls.ts"
import type { FileCount } from "./file-counts.ts"
import { readTreeEvents } from "./tree-events.ts"

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
  /** The files that were changed, with lines. Absent: they were not counted. */
  readonly changes?: readonly FileCount[]
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
  for await (const event of readTreeEvents(store, run)) report.take(event)
  return report.read()
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
