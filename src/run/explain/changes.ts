import type { FileVersion, SeenChanges } from "../../agent/file-change.ts"
import type { AskedCall, RunEvent } from "../log/event.ts"
import type { ChangesUndone } from "../log/event-files.ts"
import type { Store } from "../log/store.ts"
import { type ChangeStep, type LookAtFile, type MergedChange, mergeSteps } from "./merge-changes.ts"
import { readTreeEvents } from "./tree-events.ts"

/** The changes of a run and all runs below it, one for each file: from its first version to its last. */
export interface RunChanges {
  /** The folder that the run works in. */
  readonly cwd: string
  /** Another folder that the run was moved to: the top of its worktree. */
  readonly worktree?: string
  readonly files: readonly MergedChange[]
  /** Calls whose changes are not known, or not all. */
  readonly unseen: readonly UnseenChanges[]
  /** The last time that a person undid these changes, or made them again. */
  readonly undone?: Pick<ChangesUndone, "way" | "agent" | "files"> & { readonly at: number }
}

export interface UnseenChanges extends Pick<SeenChanges, "more"> {
  readonly run: string
  readonly agent: string
  readonly call: string
  readonly tool: string
  readonly detail: "names" | "nothing"
  readonly why: string
}

export interface ChangesFilter {
  /** Only changes of this agent's runs. */
  readonly agent?: string
  /** Looks at files for changes that nothing in the log settles. */
  readonly look?: LookAtFile
}

/** Reads the changes of a run from its log. Undefined: there is no such run. */
export async function readChanges(
  store: Store,
  run: string,
  { agent, look }: ChangesFilter = {},
): Promise<RunChanges | undefined> {
  const reader = new ChangeReader()
  let start: { readonly cwd: string; readonly worktree?: string } | undefined
  let undone: RunChanges["undone"]
  for await (const event of readTreeEvents(store, run, (damage) => reader.lose(damage))) {
    if (event.type === "changes-undone") {
      if (event.of === run)
        undone = {
          way: event.way,
          at: event.at,
          files: event.files,
          ...(event.agent !== undefined && { agent: event.agent }),
        }
      continue
    }
    if (event.type === "run-start" && event.run === run) {
      const worktree = event.moved?.at(-1)?.to
      start = { cwd: event.cwd, ...(worktree !== undefined && { worktree }) }
    }
    reader.take(event)
  }
  if (!start) return undefined
  const { steps, unseen } = reader.read()
  const isWanted = (one: { readonly agent: string }) => agent === undefined || one.agent === agent
  return {
    ...start,
    files: mergeSteps(steps.filter(isWanted), look),
    unseen: unseen.filter((one) => one.call === "" || isWanted(one)),
    ...(undone && { undone }),
  }
}

interface CallSeen {
  readonly request: AskedCall | undefined
  /** The number of its last event. */
  last: number
  steps: { step: ChangeStep; hasResumedSince: boolean }[]
  hasChanges: boolean
  isStarted: boolean
}

/** Follows the changes of a tree through its events, in the order of the log. */
class ChangeReader {
  readonly #agents = new Map<string, string>()
  readonly #calls = new Map<string, CallSeen>()
  readonly #lastOfRun = new Map<string, number>()
  readonly #steps: ChangeStep[] = []
  readonly #unseen: UnseenChanges[] = []
  #number = 0

  take(event: RunEvent): void {
    this.#number++
    switch (event.type) {
      case "run-start":
        this.#agents.set(event.run, event.agent)
        break
      case "run-resume":
        for (const [key, { steps }] of this.#calls)
          if (key.startsWith(`${event.run} `)) for (const one of steps) one.hasResumedSince = true
        break
      case "model-end":
      case "plan-end":
        for (const call of event.calls ?? [])
          this.#calls.set(`${event.run} ${call.id}`, {
            request: call,
            last: this.#number,
            steps: [],
            hasChanges: false,
            isStarted: false,
          })
        break
      case "tool-start":
        this.#callOf(event).isStarted = true
        break
      case "file-change":
        this.#begin(event)
        break
      case "file-kept": {
        const { steps } = this.#callOf(event)
        const index = steps.findLastIndex(({ step }) => step.path === event.path)
        if (index >= 0) steps.splice(index, 1)
        break
      }
      case "changes-seen":
        this.#see(event)
        break
      case "tool-end":
        this.#end(event)
        break
      case "event-lost":
        this.lose(event)
        break
    }
    if ("call" in event && event.call !== undefined) this.#callOf(event).last = this.#number
    this.#lastOfRun.set(event.run, this.#number)
  }

  /** A part of the log cannot be read, and may have had changes. */
  lose({ run = "", reason }: { readonly run?: string | undefined; readonly reason: string }): void {
    this.#unseen.push(this.#unknown(run, "", `a part of the log is lost: ${reason}`))
  }

  read(): { readonly steps: readonly ChangeStep[]; readonly unseen: readonly UnseenChanges[] } {
    for (const [key, call] of this.#calls) {
      const [run = "", id = ""] = key.split(" ")
      // Calls of hooks and checks have no end of their own.
      for (const { step, hasResumedSince } of call.steps)
        this.#steps.push(call.request || hasResumedSince ? { ...step, state: "unclear" } : step)
      if (call.isStarted && call.request?.effect === "opaque" && isFunction(call.request))
        this.#unseen.push(this.#unknown(run, id, "its end was not recorded"))
    }
    return { steps: this.#steps, unseen: this.#unseen }
  }

  #begin({ path, before, after, run, call }: Extract<RunEvent, { readonly type: "file-change" }>): void {
    const seen = this.#callOf({ run, call })
    const step: ChangeStep = {
      path,
      ...(before && { before }),
      ...(after && { after }),
      ...this.#who(run, call),
      from: this.#number,
      to: this.#number,
      state: "made",
    }
    seen.hasChanges = true
    seen.steps.push({ step, hasResumedSince: false })
  }

  #see({
    run,
    call,
    files,
    detail,
    why = "",
    more,
  }: Extract<RunEvent, { readonly type: "changes-seen" }>): void {
    const seen = this.#callOf({ run, call })
    seen.hasChanges = true
    for (const file of files)
      this.#steps.push({ ...file, ...this.#who(run, call), from: seen.last, to: this.#number, state: "made" })
    if (detail !== "content" || more !== undefined)
      this.#unseen.push({
        ...this.#who(run, call),
        detail: detail === "content" ? "names" : detail,
        why,
        ...(more !== undefined && { more }),
      })
  }

  #end({ run, call: id, result }: Extract<RunEvent, { readonly type: "tool-end" }>): void {
    const key = `${run} ${id}`
    const call = this.#callOf({ run, call: id })
    // A call that ran again has ended well only if its changes are there.
    const isSure = result.status === "ok"
    for (const { step, hasResumedSince } of call.steps)
      this.#steps.push(hasResumedSince && !isSure ? { ...step, state: "unclear" } : step)
    if (call.request && isFunction(call.request) && !call.hasChanges) {
      const hasRun = (result.evidence?.commands ?? []).length > 0
      if (hasRun) this.#unseen.push(this.#unknown(run, id, "nothing looked for the changes of this command"))
      else if (call.request.effect === "opaque" && result.status === "unknown")
        this.#unseen.push(this.#unknown(run, id, "its outcome is unknown"))
      else if (call.request.effect === "opaque" && result.status === "ok")
        this.#unseen.push(this.#unknown(run, id, "cadre does not see what this tool changes"))
    }
    this.#calls.delete(key)
  }

  #unknown(run: string, call: string, why: string): UnseenChanges {
    return { ...this.#who(run, call), detail: "nothing", why }
  }

  #who(run: string, call: string): Pick<ChangeStep, "run" | "agent" | "call" | "tool"> {
    const tool = this.#calls.get(`${run} ${call}`)?.request?.tool ?? ""
    return { run, agent: this.#agents.get(run) ?? "?", call, tool }
  }

  #callOf({ run, call }: { readonly run: string; readonly call: string }): CallSeen {
    const key = `${run} ${call}`
    const existing = this.#calls.get(key)
    if (existing) return existing
    const last = this.#lastOfRun.get(run) ?? this.#number
    const seen: CallSeen = { request: undefined, last, steps: [], hasChanges: false, isStarted: false }
    this.#calls.set(key, seen)
    return seen
  }
}

const isFunction = ({ kind, problem }: AskedCall): boolean => kind === "function" && problem === undefined

/** The text of a version, from its blob. Undefined: it is not kept. */
export async function readVersion(
  store: Store,
  run: string,
  { blob, part }: FileVersion,
): Promise<string | undefined> {
  if (blob === undefined) return undefined
  const content = await store.getBlob(run, blob)
  if (content === undefined || part === undefined) return content
  const texts: unknown = JSON.parse(content)
  const text: unknown = Array.isArray(texts) ? texts[part] : undefined
  return typeof text === "string" ? text : undefined
}
